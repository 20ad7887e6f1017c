"""Write files whole or not at all."""

import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock


@contextmanager
def write_whole(path: Path) -> Iterator[Path]:
    """Yield the path of a draft beside ``path``, and replace ``path`` by the draft at the end.

    When the block fails, the draft is removed and ``path`` stays as it was.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.draft")  # several processes may write the same file
    try:
        yield draft
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def make_once(directory: Path, write: Callable[[Path], object]) -> Path:
    """Return ``directory``, which ``write`` makes at its first use.

    Several processes may ask at the same time. A killed ``write`` leaves nothing that looks like the directory. What
    ``write`` puts beside the directory is deleted after it, and what a killed one left there before the next one.
    """
    if directory.is_dir():
        return directory
    directory.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{directory}.lock"):
        if not directory.is_dir():
            draft = directory.with_name(f".{directory.name}.draft")
            shutil.rmtree(draft, ignore_errors=True)  # of a killed attempt
            draft.mkdir()
            try:
                write(draft / directory.name)
                (draft / directory.name).rename(directory)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
    return directory
