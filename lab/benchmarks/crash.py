"""What kills, full disks, locks and damage leave of events that were shown: a process is hurt, and its file looked at.

    python -m lab.benchmarks.crash [--tries 200] [--kind kill …] [--long-lock 60]

Each child is the Assistant over generated runs, and says which events it showed. Within 50 ms of the first one it gets
SIGKILL, or SIGTERM, or no space, or a write lock of another program, or its file is damaged after its death. Then the
database is opened as the next start does: every shown event must be there, ``logs verify`` must find nothing, and runs
that were cut must be shown as interrupted. A damaged file must be refused in one line, or ``logs verify`` must find
what is wrong.

For full disks a small file system is mounted in memory, which takes the right to mount.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from tests.support.killing import KINDS, lock, tries

_SIZE = 4_000_000  # bytes of the small file system


@contextmanager
def small_file_system(folder: Path) -> Iterator[Path]:
    """A file system of a few megabytes in memory. Raises ``ClickException`` without the right to mount."""
    try:
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", folder], check=True, capture_output=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise click.ClickException("full disks need the right to mount; leave them out with --kind") from error
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@click.command(help=__doc__.partition("\n")[0])
@click.option("--tries", "number", default=200, show_default=True, help="Of each kind.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only these kinds.")
@click.option("--seed", default=0, show_default=True, help="Of the runs and the moments.")
@click.option("--long-lock", default=0.0, show_default=True, help="Seconds of one more lock, which no run may fail of.")
def main(number: int, kinds: tuple[str, ...], seed: int, long_lock: float) -> None:
    """Hurt processes and print a line for each kind."""
    with tempfile.TemporaryDirectory() as name:
        for kind in kinds or KINDS:
            with ExitStack() as stack:
                folder = Path(name) / kind
                folder.mkdir()
                if kind == "full":
                    stack.enter_context(small_file_system(folder))
                _tell(kind, tries(kind, number, folder, seed))
        if long_lock:
            long = (lock(Path(name) / "long.db", random.Random(seed), long_lock) for _ in range(1))
            _tell(f"lock of {long_lock:g} s", long)


def _tell(kind: str, outcomes: Iterable) -> None:
    started = time.perf_counter()
    found = list(outcomes)
    faults = [fault for outcome in found for fault in outcome.faults]
    for fault in dict.fromkeys(faults):
        click.echo(f"  {fault}")
    shown, lost = sum(outcome.shown for outcome in found), sum(outcome.lost for outcome in found)
    seconds = time.perf_counter() - started
    click.echo(
        f"{kind:12} {len(found):5} tries in {seconds:.0f} s · {shown:,} events shown · {lost} lost · "
        f"{len(faults)} faults"
    )


if __name__ == "__main__":
    main()
