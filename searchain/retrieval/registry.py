"""List, read and write the index files: one small JSON file per index, replaced atomically."""

import errno
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from filelock import FileLock

from searchain.errors import IndexNotFound, RetrievalError, SetupError, UsageError
from searchain.files.checkout import SET_UP
from searchain.files.home import home
from searchain.files.writing import write_whole
from searchain.retrieval.corpus import DEFAULT

NAME = re.compile(r"[a-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Shard:
    """A consecutive range of the passages of a large index, which one machine builds and searches."""

    parts: tuple[str, ...]
    passages: int
    first_id: str
    last_id: str


@dataclass(frozen=True, slots=True)
class Index:
    """The contents of an index file: all that is known of an index without opening its parts."""

    name: str
    passages: int
    checkpoint: str
    """``embedded``, a directory, or a hub name."""
    fingerprint: str
    """The fingerprint of the checkpoint."""
    sources: tuple[str, ...]
    created: str
    """ISO 8601, UTC."""
    parts: tuple[str, ...]
    waiting: tuple[str, ...] = ()
    """Parts of words: passages that are still to be encoded (see ``retrieval.updates``)."""
    removed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Part → its removed documents, which stay in it until the part is rewritten."""
    generation: int = 0
    """How many times documents were added or removed."""
    shards: tuple[Shard, ...] = ()
    """The shards of an index built in several; parts added or rewritten later belong to no shard."""


def list_indexes() -> list[Index]:
    """Return all indexes, sorted by name; damaged ones are left out."""
    found = []
    for file in sorted(root().glob("*.json")):
        with suppress(RetrievalError):
            found.append(load(file.stem))
    return found


def get(name: str) -> Index:
    """Return the index ``name``.

    Raises ``UsageError`` if that has not the form of a name, ``IndexNotFound`` if no index has it (the message lists
    those that exist), and ``SetupError`` if it is the default index, and set-up has not built it yet.
    """
    check_name(name)
    if path(name).is_file():
        return load(name)
    if name == DEFAULT:
        raise SetupError("the index of the embedded corpus is not built yet", hint=f"run: {SET_UP}")
    names = ", ".join(index.name for index in list_indexes()) or "none yet"
    raise IndexNotFound(
        f"no index {name!r} (there are: {names})",
        hint=f"build it with: python assistant.py index build FILE… --name {name}",
    )


def check_name(name: str) -> None:
    """Raise ``UsageError`` unless ``name`` has the form of an index name."""
    if not NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no index name; a name has 1 to 64 of the characters a-z 0-9 _ -")


@contextmanager
def disk_errors() -> Iterator[None]:
    """Turn an error of the file system into a ``SetupError`` or ``RetrievalError`` of one line."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise SetupError(
                f"no space is left for the index in {str(root())!r}; make room and run this again: "
                "it goes on where it stopped"
            ) from error
        raise RetrievalError(f"cannot use the indexes in {str(root())!r}: {error}") from error


def load(name: str) -> Index:
    """Read the index file of ``name``, which exists. Raises ``RetrievalError`` if the file has another form."""
    try:
        fields = json.loads(path(name).read_text())
        lists = {name: tuple(fields.get(name, ())) for name in ("sources", "parts", "waiting")}
        removed = {part: tuple(documents) for part, documents in fields.get("removed", {}).items()}
        shards = tuple(Shard(**shard | {"parts": tuple(shard["parts"])}) for shard in fields.get("shards", ()))
        return Index(**fields | lists | {"removed": removed, "shards": shards})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise damaged(name, error) from error


def damaged(name: str, error: Exception) -> RetrievalError:
    """Return the error that says that files of the index ``name`` are damaged."""
    again = f"and run: {SET_UP}" if name == DEFAULT else "and build it again"
    return RetrievalError(
        f"index {name!r} is damaged ({type(error).__name__})",
        hint=f"remove it with: python assistant.py index remove {name} --yes, {again}",
    )


def save(index: Index) -> None:
    """Write the file of ``index``, replacing an older one of that name."""
    fields = asdict(index)
    for name in ("waiting", "removed", "generation", "shards"):  # only own documents and large indexes have them
        if not fields[name]:
            del fields[name]
    with write_whole(path(index.name)) as draft:
        draft.write_text(json.dumps(fields, indent=2))


def root() -> Path:
    return home() / "indexes"


def path(name: str) -> Path:
    return root() / f"{name}.json"


def parts_root() -> Path:
    """Return the directory of the parts of all indexes."""
    return root() / "parts"


def edit_lock(name: str) -> FileLock:
    """Return the lock that is held while the index ``name`` is built or changed."""
    root().mkdir(parents=True, exist_ok=True)
    return FileLock(root() / f".{name}.lock")


def pointer_lock() -> FileLock:
    """Return the lock that is held for moments, while parts are published, collected or opened."""
    root().mkdir(parents=True, exist_ok=True)
    return FileLock(root() / ".lock")
