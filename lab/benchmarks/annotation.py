"""Many annotators on one queue: that no quota is exceeded, that nothing is lost, and how long each action takes.

    python -m lab.benchmarks.annotation [--items 10000] [--annotators 20] [--processes 4] [--seconds 60] [--pause 1]

Annotators are threads in several processes, which share the database. They take items from the queue, save drafts,
submit, now and then skip or undo, an action every ``--pause`` seconds on average (people take longer; 0: without a
pause, as fast as the machine goes). Then all of them submit the same item at the same moment, 50 times; it has two
places. In the end the database is compared with what each of them was answered. Ends with status 1 when anything was
lost or a quota exceeded.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import click

from tests.support import crowd

CONTESTS, QUOTA = 50, 2
GOAL = 0.05  # seconds, p95


@click.command(help=__doc__.partition("\n")[0])
@click.option("--items", "number", default=10_000, show_default=True, help="Replies on the desk.")
@click.option("--annotators", default=20, show_default=True, help="At the same time.")
@click.option("--processes", default=4, show_default=True, help="That share the database.")
@click.option("--seconds", default=60.0, show_default=True, help="How long they work on the queue.")
@click.option("--pause", default=1.0, show_default=True, help="Seconds between two actions of an annotator.")
def main(number: int, annotators: int, processes: int, seconds: float, pause: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "desk.db"
        with crowd.desk(path, number=number, quota=QUOTA, contests=CONTESTS) as store:
            begun = time.perf_counter()
            answers = crowd.work(path, crowd.names(annotators), processes=processes, seconds=seconds, pause=pause)
            took = time.perf_counter() - begun
            faults = crowd.faults(store, answers)
    actions = sum(map(len, answers.seconds.values()))
    click.echo(
        f"{annotators} annotators in {processes} processes on {number:,} items: {actions:,} actions in "
        f"{took:.0f} s, {len(answers.entries):,} entries of the history, {len(answers.refused):,} late submissions; "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    click.echo(f"{'':28}{'times':>8}{'p50':>10}{'p95':>10}{'goal':>10}")
    for action, times in answers.seconds.items():
        p95 = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
        click.echo(
            f"{action:<28}{len(times):>8,}{statistics.median(times) * 1000:>7.0f} ms{p95 * 1000:>7.0f} ms"
            f"{GOAL * 1000:>7.0f} ms"
        )
    for fault in faults:
        click.echo(fault, err=True)
    click.echo("nothing lost, no quota exceeded" if not faults else f"{len(faults)} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
