"""Own documents: pages a second, marks on the right words, hostile files.

    python -m lab.benchmarks.documents [--spans 100] [FILE.pdf …]

``spans`` are taken from each file of a generated set (columns, turned pages, hyphens, several scripts); the generator
knows where each character is drawn, so a mark is right when it holds the span's letters and no others. The files named
on the command line are only timed. CPU times are of this process or of the child processes.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections import Counter
from pathlib import Path

import click

from searchain.documents import DocumentRefused, page_image, parse_file, passages_of, regions
from tests.support.document_set import generated_set
from tests.support.hostile_files import hostile_files
from tests.support.span_round_trip import round_trips


@click.command(help=__doc__.partition("\n")[0])
@click.option("--spans", default=100, show_default=True, help="Spans of each generated file.")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(spans: int, files: tuple[Path, ...]) -> None:
    timed(files)
    marked(spans)
    hostile()


def timed(files: tuple[Path, ...]) -> None:
    """What a child process costs on ``files`` and on the generated set."""
    with tempfile.TemporaryDirectory() as folder:
        made = []
        for one in generated_set():
            made.append(Path(folder) / f"{one.name}.pdf")
            made[-1].write_bytes(one.content)
        for title, paths in (("generated set", made), *((path.name, [path]) for path in files)):
            started, busy = time.perf_counter(), cpu()
            parsed = [parse_file(path, path.name) for path in paths]
            busy, wall = cpu() - busy, time.perf_counter() - started
            pages = sum(len(document.pages) for document in parsed)
            passages = sum(len(passages_of(document, "D", document.version)) for document in parsed)
            click.echo(
                f"{title}: {len(paths)} files, {pages} pages, {passages} passages; "
                f"{busy:.2f} CPU-s, {pages / busy:.1f} pages/CPU-s, {wall:.1f} s"
            )
        place = passages_of(parsed[0], "D", parsed[0].version)[0].place
        assert place is not None
        for what, look in (
            ("regions", lambda: regions(paths[0], parsed[0], place.start, place.end)),
            ("page image", lambda: page_image(paths[0], 1)),
        ):
            busy = cpu()
            look()
            click.echo(f"{what}: {cpu() - busy:.2f} CPU-s")


def cpu() -> float:
    """CPU seconds of the child processes that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def marked(spans: int) -> None:
    """How many spans of each generated file are marked right."""
    total: Counter[str] = Counter()
    click.echo(f"{'file':18}{'right':>7}{'unmarked':>10}{'wrong':>7}")
    for made in generated_set():
        states = Counter(tried.state for tried in round_trips(made, spans))
        total += states
        click.echo(f"{made.name:18}{states['right']:7}{states['unmarked']:10}{states['wrong']:7}")
    click.echo(
        f"{'all':18}{total['right']:7}{total['unmarked']:10}{total['wrong']:7}   {total['right'] / total.total():.1%}"
    )


def hostile() -> None:
    """What becomes of each hostile file, and what it cost."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stored"
        for one in hostile_files():
            path.write_bytes(one.content)
            busy = cpu()
            try:
                outcome = f"read: {len(parse_file(path, one.name).text)} characters"
            except DocumentRefused as refusal:
                outcome = f"{refusal.state}: {refusal.reason}"
            click.echo(f"{one.what} ({len(one.content):,} bytes, {cpu() - busy:.1f} CPU-s)\n    {outcome}")


if __name__ == "__main__":
    main()
