"""Own documents: pages a second, marks on the right words, rows of tables, words of a folder's PDFs, hostile files.

    python -m lab.benchmarks.documents [--spans 100] [FILE.pdf … | FOLDER …]

``spans`` are taken from each file of a generated set (columns, turned pages, hyphens, several scripts); the generator
knows where each character is drawn, so a mark is right when it holds the span's letters and no others. A row of the
generated tables is right when its line holds all cells behind the names of their columns. The files named on the
command line are only timed. For a folder, the words of each PDF are compared with those of ``pdftotext`` (Debian's
poppler-utils), in its two orders: the share of its words in the longest common subsequence. CPU times are of this
process or of the child processes.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
from rapidfuzz.distance import LCSseq

from searchain.documents import DocumentRefused, page_image, parse_file, passages_of, regions
from tests.support.document_set import generated_set
from tests.support.hostile_files import hostile_files
from tests.support.span_round_trip import round_trips
from tests.support.table_set import table_set

FEWEST_WORDS = 20
"""A PDF with fewer words by ``pdftotext`` is not compared."""
PUNCTUATION = ":;|,."
"""Signs at the ends of words that are not compared, because rows of tables get some."""


@click.command(help=__doc__.partition("\n")[0])
@click.option("--spans", default=100, show_default=True, help="Spans of each generated file.")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
def main(spans: int, paths: tuple[Path, ...]) -> None:
    folders = [path for path in paths if path.is_dir()]
    for folder in folders:
        compared(folder)
    if not folders:
        timed(paths)
        tables()
        marked(spans)
        hostile()


def compared(folder: Path) -> None:
    """How many words of ``pdftotext`` stand in our text in the same order, over the PDFs of ``folder``."""
    shares: list[tuple[float, float]] = []
    refused: Counter[str] = Counter()
    for path in sorted(folder.glob("**/*.pdf")):
        orders = [words_of(pdftotext(path, *options)) for options in (["-layout"], [])]
        if len(orders[0]) < FEWEST_WORDS:
            continue
        try:
            read = words_of(parse_file(path, path.name).text)
        except DocumentRefused as refusal:
            refused[refusal.state] += 1
            continue
        across, along = (LCSseq.similarity(order, read) / len(order) for order in orders)
        shares.append((across, max(across, along)))
        click.echo(f"{path.name:50}{across:8.3f}{along:8.3f}")
    if shares:
        across, either = (statistics.median(share) for share in zip(*shares, strict=True))
        click.echo(
            f"{len(shares)} PDFs, median {across:.3f} of -layout, {either:.3f} of the nearer order; {dict(refused)}"
        )


def pdftotext(path: Path, *options: str) -> str:
    command = ["pdftotext", *options, "-enc", "UTF-8", str(path), "-"]
    return subprocess.run(command, capture_output=True, timeout=120, check=False).stdout.decode(errors="replace")


def words_of(text: str) -> Sequence[str]:
    return [word for each in text.split() if (word := each.strip(PUNCTUATION))]


def tables() -> None:
    """How many rows of the generated tables, which go on over pages, are read with all cells and their names."""
    rows = right = 0
    with tempfile.TemporaryDirectory() as folder:
        for table in table_set():
            path = Path(folder) / "table.pdf"
            path.write_bytes(table.content)
            lines = set(parse_file(path, path.name).text.split("\n"))
            rows += len(table.read)
            right += sum(row in lines for row in table.read)
    click.echo(f"rows of tables over page breaks: {right} of {rows} right")


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
