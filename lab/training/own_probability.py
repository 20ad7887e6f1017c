"""Fit how likely answers from own documents are right: ``python -m lab.training.own_probability``.

``lab.training.own_collections`` makes the collections. Each question is looked up as the assistant looks it up in own
documents, and each reading is a row: its features, and whether its answer is an accepted one. Rows are kept in a file:
an interrupted run goes on where it ended.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray

from lab.evaluation.metrics import area
from lab.evaluation.trust import calibration_error
from lab.training.natural import For, natural
from lab.training.own_collections import Asked, Collection, collections
from lab.training.probability import (
    STEPS,
    Choice,
    Rows,
    chosen,
    fit,
    line_through,
    log_odds,
    moved_by,
    rate,
    rows_of,
    scaled,
    stored_rows,
    table,
)
from searchain.documents import parse_file, passages_of
from searchain.documents.reading import read_document
from searchain.files.writing import write_whole
from searchain.retrieval import parts
from searchain.retrieval.colbert import ColbertRetriever, Part
from searchain.types import STRICTER, Passage
from searchain.verification.features import NAMES
from searchain.verification.probability import OWN, UNMEASURED, WEIGHTS
from searchain.verification.trees import Split, Tree, Trees

if TYPE_CHECKING:
    from searchain.retrieval.encoder import Encoder

TITLES = ("title_asked", "answer_in_title")
"""Features that say little of files: a file name is not a title of an article."""
ENCYCLOPEDIC = (*TITLES, "passage_length")
"""Features that differ between an encyclopedia and files."""
TREES = 60
"""Fewer than over the default index: there are fewer look-ups."""
SURE = 0.91
"""The mean probability of the ticked in collections that the fit has not seen. It is a little more than nine in ten,
since typed questions are right less often than it says: 82 % of all that the cross-fitted trees tick are right."""
Bools = NDArray[np.bool_]
SLICE = 8
"""How many questions of a collection are looked up in turn."""
THREADS = 2


@dataclass(slots=True)
class Without:
    """One part without some rows: a generation of an index for a search."""

    part: Part
    gone: frozenset[int] = frozenset()
    name: str = "own"
    generation: int = 0

    def now(self) -> Sequence[tuple[Part, frozenset[int]]]:
        return [(self.part, self.gone)]

    def passages_of(self, document: str) -> Iterator[Passage]:
        rows = (self.part.store[row] for row in range(len(self.part.store)) if row not in self.gone)
        return (one for one in rows if one.place and one.place.document == document)


def passages(collection: Collection, scratch: Path) -> list[tuple[str, Passage]]:
    """Read all files as the assistant reads them; return their passages, each with its file."""
    result: list[tuple[str, Passage]] = []
    for number, (name, content) in enumerate(collection.files.items()):
        if collection.kind != "kinds":  # these are text of our own: they need no child process
            parsed = read_document(content, name, read_pictures=None)
        else:
            file = scratch / "file"
            file.write_bytes(content)
            parsed = parse_file(file, name)
        result += [(name, one) for one in passages_of(parsed, f"{number:026}", parsed.version)]
    return result


def opened(collection: Collection, root: Path, encoder: Encoder, fingerprint: str) -> tuple[Part, list[str]]:
    """Return the searched part of a collection, which is made once, and the file of each row."""
    root.mkdir(parents=True, exist_ok=True)
    kept = root / f"{collection.name}.json"
    if not kept.exists():
        found = passages(collection, root)
        key = parts.key([one for _, one in found], fingerprint)
        parts.build(root, key, [one for _, one in found], encoder)
        parts.publish(root, key)
        kept.write_text(json.dumps({"key": key, "files": [name for name, _ in found]}))
    stored = json.loads(kept.read_text())
    return parts.open_part(root / stored["key"]), stored["files"]


def collect(data: Path, rows_file: Path, seconds: float) -> None:
    """Look up the questions that ``rows_file`` does not hold yet, and append their rows."""
    from searchain.embedded.mpnet import large_reader
    from searchain.question.head import Head
    from searchain.reading.large_reader import LargeReader
    from searchain.reading.reader import DprReader, embedded_reader
    from searchain.reading.similarity import QueryEncoder
    from searchain.retrieval import checkpoint
    from searchain.retrieval.encoder import shared_encoder

    done = {(line["collection"], line["left_out"], line["id"]) for line in stored_rows(rows_file)}
    directory = checkpoint.embedded_checkpoint()
    encoder, similarity = shared_encoder(directory), QueryEncoder()
    reader, second = DprReader(embedded_reader()), LargeReader(large_reader()).read
    steps = Head(similarity).expected_steps
    end = time.monotonic() + seconds
    with rows_file.open("a", encoding="utf-8") as written, ThreadPoolExecutor(THREADS) as pool:
        for one, some in _slices(data):
            todo = [asked for asked in some if (one.name, asked.without, asked.example.id) not in done]
            if not todo or time.monotonic() > end:
                continue
            part, files = opened(one, rows_file.parent / "parts", encoder, checkpoint.fingerprint(directory))

            def looked_up(
                asked: Asked, *, one: Collection = one, part: Part = part, files: Sequence[str] = files
            ) -> dict[str, Any]:
                gone = frozenset(row for row, name in enumerate(files) if asked.without and name == asked.file)
                retriever = ColbertRetriever(encoder, [Without(part, gone)], "fused")
                example = replace(asked.example, answerable=asked.example.answerable and not asked.without)
                line = rows_of(example, retriever, reader, similarity, second, steps, left_out=False)
                line |= {"left_out": asked.without, "file": one.kind, "collection": one.name}
                return line | {"question": example.question}

            started = time.monotonic()
            for line in pool.map(looked_up, todo):
                written.write(json.dumps(line) + "\n")
                written.flush()
            click.echo(f"{one.name}: {len(files)} passages, {len(todo)} look-ups, {time.monotonic() - started:.0f} s")


def _slices(data: Path) -> Iterator[tuple[Collection, list[Asked]]]:
    """Yield some questions of each collection in turn, so that an interrupted run holds all kinds."""
    rng, waiting = random.Random(0), []
    for one in collections(data):
        waiting.append((one, rng.sample(one.asked, len(one.asked))))
    rng.shuffle(waiting)
    while any(asked for _, asked in waiting):
        for one, asked in waiting:
            yield one, asked[:SLICE]
            del asked[:SLICE]


@dataclass(frozen=True, slots=True)
class Looked:
    """Look-ups as rows, with the collection and the kind of collection of each row."""

    rows: Rows
    collection: NDArray[np.str_]
    kind: NDArray[np.str_]

    def where(self, mask: Bools) -> Looked:
        """Return the rows of the mask."""
        return Looked(self.rows.where(mask), self.collection[mask], self.kind[mask])


def looked(lines: Sequence[dict[str, Any]], without: Iterable[str] = ENCYCLOPEDIC) -> Looked:
    """Return the look-ups as rows; the features ``without`` are 0, so that no tree splits by them.

    A question that is looked up with its file and without it counts as two.
    """
    each = [line | {"id": f"{line['collection']} {line['left_out']} {line['id']}"} for line in lines]
    rows = _without(table(each), without)
    of_row = [line for line in lines for _ in line["readings"]]
    return Looked(rows, np.array([one["collection"] for one in of_row]), np.array([kind_of(one) for one in of_row]))


def kind_of(line: dict[str, Any]) -> str:
    """Return the kind of a line's collection; those of SQuAD written to deceive are one of their own."""
    is_written = line["file"] == "squad" and not line["answerable"] and not line["left_out"]
    return "adversarial" if is_written else str(line["file"])


def _without(rows: Rows, names: Iterable[str]) -> Rows:
    for name in names:
        rows.values[:, NAMES.index(name)] = 0.0
    return rows


def kept_apart(every: Iterable[Collection]) -> set[str]:
    """Return a third of the collections of each kind, drawn by the hash of their names: no fit sees them."""
    of_kind: dict[str, list[str]] = {}
    for one in every:
        if one.kind != "natural":
            of_kind.setdefault(one.kind, []).append(one.name)
    apart = {f"natural-{one.name}" for one in natural() if one.part == For.JUDGING}
    return apart | {
        name
        for names in of_kind.values()
        for name in sorted(names, key=lambda one: hashlib.sha256(one.encode()).hexdigest())[: math.ceil(len(names) / 3)]
    }


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was fitted: the trees with their line, and the threshold of their probabilities."""

    trees: Trees
    threshold: float
    across: Choice
    """The likeliest reading of each question, by trees and a line that have not seen its collection."""
    kinds: NDArray[np.str_]
    """The kind of collection of each of these questions."""


def fitted(found: Looked, default: Trees) -> Fitted:
    """Fit trees to all rows; find their line and the threshold on collections that the trees have not seen.

    The log-odds are the mean of those by these trees and of those by ``default``, the trees of the default index.
    """
    rows = found.rows
    rated = np.zeros(len(rows.right))
    for name in np.unique(found.collection):
        held = found.collection == name
        rated[held] = rate(mean(fit(rows.where(~held), TREES), default), rows.where(held))
    choice, collection, kind = chosen(rows, rated), _first(found, found.collection), _first(found, found.kind)
    moved = np.zeros(len(choice.right))
    for name in np.unique(collection):
        held = collection == name
        moved[held] = moved_by(line_through(choice.where(~held)), choice.where(held))
    line = line_through(choice)
    trees = scaled(mean(fit(rows, TREES), default), line.slope, line.offset)
    return Fitted(trees, round(sure_above(moved), 4), replace(choice, probability=moved), kind)


def mean(one: Trees, other: Trees) -> Trees:
    """Return trees whose log-odds are the mean of those of two."""
    half, rest = scaled(one, 0.5, 0.0), scaled(other, 0.5, 0.0)
    return Trees(half.start + rest.start, half.trees + rest.trees)


def blind(trees: Trees, names: Iterable[str]) -> Trees:
    """Return trees for which the features ``names`` are always 0."""
    unseen = {NAMES.index(name) for name in names}

    def seen(split: Split) -> Split:
        feature, limit, low, high = split
        if feature not in unseen:
            return split
        chosen = low if limit >= 0 else high
        return feature, limit, chosen, chosen

    return Trees(trees.start, tuple(Tree(tuple(map(seen, tree.splits)), tree.leaves) for tree in trees.trees))


def sure_above(probability: NDArray[np.float64]) -> float:
    """Return the least probability from which on the mean is ``SURE``."""
    likeliest = -np.sort(-probability)
    enough = np.flatnonzero(np.cumsum(likeliest) / np.arange(1, len(likeliest) + 1) >= SURE)
    return float(likeliest[enough.max()]) if len(enough) else 1.0


def _first(found: Looked, values: NDArray[np.str_]) -> NDArray[np.str_]:
    """Return one value for each question, in the order of ``chosen``."""
    _, first = np.unique(found.rows.question, return_index=True)
    return values[first]


def judged(found: Looked, trees: Trees, steps: float = STEPS) -> Choice:
    """Return the likeliest reading of each question by fitted trees."""
    choice = chosen(found.rows, rate(trees, found.rows))
    return replace(choice, probability=1 / (1 + np.exp(-(log_odds(choice.probability) + steps * choice.expected))))


def figures(choice: Choice, kinds: NDArray[np.str_], threshold: float) -> Iterator[str]:
    """Yield the figures of the choice, of all kinds and of each."""
    yield f"{'':18}{'asked':>7}{'answered':>10}{'right':>7}{'ticked':>8}{'right of the ticked':>21}{'AUC':>7}{'ECE':>7}"
    for kind in ("all", "without and with", *np.unique(kinds)):
        is_of = {"all": kinds == kinds, "without and with": kinds != "adversarial"}
        some = choice.where(is_of.get(kind, kinds == kind))
        ticked = some.probability >= threshold
        share = ticked[some.answerable].mean() if some.answerable.any() else 0.0
        ece = calibration_error(some.right, some.probability)
        yield (
            f"{kind:18}{len(some.right):7}{some.answerable.sum():10}{some.right.sum():7}{ticked.sum():8}"
            f"{some.right[ticked].sum():12} of {ticked.sum():4} "
            f"{area(some.probability, some.right):7.3f}{ece:7.3f}   {share:.1%} of the answerable"
        )


@click.command(help=__doc__)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--rows", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Keep the look-ups there.")
@click.option("--seconds", default=10_000.0, help="No look-ups are begun later; 0: none.")
@click.option("--apart", is_flag=True, help="Also judge the collections that are kept apart.")
@click.option("--store", "is_stored", is_flag=True, help=f"Write {OWN}.")
def main(data: Path, rows: Path, seconds: float, apart: bool, is_stored: bool) -> None:
    if seconds:
        collect(data, rows, seconds)
    lines, others = stored_rows(rows), kept_apart(collections(data))
    stored = json.loads((WEIGHTS / "probability.json").read_text())
    default = Trees.from_json(stored["reading"])
    found = fitted(looked([line for line in lines if line["collection"] not in others]), blind(default, TITLES))
    click.echo(f"threshold {found.threshold}; collections that the fit has not seen, one left out at a time:")
    click.echo("\n".join(figures(found.across, found.kinds, found.threshold)))
    if apart:
        kept = looked([line for line in lines if line["collection"] in others])
        kinds = _first(kept, kept.kind)
        click.echo(f"kept apart ({', '.join(sorted(others))}):")
        click.echo("\n".join(figures(judged(kept, found.trees), kinds, found.threshold)))
        plain = looked([line for line in lines if line["collection"] in others], without=())
        now = judged(plain, default, stored["steps"])
        click.echo("the same by the calibration of the default index, with its stricter threshold:")
        click.echo("\n".join(figures(now, kinds, max(stored["threshold"] + UNMEASURED, STRICTER))))
    if is_stored:
        values = {"reading": found.trees.as_json(), "steps": STEPS, "threshold": found.threshold, "lookups": len(lines)}
        with write_whole(WEIGHTS / OWN) as draft:
            draft.write_text(json.dumps(values, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
