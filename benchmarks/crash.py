"""What a kill leaves: a process that tells runs is killed at random moments, and its database looked at.

    python -m benchmarks.crash [--points 1000] [--seed 0]

Each child tells generated runs, event by event, and says which events it showed; SIGKILL comes within 50 ms of the
first. Ten kills share a database. Every shown event must be there, `logs verify` must find nothing, and the turn must
be marked as interrupted.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import click

from tests.support.killing import kill_at_points


@click.command(help=__doc__.partition("\n")[0])
@click.option("--points", default=1_000, show_default=True, help="How many kills.")
@click.option("--seed", default=0, show_default=True, help="Of the runs and the moments.")
def main(points: int, seed: int) -> None:
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        outcomes = list(kill_at_points(points, Path(folder), seed))
    faults = [fault for outcome in outcomes for fault in outcome.faults]
    for fault in faults:
        click.echo(fault)
    shown, lost = sum(outcome.shown for outcome in outcomes), sum(outcome.lost for outcome in outcomes)
    click.echo(
        f"{points} kills in {time.perf_counter() - started:.0f} s · {shown} events shown · {lost} lost · "
        f"{len(faults)} faults in databases"
    )


if __name__ == "__main__":
    main()
