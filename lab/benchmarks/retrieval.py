"""How fast the default index is searched and passages are read, and what loading the index costs.

    python -m lab.benchmarks.retrieval [--data FILE] [--limit 200]

Without ``--data`` the queries are made from titles of the embedded corpus; with it, they are the steps of JSON Lines
``{"steps": [{"query", "title"}]}`` that do not refer to other steps. ``cpu`` is processor time, which other programs on
the machine prolong less than the wall time.
"""

from __future__ import annotations

import gzip
import json
import threading
import time
from pathlib import Path

import click
import psutil

from searchain.embedded.minilm import embedded_reader
from searchain.reading.reader import DprReader
from searchain.retrieval import indexes
from searchain.retrieval.base import Retriever
from searchain.retrieval.corpus import default_corpus

CLIENTS = 4
Query = tuple[str, str]
"""A query, and the title of the passage that answers it."""


@click.command(help=__doc__.partition("\n")[0])
@click.option("--data", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Queries with titles.")
@click.option("--limit", default=200, show_default=True, help="Queries at most.")
def main(data: Path | None, limit: int) -> None:
    queries = (stored(data) if data else made())[:limit]
    before = psutil.Process().memory_info().rss
    started = time.perf_counter()
    retriever = indexes.open_index("default")
    to_open = time.perf_counter() - started
    retriever.search("warm up", 5)
    click.echo(
        f"{len(retriever):,} passages, {len(queries)} queries; opened in {to_open:.1f} s; "
        f"resident {psutil.Process().memory_info().rss / 1e9:.2f} GB (before: {before / 1e9:.2f} GB)"
    )
    click.echo(f"{'what':34}{'p50':>10}{'p95':>10}{'cpu':>10}{'hit@1':>8}{'hit@k':>8}")
    for k in (1, 5, 10, 100):
        busy = time.process_time()
        seconds, ranks = timed(retriever, queries, k)
        row(f"search, k = {k}", seconds, time.process_time() - busy, ranks)
    busy = time.process_time()
    seconds, ranks = at_once(retriever, queries)
    row(f"search, k = 5, {CLIENTS} clients at once", seconds, time.process_time() - busy, ranks)
    reader = DprReader(embedded_reader())
    found = [(query, [hit.passage for hit in retriever.search(query, 5)]) for query, _ in queries]
    reader.read(*found[0])
    busy = time.process_time()
    seconds = [clock(reader.read, query, passages) for query, passages in found]
    row("Reader on 5 passages", seconds, time.process_time() - busy)


def stored(path: Path) -> list[Query]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        records = [json.loads(line) for line in file]
    return [
        (step["query"], step["title"])
        for record in records
        for step in record["steps"]
        if step["title"] and "#" not in step["query"]
    ]


def made() -> list[Query]:
    titles = [passage.title for passage in default_corpus()]
    forms = ("What is {}?", "Where does the name {} come from?", "When did {} begin?", "Why is {} well known?")
    return [(forms[i % len(forms)].format(title), title) for i, title in enumerate(titles[:: len(titles) // 200])]


def timed(retriever: Retriever, queries: list[Query], k: int) -> tuple[list[float], list[int | None]]:
    """Seconds of each search, and the rank at which the wanted title was found."""
    seconds, ranks = [], []
    for query, title in queries:
        started = time.perf_counter()
        hits = retriever.search(query, k)
        seconds.append(time.perf_counter() - started)
        ranks.append(next((hit.rank for hit in hits if hit.passage.title == title), None))
    return seconds, ranks


def at_once(retriever: Retriever, queries: list[Query]) -> tuple[list[float], list[int | None]]:
    results = []
    threads = [
        threading.Thread(target=lambda part=part: results.append(timed(retriever, part, 5)))
        for part in (queries[i::CLIENTS] for i in range(CLIENTS))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [s for seconds, _ in results for s in seconds], [r for _, ranks in results for r in ranks]


def clock(function, *arguments) -> float:
    started = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - started


def row(name: str, seconds: list[float], busy: float, ranks: list[int | None] | None = None) -> None:
    ordered = sorted(seconds)
    p50, p95 = ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100]
    rates = (
        ""
        if ranks is None
        else "".join(
            f"{sum(hit) / len(ranks):8.1%}" for hit in ([r == 1 for r in ranks], [r is not None for r in ranks])
        )
    )
    cpu = busy / len(seconds)
    click.echo(f"{name:34}{1e3 * p50:7.1f} ms{1e3 * p95:7.1f} ms{1e3 * cpu:7.1f} ms{rates}")


if __name__ == "__main__":
    main()
