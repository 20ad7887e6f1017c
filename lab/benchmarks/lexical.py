"""Whether words beside vectors find more: hit rates of ColBERT, BM25 and both fused by reciprocal rank.

    python -m lab.benchmarks.lexical [--data FILE] [--limit 200]

Two sets: the queries of ``lab.benchmarks.retrieval`` over the default index, and part numbers over generated data
sheets, which are indexed in a temporary home as own documents are.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import click

from lab.benchmarks.retrieval import Query, made, stored
from searchain.files.home import home
from searchain.retrieval import registry, updates
from searchain.retrieval.colbert import ColbertRetriever
from searchain.retrieval.lexical import WordsPart
from searchain.retrieval.live import Shelf
from searchain.types import Passage, Place

SHEETS = 400
DEEP = 50
"""Hits of each search that are fused."""
RANK_CONSTANT = 60
"""Cormack, Clarke and Büttcher 2009: how fast the weight of a rank falls."""
PURPOSES = "cooling heating lifting sealing measuring filtering pumping mixing drying sorting".split()
THINGS = "valve pump motor sensor gasket fan bearing relay heater gauge".split()


@click.command(help=__doc__.partition("\n")[0])
@click.option("--data", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Queries with titles.")
@click.option("--limit", default=200, show_default=True, help="Queries at most.")
def main(data: Path | None, limit: int) -> None:
    click.echo(f"{'set':34}{'search':12}{'hit@1':>8}{'hit@5':>8}")
    queries = (stored(data) if data else made())[:limit]
    compare("default index", "default", queries)
    models = {name: home() / name for name in ("models", "extensions", "checked")}
    with tempfile.TemporaryDirectory() as folder:
        for name, place in models.items():
            (Path(folder) / name).symlink_to(place, target_is_directory=True)
        os.environ["SEARCHAIN_HOME"] = folder
        passages, queries = sheets()
        updates.announce("sheets", passages)
        updates.encode("sheets")
        compare(f"part numbers in {SHEETS} data sheets", "sheets", queries[:limit])


def sheets() -> tuple[list[Passage], list[Query]]:
    """Data sheets that differ in numbers, and questions that name a part by its number."""
    chance = random.Random(1)
    passages, queries, start = [], [], 0
    for number in range(SHEETS):
        part = f"{chance.choice('ABCDEFGH')}{chance.choice('KLMNPQ')}-{chance.randrange(1000, 9999)}"
        thing, purpose = chance.choice(THINGS), chance.choice(PURPOSES)
        text = (
            f"The {thing} {part} is made for {purpose}. It weighs {chance.randrange(1, 90)} kilograms and works at up "
            f"to {chance.randrange(20, 400)} degrees. It is delivered within {chance.randrange(2, 30)} days."
        )
        place = Place("01J00000000000000000000000", "0" * 64, start, start + len(text))
        passages.append(Passage(f"sheet-{number}", f"Sheet {number}", text, place=place))
        queries.append((f"What does the {part} weigh?", f"Sheet {number}"))
        start += len(text) + 1
    return passages, queries


def compare(name: str, index: str, queries: list[Query]) -> None:
    vectors = Shelf().searching(index)
    parts = [WordsPart(registry.parts_root() / part) for part in registry.get(index).parts]
    searches: dict[str, Callable[[str], list[str]]] = {
        "vectors": lambda query: by_vectors(vectors, query),
        "words": lambda query: by_words(parts, query),
        "fused": lambda query: fused(by_vectors(vectors, query), by_words(parts, query)),
    }
    for kind, search in searches.items():
        found = [search(query)[:5] for query, _ in queries]
        first = sum(titles[:1] == [title] for titles, (_, title) in zip(found, queries, strict=True))
        any_ = sum(title in titles for titles, (_, title) in zip(found, queries, strict=True))
        click.echo(f"{name:34}{kind:12}{first / len(queries):8.1%}{any_ / len(queries):8.1%}")


def by_vectors(retriever: ColbertRetriever, query: str) -> list[str]:
    return [hit.passage.title for hit in retriever.search(query, DEEP)]


def by_words(parts: list[WordsPart], query: str) -> list[str]:
    hits = sorted((score, part.store[row].title) for part in parts for score, row in part.search(query, DEEP))
    return [title for _, title in reversed(hits)]


def fused(*rankings: list[str]) -> list[str]:
    worth: defaultdict[str, float] = defaultdict(float)
    for titles in rankings:
        for rank, title in enumerate(dict.fromkeys(titles), 1):
            worth[title] += 1 / (RANK_CONSTANT + rank)
    return sorted(worth, key=worth.__getitem__, reverse=True)


if __name__ == "__main__":
    main()
