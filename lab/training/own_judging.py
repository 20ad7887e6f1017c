"""Fit how answers from own documents are judged again: ``python -m lab.training.own_judging --rows FILE``.

Each question of ``lab.training.natural`` is looked up in the files of its collection. The careful model judges the
answer that the Readers find likeliest, as it does where a reply about own documents is read again. Rows are kept in a
file: an interrupted run goes on where it ended. The rule is fitted to the collections that probabilities are fitted to,
and judged on those that no probability is fitted to.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from lab.evaluation.metrics import area, cover_em
from lab.evaluation.trust import calibration_error
from lab.training.natural import For, slices
from lab.training.own_collections import of_natural
from lab.training.own_probability import Without, opened
from lab.training.probability import digest
from lab.training.second_opinion import Row, cross_fitted, fit_to, store, threshold_of
from searchain.console import one_line_errors
from searchain.files.jsonl import read_jsonl
from searchain.types import JudgedAnswer
from searchain.verification.probability import LEAST_LIKELY
from searchain.verification.second_opinion import OWN, SecondOpinion

FOUND, SLICE = 5, 4
"""Passages that are found, and how many questions of a collection are asked in turn."""
USED = ("likely", "says_yes")
"""The features that the rule rests on. The others are the same for all these answers, but for ``fits``."""


def collect(rows: Path, seconds: float) -> None:
    """Look up and judge the questions that ``rows`` does not hold yet, and append their rows."""
    from searchain.assemble.parts import serve_careful
    from searchain.cancel import CancelToken
    from searchain.embedded.mpnet import large_reader
    from searchain.question.head import Head
    from searchain.reading.large_reader import LargeReader
    from searchain.reading.reader import DprReader, embedded_reader
    from searchain.reading.similarity import QueryEncoder
    from searchain.reply.found import PASSAGES, Found
    from searchain.reply.second_reader import SecondReader
    from searchain.retrieval import checkpoint
    from searchain.retrieval.colbert import ColbertRetriever
    from searchain.retrieval.encoder import shared_encoder
    from searchain.verification.probability import OWN as OWN_PROBABILITY
    from searchain.verification.probability import read_probability

    done = {line["id"] for line in stored(rows)}
    directory, similarity = checkpoint.embedded_checkpoint(), QueryEncoder()
    encoder, fingerprint = shared_encoder(directory), checkpoint.fingerprint(directory)
    second, steps = LargeReader(large_reader()).read, Head(similarity).expected_steps
    reader, careful = DprReader(embedded_reader()), SecondReader(serve_careful())
    probability = read_probability(similarity=similarity, second=second, steps=steps, name=OWN_PROBABILITY)
    assert probability is not None
    end = time.monotonic() + seconds
    with rows.open("a", encoding="utf-8") as written:
        for one, some in slices((For.PROBABILITY, For.JUDGING), SLICE):
            todo = [asked for asked in some if asked["id"] not in done]
            if not todo or time.monotonic() > end:
                continue
            part, _ = opened(of_natural(one), rows.parent / "parts", encoder, fingerprint)
            retriever, started = ColbertRetriever(encoder, [Without(part)], "fused"), time.monotonic()
            for asked in todo:
                question = asked["question"]
                hits = retriever.search(question, FOUND)
                read = probability.rated(question, hits, reader.read(question, [hit.passage for hit in hits]))
                likeliest = sorted(zip(read, hits, strict=True), key=lambda pair: pair[0].order, reverse=True)
                first, excerpts = likeliest[0][0], [Found(hit, one).excerpt() for one, hit in likeliest[:PASSAGES]]
                if not first.answer or (first.probability or 0.0) < LEAST_LIKELY:
                    continue  # the reply is "not found", and there is nothing to judge
                judged = careful.judge(question, excerpts, first.answer, CancelToken(), lambda _: None)
                line = {"id": asked["id"], "collection": one.name, "part": one.part, "question": question}
                line |= {"answerable": bool(asked["answers"]), "answer": first.answer, "before": first.probability}
                line |= {"says_yes": judged.says_yes, "right": is_right(asked, first.answer)}
                written.write(json.dumps(line | {"seconds": judged.seconds}) + "\n")
                written.flush()
            click.echo(f"{one.name}: {len(todo)} questions, {time.monotonic() - started:.0f} s")


def is_right(asked: dict[str, Any], answer: str) -> bool:
    """Tell whether an answer is an accepted one."""
    return bool(asked["answers"]) and cover_em(answer, asked["answers"]) > 0


def stored(file: Path) -> list[dict[str, Any]]:
    """Return the lines of the file; none if it does not exist."""
    return list(read_jsonl(file, dict, "row")) if file.is_file() else []


def row_of(line: dict[str, Any]) -> Row:
    """Return a line as a reply that was read again."""
    answer = JudgedAnswer(line["answer"], line["before"], line["says_yes"], is_first=True, place=0)
    return Row(
        id=line["collection"],
        question=line["question"],
        answerable=line["answerable"],
        left_out=False,
        answers=(answer,),
        relation="agrees",
        right=(line["right"],),
        first_right=line["right"],
        ticked=False,
        probability=line["before"],
    )


@click.command(help=__doc__)
@click.option("--rows", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Keep the rows there.")
@click.option("--seconds", default=10_000.0, help="No question is asked later; 0: none is.")
@click.option("--store", "is_stored", is_flag=True, help=f"Write {OWN.name}.")
@one_line_errors()
def main(rows: Path, seconds: float, is_stored: bool) -> None:
    if seconds:
        collect(rows, seconds)
    lines = stored(rows)
    taught, kept = ([row_of(line) for line in lines if line["part"] == part] for part in (For.PROBABILITY, For.JUDGING))
    threshold = threshold_of(taught, list(cross_fitted(taught, used=USED)))
    rule = SecondOpinion(fit_to(taught, USED), least=round(threshold, 4))
    click.echo(f"threshold {threshold:.4f}, by {len(taught)} answers that teach; {len(kept)} kept apart:")
    click.echo(told("by the Readers alone", kept, [row.probability or 0.0 for row in kept]))
    click.echo(told("judged", kept, [rule.weigh(row.question, row.answers or ())[0] for row in kept]))
    if is_stored:
        store(OWN, rule, [digest(rows)])


def told(name: str, rows: Sequence[Row], probability: Sequence[float]) -> str:
    """Return a line with how well the probabilities part right answers from wrong ones."""
    found, right = np.array(probability), np.array([row.first_right for row in rows])
    ranked = right[np.argsort(-found, kind="stable")]
    half = int(right.sum()) // 2
    wrong = int((~ranked[: np.searchsorted(np.cumsum(ranked), half) + 1]).sum())
    return (
        f"{name}: AUC {area(found, right):.3f}, calibration error {calibration_error(right, found):.3f}, "
        f"{wrong} wrong ones among the likeliest with {half} right ones"
    )


if __name__ == "__main__":
    main()
