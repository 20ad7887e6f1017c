"""Whether words beside vectors find more: hit rates of searching by meaning, by words, and by both.

    python -m lab.benchmarks.lexical [--steps FILE] [--data FOLDER] [--parts FOLDER] [--limit 200]

The queries of ``lab.benchmarks.retrieval`` over the default index; part numbers over generated data sheets; questions
in five languages over small texts. With ``--data``, the folder of the project's data, also everyday questions over the
default index, turns of MTRAG over its passages, and questions over collections of own documents. ``--parts`` keeps the
parts of an earlier run.
"""

from __future__ import annotations

import gzip
import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import click

from lab.benchmarks.retrieval import made, stored
from lab.training.own_collections import collections
from lab.training.own_probability import Without
from lab.training.own_probability import opened as opened_collection
from searchain.retrieval import checkpoint, parts, registry
from searchain.retrieval.colbert import ColbertRetriever, Part
from searchain.retrieval.encoder import Encoder, shared_encoder
from searchain.types import Passage, Search

SHEETS = 400
PURPOSES = "cooling heating lifting sealing measuring filtering pumping mixing drying sorting".split()
THINGS = "valve pump motor sensor gasket fan bearing relay heater gauge".split()
LANGUAGES = Path(__file__).with_name("own-languages.jsonl")
"""Sentences of small files, with questions to some: {"language", "title", "text", "question"}."""
Query = tuple[str, frozenset[int]]
"""A question, and the rows of the passages that answer it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions to the passages of one part."""

    name: str
    part: Part
    queries: Sequence[Query]


@click.command(help=__doc__.partition("\n")[0])
@click.option("--steps", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Queries with titles.")
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), help="The project's data.")
@click.option("--parts", "kept", type=click.Path(file_okay=False, path_type=Path), help="Keep the parts here.")
@click.option("--limit", default=200, show_default=True, help="Queries of a set at most.")
def main(steps: Path | None, data: Path | None, kept: Path | None, limit: int) -> None:
    searches: tuple[Search, ...] = get_args(Search)
    click.echo(f"{'hit@1, hit@5 in percent':34}{'queries':>8}" + "".join(f"{search:>16}" for search in searches))
    encoder = shared_encoder(checkpoint.embedded_checkpoint())
    ranks: defaultdict[str, list[dict[Search, int | None]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for asked in sets(encoder, kept or Path(folder), steps, data):
            retrievers = {search: ColbertRetriever(encoder, [Without(asked.part)], search) for search in searches}
            ids = [passage.id for passage in asked.part.store]
            for query, rows in asked.queries[:limit]:
                right = {ids[row] for row in rows}
                found = {search: retriever.search(query, 5) for search, retriever in retrievers.items()}
                ranks[asked.name].append(
                    {
                        search: next((hit.rank for hit in hits if hit.passage.id in right), None)
                        for search, hits in found.items()
                    }
                )
    for name, some in ranks.items():
        shares = (share(some, search, 1) + share(some, search, 5) for search in searches)
        click.echo(f"{name:34}{len(some):8}" + "".join(shares))


def share(ranks: Sequence[dict[Search, int | None]], search: Search, most: int) -> str:
    """Return for how many questions in a hundred the answer stands among the first ``most`` hits."""
    return f"{100 * sum((rank[search] or 99) <= most for rank in ranks) / len(ranks):8.1f}"


def sets(encoder: Encoder, root: Path, steps: Path | None, data: Path | None) -> Iterator[Asked]:
    """Yield all sets of questions; several of one name are counted together."""
    (key,) = registry.get("default").parts
    default = parts.open_part(registry.parts_root() / key)
    yield titled("default index", default, ((query, [title]) for query, title in (stored(steps) if steps else made())))
    passages, by_title = sheets()
    yield titled(f"part numbers in {SHEETS} data sheets", opened(root, passages, encoder), by_title)
    yield from languages(root, encoder)
    if data is None:
        return
    everyday = [line for line in lines(data / "everyday" / "dev.jsonl.gz") if line["answerable"]]
    yield titled("everyday questions", default, ((one["question"], one["supporting_titles"]) for one in everyday))
    passages = [Passage(one["id"], one["title"], one["text"]) for one in lines(data / "mtrag" / "dev_corpus.jsonl.gz")]
    row = {passage.id: number for number, passage in enumerate(passages)}
    turns = [one for one in lines(data / "mtrag" / "dev.jsonl.gz") if one["supporting_ids"]]
    queries = [(one["question"], frozenset(row[id] for id in one["supporting_ids"])) for one in turns]
    yield Asked("turns of MTRAG", opened(root, passages, encoder), queries)
    fingerprint = checkpoint.fingerprint(checkpoint.embedded_checkpoint())
    for collection in collections(data):
        part, files = opened_collection(collection, root, encoder, fingerprint)
        yield Asked(
            f"own documents: {collection.kind}",
            part,
            [
                (one.example.question, frozenset(row for row, file in enumerate(files) if file == one.file))
                for one in collection.asked
                if one.file and not one.without
            ],
        )


def languages(root: Path, encoder: Encoder) -> Iterator[Asked]:
    """Yield questions in each language over all sentences in it."""
    by_language: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in map(json.loads, LANGUAGES.read_text(encoding="utf-8").splitlines()):
        by_language[line["language"]].append(line)
    for name, some in by_language.items():
        passages = [Passage(f"{name}-{number}", line["title"], line["text"]) for number, line in enumerate(some)]
        queries = [(line["question"], frozenset([row])) for row, line in enumerate(some) if line["question"]]
        yield Asked(f"files in {name}", opened(root, passages, encoder), queries)


def titled(name: str, part: Part, queries: Iterable[tuple[str, Sequence[str]]]) -> Asked:
    """Return a set whose questions are answered by the passages of some titles."""
    rows: defaultdict[str, set[int]] = defaultdict(set)
    for row, passage in enumerate(part.store):
        rows[passage.title].add(row)
    return Asked(
        name, part, [(query, frozenset(row for title in titles for row in rows[title])) for query, titles in queries]
    )


def opened(root: Path, passages: Sequence[Passage], encoder: Encoder) -> Part:
    """Return a part of ``passages``, which is made once."""
    key = parts.key(passages, checkpoint.fingerprint(checkpoint.embedded_checkpoint()))
    if not (root / key).is_dir():
        parts.build(root, key, passages, encoder)
        parts.publish(root, key)
    return parts.open_part(root / key)


def sheets() -> tuple[list[Passage], list[tuple[str, list[str]]]]:
    """Data sheets that differ in numbers, and questions that name a part by its number, each with its sheet's title."""
    chance = random.Random(1)
    passages, queries = [], []
    for number in range(SHEETS):
        part = f"{chance.choice('ABCDEFGH')}{chance.choice('KLMNPQ')}-{chance.randrange(1000, 9999)}"
        thing, purpose = chance.choice(THINGS), chance.choice(PURPOSES)
        text = (
            f"The {thing} {part} is made for {purpose}. It weighs {chance.randrange(1, 90)} kilograms and works at up "
            f"to {chance.randrange(20, 400)} degrees. It is delivered within {chance.randrange(2, 30)} days."
        )
        passages.append(Passage(f"sheet-{number}", f"Sheet {number}", text))
        queries.append((f"What does the {part} weigh?", [f"Sheet {number}"]))
    return passages, queries


def lines(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as text:
        return [json.loads(line) for line in text]


if __name__ == "__main__":
    main()
