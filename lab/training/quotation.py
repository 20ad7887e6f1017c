"""Fit which sentence a reply quotes: ``python -m lab.training.quotation --data DIR --rows FILE [--out FILE]``.

DIR holds the project's data (``reader``, ``everyday``). The embedded Reader answers questions on their passages; each
sentence of a passage is a row. Where the Reader is right, the sentence with the marked answer carries question and
answer, and the others do not; where it is wrong, or the passage has no answer, no sentence does. The features are kept
in ``--rows``, so that a second fit needs no model. A third of the passages, drawn by a hash of the title, is only
measured.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np

from lab.evaluation.metrics import area
from lab.training.calibration import Record, read_records
from searchain.console import one_line_errors, tracked
from searchain.embedded.minilm import embedded_reader
from searchain.files.jsonl import read_jsonl
from searchain.files.writing import write_whole
from searchain.language import text
from searchain.reading.reader import DprReader, Reader
from searchain.reading.similarity import QueryEncoder
from searchain.reply.quoting import FEATURES, WEIGHTS, features, overlap, sentences_in
from searchain.verification.probability import Logistic

COUNTS = {"dev": 80, "unanswerable": 40, "everyday": 120, "several": 90}
"""How many records of each source are drawn; the answers of ``several`` stand in several sentences of the passage."""
MOST = 14
"""A passage of more sentences is left out."""
STRENGTH = 10.0
"""C of the regression: the larger, the less the weights are held back."""
LEAST = 0.35
"""The score that a tick needs: of 48 ticked everyday replies two are below it, one of which quotes another animal."""
READ = 0.15
"""The advantage of the Reader's sentence. The marked answers know nothing better than the Reader's sentence, because
both prefer a name to what is said of it; of the quotations that this value moves in everyday replies all are better."""
LEAST_LABEL = 0.5
"""Probability from which on sentences carry a label: the stance model finds it more likely than not."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question on one passage."""

    source: str
    question: str
    title: str
    carries: tuple[bool, ...]
    """The sentences with the marked answer; none if the Reader is wrong."""
    read: tuple[bool, ...]
    """The sentences with the Reader's span: what was quoted before."""
    holds: tuple[bool, ...]
    """The sentences with the words of the Reader's answer."""
    features: tuple[tuple[float, ...], ...]

    @property
    def is_apart(self) -> bool:
        """Whether the row is only measured."""
        return hashlib.sha256(self.title.encode()).digest()[0] % 3 == 0


def drawn(data: Path) -> list[tuple[str, Record]]:
    """Return the records with their sources, in a fixed mixed order."""
    dev, train = (read_records(data / "reader" / f"{name}.jsonl.gz") for name in ("dev", "train"))
    sources = {
        "dev": [one for one in dev if one.spans],
        "unanswerable": [one for one in dev if not one.spans],
        "everyday": read_records(data / "everyday" / "train.jsonl.gz"),
        "several": [one for one in train if one.spans and _is_several(one)],
    }
    mixed = [
        (source, record)
        for source, records in sources.items()
        for record in sorted(records, key=lambda one: hashlib.sha256(one.question.encode()).hexdigest())[
            : COUNTS[source]
        ]
    ]
    Random(0).shuffle(mixed)
    return mixed


def _is_several(record: Record) -> bool:
    body = record.passage.text
    held = [text.contains(record.answers[0], body[one.start : one.end]) for one in sentences_in(record.passage)]
    return sum(held) > 1


def row_of(source: str, record: Record, reader: Reader, similarity: QueryEncoder) -> Row:
    """Read one record; the row has no sentences without an answer, or where they are too many."""
    passage, sentences = record.passage, sentences_in(record.passage)
    reading = reader.read(record.question, [passage])[0]
    if not reading.answer or len(sentences) > MOST:
        return Row(source, record.question, passage.title, (), (), (), ())
    values = features(record.question, reading.answer, passage, sentences, similarity)
    is_right = any(
        text.contains(gold, reading.answer) or text.contains(reading.answer, gold) for gold in record.answers
    )
    return Row(
        source,
        record.question,
        passage.title,
        tuple(is_right and any(overlap(one, span) for span in record.spans) for one in sentences),
        tuple(reading.span is not None and overlap(one, reading.span) for one in sentences),
        tuple(text.contains(reading.answer, passage.text[one.start : one.end]) for one in sentences),
        tuple(values),
    )


def rows_of(data: Path, kept: Path) -> Iterator[Row]:
    """Yield all rows; those that stand in ``kept`` are not read again, and the others are added to it."""
    kept.touch()
    known = {row.question: row for row in read_jsonl(kept, _stored, "row")}
    missing = [(source, record) for source, record in drawn(data) if record.question not in known]
    if missing:
        reader, similarity = DprReader(embedded_reader()), QueryEncoder()
        with kept.open("a", encoding="utf-8") as file:
            for source, record in tracked(missing, "reading"):
                row = row_of(source, record, reader, similarity)
                known[record.question] = row
                file.write(json.dumps(asdict(row)) + "\n")
                file.flush()
    yield from (row for row in known.values() if row.features)


def _stored(line: dict[str, Any]) -> Row:
    return Row(**{name: _tuples(value) for name, value in line.items()})


def _tuples(value):
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def fitted(rows: Sequence[Row]) -> Logistic:
    """Fit the regression on all sentences of ``rows``."""
    from sklearn.linear_model import LogisticRegression

    values = np.array([one for row in rows for one in row.features])
    carries = np.array([one for row in rows for one in row.carries])
    model = LogisticRegression(C=STRENGTH, max_iter=1_000).fit(values, carries)
    return Logistic(round(float(model.intercept_[0]), 4), tuple(round(float(one), 4) for one in model.coef_[0]))


def scores_of(model: Logistic, row: Row) -> list[float]:
    return [model.probability(one) for one in row.features]


def choice(rows: Sequence[Row], model: Logistic) -> tuple[str, str]:
    """Say how often the sentence of the Reader's span, and the chosen one, is that with the marked answer."""
    right = [row for row in rows if any(row.carries)]
    before = sum(any(c and r for c, r in zip(row.carries, row.read, strict=True)) for row in right)
    after = sum(
        row.carries[int(np.argmax(np.array(scores_of(model, row)) + READ * np.array(row.read)))] for row in right
    )
    return f"{before} of {len(right)}", f"{after} of {len(right)}"


@click.command(help=__doc__)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--rows", "kept", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=WEIGHTS)
@one_line_errors()
def main(data: Path, kept: Path, out: Path) -> None:
    rows = list(rows_of(data, kept))
    shown, apart = [row for row in rows if not row.is_apart], [row for row in rows if row.is_apart]
    model = fitted(shown)
    figures = {}
    groups = {
        "apart": apart,
        "apart, answer in several sentences": [row for row in apart if sum(row.holds) > 1],
        "apart, everyday": [row for row in apart if row.source == "everyday"],
    }
    for name, some in groups.items():
        before, after = choice(some, model)
        figures[f"{name}: Reader's sentence, chosen sentence"] = f"{before}, {after}"
    found = [(max(scores_of(model, row)), any(row.carries)) for row in apart]
    right, wrong = ([score for score, is_right in found if is_right is wanted] for wanted in (True, False))
    figures["apart: right answers carried"] = f"{sum(one >= LEAST for one in right)} of {len(right)}"
    figures["apart: wrong answers carried"] = f"{sum(one >= LEAST for one in wrong)} of {len(wrong)}"
    figures["apart: AUC of right and wrong answers"] = f"{area(*map(list, zip(*found, strict=True))):.3f}"
    stored = {
        "bias": model.bias,
        "weights": dict(zip(FEATURES, model.weights, strict=True)),
        "read": READ,
        "least": LEAST,
        "least_label": LEAST_LABEL,
        "fitted_on": len(shown),
        "measured": figures,
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    with write_whole(out) as draft:
        draft.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    for name, figure in {"least": LEAST, **figures}.items():
        click.echo(f"{name}: {figure}")


if __name__ == "__main__":
    main()
