"""Train the head that recognises computations: ``python -m lab.training.sums --data DIR [--out FILE]``.

DIR holds the project's data (``everyday``, ``reader``). ``data/sums.jsonl`` beside this file has questions with what
they want to have computed, each with the form that it was written from; a third of the forms is never trained on.
Questions near to those of ``lab.benchmarks.sums`` are left out too. Questions to a library count as ``none``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import numpy as np

from lab.training.question_head import (
    NEAR,
    TALK,
    as_stored,
    embedding_by,
    fitted,
    questions,
    read_questions,
    records,
    write_weights,
)
from searchain.console import one_line_errors
from searchain.files.weights import Floats, Layer
from searchain.language import text
from searchain.question.head import QUESTION
from searchain.question.sums import WEIGHTS
from searchain.question.worded import NONE, with_words
from searchain.reading.similarity import QueryEncoder

ROWS = Path(__file__).parent / "data" / "sums.jsonl"
BENCHMARK = Path(__file__).parents[1] / "benchmarks" / "sums.json"
COMPARED = BENCHMARK.with_name("compared.jsonl")
STRENGTH = 3.0
"""C of the regression: the larger, the less the weights are held back."""
FALSE_ALARMS = 1 / 100
"""The share of questions to a library, in five folds, that may be taken for a computation: some of them are one, and
nothing is computed without fitting values."""
NEAR_MISSES = 1 / 10
"""The same of questions in the words of a computation that ask for what stands there."""
TYPED = "typed-"
"""How the forms of such questions begin."""
GRID = tuple(round(0.4 + 0.05 * step, 2) for step in range(12))
FORMS = 3
"""The least number of forms with a word that the head sees."""
Row = tuple[str, str, str]
"""The text, its kind, and the source or the form."""


def is_apart(form: str) -> bool:
    return hashlib.sha256(form.encode()).digest()[0] % 3 == 0


def library_rows(data: Path) -> list[Row]:
    """Return questions that a passage answers as it stands."""
    own = [one["text"] for one in records(TALK) if one["kind"] == QUESTION and one["source"] == "own-documents"]
    texts = {"own": own, "everyday": questions(data / "everyday" / "train.jsonl.gz")}
    texts["reader"] = read_questions(data)
    return [(one, NONE, source) for source, some in texts.items() for one in some]


def part_of(row: Row) -> str:
    """Return what decides whether the row is kept apart: its form, or the text itself."""
    return row[0] if row[1] == NONE and "-" not in row[2] else row[2]


def common_words(rows: Sequence[Row]) -> list[str]:
    """Return the words that come in several forms of questions for a computation."""
    forms: dict[str, set[str]] = {}
    for said, kind, form in rows:
        for word in text.tokens(said) if kind != NONE else ():
            forms.setdefault(word, set()).add(form)
    return sorted(word for word, some in forms.items() if len(some) >= FORMS)


def asked_for(layer: Layer, values: Floats) -> Floats:
    return np.array([1 - layer.shares(one)[NONE] for one in values])


def threshold_of(rows: Sequence[Row], values: Floats) -> float:
    """Return the least threshold that keeps the false alarms in five folds below their shares."""
    fold = np.array([hashlib.sha256(part_of(row).encode()).digest()[1] % 5 for row in rows])
    found = np.zeros(len(rows))
    for one in range(5):
        rest = np.flatnonzero(fold != one).tolist()
        found[fold == one] = asked_for(fitted(values[rest], [rows[n][1] for n in rest], STRENGTH), values[fold == one])
    library = found[[row[1] == NONE and "-" not in row[2] for row in rows]]
    missed = found[[row[2].startswith(TYPED) for row in rows]]
    return next(
        (
            value
            for value in GRID
            if (library >= value).mean() <= FALSE_ALARMS and (missed >= value).mean() <= NEAR_MISSES
        ),
        GRID[-1],
    )


def figures(layer: Layer, threshold: float, apart: Sequence[Row], values: Floats) -> Iterator[tuple[str, str]]:
    """Yield how many rows kept apart are taken for a computation, by kind, and how many kinds are right."""
    for source in dict.fromkeys(row[2].partition("-")[0] for row in apart):
        some = [n for n, row in enumerate(apart) if row[2].partition("-")[0] == source]
        shares = [layer.shares(values[n]) for n in some]
        taken = [one for one in shares if 1 - one[NONE] >= threshold]
        right = sum(max((k for k in one if k != NONE), key=one.__getitem__) == source for one in taken)
        told = f"{len(taken)} of {len(some)}"
        yield f"{source} apart, taken for a computation", told + (f", {right} of the right kind" if right else "")


@click.command(help=__doc__)
@click.option(
    "--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True, help="Folder with the data."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=WEIGHTS, help="Where the weights go.")
@one_line_errors()
def main(data: Path, out: Path) -> None:
    embedded = embedding_by(QueryEncoder())
    rows = [(one["text"], one["kind"], one["form"]) for one in records(ROWS)] + library_rows(data)
    values = embedded([row[0] for row in rows])
    measured = [one["question"] for one in json.loads(BENCHMARK.read_text())["questions"] if one["part"] == "apart"]
    measured += [question for file in records(COMPARED) for question in file["questions"]]
    is_copy = (values @ embedded(measured).T).max(axis=1) >= NEAR
    is_kept = np.array([is_apart(part_of(row)) for row in rows])
    shown = np.flatnonzero(~is_kept & ~is_copy)
    train = [rows[n] for n in shown]
    words = common_words(train)
    values = np.stack([with_words(one, row[0], words) for one, row in zip(values, rows, strict=True)])
    layer, threshold = fitted(values[shown], [row[1] for row in train], STRENGTH), threshold_of(train, values[shown])
    told = dict(figures(layer, threshold, [rows[n] for n in np.flatnonzero(is_kept)], values[is_kept]))
    plain = questions(data / "everyday" / "dev.jsonl.gz")
    dev = asked_for(layer, np.stack([with_words(*both, words) for both in zip(embedded(plain), plain, strict=True)]))
    told["everyday/dev, false alarms"] = f"{int((dev >= threshold).sum())} of {len(dev)}"
    stored = {"threshold": threshold, "trained_on": len(train), "words": words, **as_stored(layer)}
    write_weights(out, stored, told)


if __name__ == "__main__":
    main()
