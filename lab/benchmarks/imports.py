"""Importing dumps: passages a second and peak memory for generated dumps of growing size, without encoding.

    python -m lab.benchmarks.imports [--rows 10000 --rows 100000] [--format kilt …]

Each dump is read by a process of its own into the folder from which an index is built; its peak memory is what the
operating system saw of it. Memory is flat where a larger dump needs about as much as a smaller one.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from tests.support.dumps import FORMATS, write_dump


@click.command(help=__doc__.partition("\n")[0])
@click.option("--rows", multiple=True, type=int, default=(10_000, 100_000), show_default=True, help="Pages or lines.")
@click.option("--format", "formats", multiple=True, type=click.Choice(list(FORMATS)), help="Default: all.")
@click.option("--one", type=click.Path(path_type=Path), hidden=True)
def main(rows: tuple[int, ...], formats: tuple[str, ...], one: Path | None) -> None:
    if one:
        click.echo(json.dumps(measured(one)))
        return
    click.echo(f"{'format':12}{'rows':>9}{'passages':>10}{'MB':>8}{'CPU-s':>8}{'peak MB':>9}")
    for name in formats or FORMATS:
        for number in rows:
            with tempfile.TemporaryDirectory() as folder:
                path = write_dump(Path(folder), name, number)
                command = [sys.executable, "-m", "lab.benchmarks.imports", "--one", str(path)]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                found = json.loads(done.stdout)
                click.echo(
                    f"{name:12}{number:9,}{found['passages']:10,}{path.stat().st_size / 1e6:8.1f}"
                    f"{found['seconds']:8.1f}{found['peak']:9.0f}"
                )


def measured(path: Path) -> dict[str, float]:
    """Read one dump, and say what that took."""
    from searchain.retrieval.corpus import Reading
    from searchain.retrieval.indexes import spooled
    from searchain.retrieval.parts import SHARD

    with spooled(Reading([path]), path.parent / "spool", SHARD) as shards:
        count = sum(map(len, shards))
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {"passages": count, "seconds": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / 1_024}


if __name__ == "__main__":
    main()
