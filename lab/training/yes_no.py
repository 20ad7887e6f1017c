"""Train the head that recognises yes/no questions in any form: ``python -m lab.training.yes_no --data DIR``.

People ask their own files "my son is nine, does he have to pay?". The form of a question, an auxiliary at its
beginning, finds two of three such questions (``language.text``). The head reads all others. It learns those of
``cases`` and of ``data/natural.jsonl.gz``, but for the part that judges; other questions and claims count as ``none``,
and so do those of ``data/choices.jsonl`` that ask which of two things is so ("Is it a fruit or a vegetable?"). DIR
holds the project's data (``everyday``, ``reader``, ``multihop``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path

import click
import numpy as np

from lab.training.cases import written
from lab.training.natural import For, natural
from lab.training.now import FRAMES, binary, figures, recognised, scored, threshold_of
from lab.training.question_head import Row, as_stored, embedding_by, questions, read_questions, records, write_weights
from lab.training.stance_data import read_claims
from searchain.console import one_line_errors
from searchain.language import text
from searchain.question.head import EVEN
from searchain.question.worded import NONE, YES_NO, with_words
from searchain.reading.similarity import QueryEncoder

CLAIMS = Path(__file__).parent / "data" / "claims.jsonl.gz"
CHOICES = CLAIMS.with_name("choices.jsonl")
"""A question with "or" a line: ``{"text", "kind", "about", "part"}``. ``kind`` is ``choice``, or ``yesno`` where yes or
no answers it. ``part`` is ``learn`` or ``judge``."""
KIND = "yesno"
PRECISION = 0.9
"""The least share of right ones among those recognised in five folds."""
COMMON = 4
"""The least number of yes/no questions with a word that the head sees."""


def rows_of(data: Path) -> Iterator[tuple[Row, bool]]:
    """Yield each text that has not the form of a yes/no question, and whether it is only measured."""
    for one in natural():
        for asked in one.asked:
            row = Row(asked["question"], KIND if asked["kind"] == KIND else NONE, "natural")
            yield row, one.part == For.JUDGING
    yield from ((Row(one.statement, KIND, FRAMES), False) for one in written())
    for choice in records(CHOICES):
        is_judged = choice["part"] == "judge"
        yield (
            Row(choice["text"], KIND if choice["kind"] == KIND else NONE, "choices" if is_judged else FRAMES),
            is_judged,
        )
    texts = {
        "everyday": questions(data / "everyday" / "train.jsonl.gz"),
        "reader": read_questions(data),
        "claims": [one.statement for one in read_claims(CLAIMS)],
    }
    for source, some in texts.items():
        for row in (Row(one, NONE, source) for one in some):
            yield row, row.is_apart
    for source, file in (("everyday/dev", "everyday/dev"), ("hops", "multihop/hops")):
        yield from ((Row(one, NONE, source), True) for one in questions(data / f"{file}.jsonl.gz"))


def common_words(rows: Sequence[Row]) -> list[str]:
    counts = Counter(word for row in rows if row.kind == KIND for word in set(text.tokens(row.text)))
    return sorted(word for word, count in counts.items() if count >= COMMON)


@click.command(help=__doc__)
@click.option(
    "--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True, help="Folder with the data."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=YES_NO, help="Where the weights go.")
@one_line_errors()
def main(data: Path, out: Path) -> None:
    each = [(row, apart) for row, apart in rows_of(data) if not text.is_yes_no_question_form(row.text)]
    rows, is_apart = [row for row, _ in each], np.array([apart for _, apart in each])
    train = [row for row, apart in each if not apart]
    words = common_words(train)
    embeddings = embedding_by(QueryEncoder())([row.text for row in rows])
    values = np.stack([with_words(one, row.text, words) for one, row in zip(embeddings, rows, strict=True)])
    layer = binary(values[~is_apart], [row.kind for row in train])
    threshold = threshold_of(train, values[~is_apart], PRECISION)
    apart = [row for row, is_measured in each if is_measured]
    shares = recognised(layer, values[is_apart])
    found = dict(figures(shares, apart, threshold))
    opening = [text.opens_with_auxiliary(row.text) for row in apart]
    taken, right, every = scored(shares[opening], [*compress(apart, opening)], EVEN)
    told = f"{taken} recognised, {right} of these rightly, of {every} among {sum(opening)}"
    found["open with an auxiliary, at even odds"] = told
    stored = {"threshold": threshold, "trained_on": len(train), "words": words, **as_stored(layer)}
    write_weights(out, stored, found)


if __name__ == "__main__":
    main()
