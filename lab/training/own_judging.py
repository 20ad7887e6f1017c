"""Fit how answers from own documents are judged again: ``python -m lab.training.own_judging --rows FILE``.

Each question of ``lab.training.natural`` is looked up in the files of its collection. The careful model judges the
answers that the Readers find likeliest, as it does where a reply about own documents is read again. Rows are kept in a
file: an interrupted run goes on where it ended. The rule is fitted to collections that no Reader has learnt, and each
tenth of them is judged by a rule that has not seen it.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from lab.evaluation.metrics import cover_em
from lab.training.natural import For, Natural, natural
from lab.training.own_collections import of_natural
from lab.training.own_probability import Without, opened
from lab.training.probability import REPEATS, digest
from lab.training.second_opinion import End, Row, cross_fitted, figures, fit_to, mean_of, store, threshold_of
from searchain.console import one_line_errors
from searchain.files.jsonl import read_jsonl
from searchain.reply.review import YES
from searchain.types import JudgedAnswer
from searchain.verification.probability import LEAST_LIKELY
from searchain.verification.second_opinion import OWN, SecondOpinion

FOUND = 5
USED = ("likely", "is_first", "says_yes")
"""The features that the rule rests on; with the others it is surer of wrong answers in collections kept apart."""
SLICE = 4
"""How many questions of a collection are asked in turn."""


def collect(rows: Path, seconds: float) -> None:
    """Look up and judge the questions that ``rows`` does not hold yet, and append their rows."""
    from searchain.assemble.parts import serve_careful
    from searchain.cancel import CancelToken
    from searchain.embedded.mpnet import large_reader
    from searchain.question.head import Head
    from searchain.reading.large_reader import LargeReader
    from searchain.reading.reader import DprReader, embedded_reader
    from searchain.reading.similarity import QueryEncoder
    from searchain.reply.found import PASSAGES, Found, answers_to_judge
    from searchain.reply.second_reader import SecondReader
    from searchain.retrieval import checkpoint
    from searchain.retrieval.colbert import ColbertRetriever
    from searchain.retrieval.encoder import shared_encoder
    from searchain.verification.probability import OWN, read_probability

    done = {line["id"] for line in stored(rows)}
    directory, similarity = checkpoint.embedded_checkpoint(), QueryEncoder()
    encoder, fingerprint = shared_encoder(directory), checkpoint.fingerprint(directory)
    second, steps = LargeReader(large_reader()).read, Head(similarity).expected_steps
    reader, careful = DprReader(embedded_reader()), SecondReader(serve_careful())
    probability = read_probability(similarity=similarity, second=second, steps=steps, name=OWN)
    assert probability is not None
    end = time.monotonic() + seconds
    with rows.open("a", encoding="utf-8") as written:
        for one, some in slices():
            todo = [asked for asked in some if asked["id"] not in done]
            if not todo or time.monotonic() > end:
                continue
            part, _ = opened(of_natural(one), rows.parent / "parts", encoder, fingerprint)
            retriever, started = ColbertRetriever(encoder, [Without(part)], "fused"), time.monotonic()
            for asked in todo:
                question = asked["question"]
                hits = retriever.search(question, FOUND)
                read = probability.rated(question, hits, reader.read(question, [hit.passage for hit in hits]))
                likeliest = sorted(zip(read, hits, strict=True), key=lambda pair: pair[0].order, reverse=True)[
                    :PASSAGES
                ]
                best, least = likeliest[0][0], LEAST_LIKELY
                first = best if best.answer and (best.probability or 0.0) >= least else None
                proposed = answers_to_judge(
                    first.answer if first else "",
                    first.probability if first else None,
                    [(reading, hit.passage) for reading, hit in likeliest],
                )
                excerpts = [Found(hit, reading).excerpt() for reading, hit in likeliest]
                judging = careful.judge(question, excerpts, list(proposed), CancelToken(), lambda _: None)
                answers = [
                    {"answer": answer, "before": before, "says_yes": says, "right": is_right(asked, answer)}
                    for (answer, before), says in zip(proposed.items(), judging.says_yes, strict=True)
                ]
                line = {"id": asked["id"], "collection": one.name, "part": one.part, "question": question}
                line |= {"answerable": bool(asked["answers"]), "first": first.answer if first else ""}
                written.write(json.dumps(line | {"answers": answers, "seconds": judging.seconds}) + "\n")
                written.flush()
            click.echo(f"{one.name}: {len(todo)} questions, {time.monotonic() - started:.0f} s")


def is_right(asked: dict[str, Any], answer: str) -> bool:
    """Tell whether an answer is an accepted one."""
    return bool(asked["answers"]) and cover_em(answer, asked["answers"]) > 0


def slices() -> Iterator[tuple[Natural, list[dict[str, Any]]]]:
    """Yield some questions of each collection in turn, so that an interrupted run holds all collections."""
    rng, waiting = random.Random(0), []
    for one in natural():
        if one.part != For.READERS:
            each = [{**asked, "id": f"{one.name}-{number}"} for number, asked in enumerate(one.asked)]
            short = [asked for asked in each if asked["kind"] in ("fact", "none")]
            waiting.append((one, rng.sample(short, len(short))))
    rng.shuffle(waiting)
    while any(asked for _, asked in waiting):
        for one, asked in waiting:
            yield one, asked[:SLICE]
            del asked[:SLICE]


def stored(file: Path) -> list[dict[str, Any]]:
    """Return the lines of the file; none if it does not exist."""
    return list(read_jsonl(file, dict, "row")) if file.is_file() else []


def row_of(line: dict[str, Any]) -> Row:
    """Return a line as a reply that was read again."""
    said = {one["answer"]: one["says_yes"] for one in line["answers"]}
    best = max(said, key=lambda one: said[one], default="")
    own = best if said.get(best, 0.0) >= YES else ""
    first = line["first"]
    return Row(
        id=line["collection"],
        question=line["question"],
        answerable=line["answerable"],
        left_out=False,
        answers=tuple(
            JudgedAnswer(
                one["answer"],
                one["before"],
                one["says_yes"],
                is_first=one["answer"] == first,
                agrees=one["answer"] == own,
                place=0,
            )
            for one in line["answers"]
        ),
        relation="agrees" if own == first else "differs" if own else "finds nothing",
        right=tuple(one["right"] for one in line["answers"]),
        first_right=any(one["right"] for one in line["answers"] if one["answer"] == first),
        ticked=False,
        probability=next((one["before"] for one in line["answers"] if one["answer"] == first), None),
    )


@click.command(help=__doc__)
@click.option("--rows", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Keep the rows there.")
@click.option("--seconds", default=10_000.0, help="No question is asked later; 0: none is.")
@click.option("--store", "is_stored", is_flag=True, help=f"Write {OWN.name}.")
@one_line_errors()
def main(rows: Path, seconds: float, is_stored: bool) -> None:
    if seconds:
        collect(rows, seconds)
    every = [row_of(line) for line in stored(rows)]
    ends = list(cross_fitted(every, repeats=REPEATS, used=USED))
    threshold = threshold_of(every, ends)
    click.echo(
        f"{len(every)} questions; threshold {threshold:.4f}; before, and judged (cross-fitted over collections):"
    )
    before = figures(every, [as_read(row) for row in every], threshold)
    for name, value in mean_of(figures(every, some, threshold) for some in ends).items():
        click.echo(f"  {name:28}{before[name]:7.3f}{value:7.3f}")
    if is_stored:
        store(OWN, SecondOpinion(fit_to(every, USED), least=round(threshold, 4)), [digest(rows)])


def as_read(row: Row) -> End:
    """Return a reply as the Readers alone leave it."""
    return End(row.first_right, row.probability or 0.0, ticked=None)


if __name__ == "__main__":
    main()
