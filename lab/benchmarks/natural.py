"""Ask what people type about their own files, in whole runs.

    python -m lab.benchmarks.natural [--yes-no] [--careful check]

The collections are those of ``lab.training.natural`` that no probability is fitted to; ``--part probability`` asks the
others. Each question is asked as the page asks it, over the files of its collection. With ``--rows`` the replies are
kept in a file: an interrupted run goes on where it ended.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import click

from assistant import Assistant
from lab.benchmarks.own_answers import ask, own_assistant, submitted
from lab.evaluation.metrics import cover_em
from lab.evaluation.trust import is_ticked
from lab.training.natural import SHORT, YES_NO, For, slices
from searchain.console import one_line_errors
from searchain.files.jsonl import read_jsonl
from searchain.language.same_answer import label_of
from searchain.language.text import tokens
from searchain.settings import Careful
from searchain.types import Outcome
from storage.collections import access

SLICE = 8
"""How many questions of a collection are asked in turn."""
AT_ONCE = 2
HEADLINE = 0.4
"""From this probability on the answer stands in large type above the reply."""


@click.command(help=__doc__.partition("\n")[0])
@click.option(
    "--part",
    type=click.Choice([one.value for one in For]),
    default=For.JUDGING.value,
    show_default=True,
    help="Ask these collections.",
)
@click.option("--yes-no", "is_yes_no", is_flag=True, help="Ask the yes/no questions, not those with a short answer.")
@click.option("--careful", type=click.Choice(["off", "check"]), default="off", help="Let the careful model check them.")
@click.option("--rows", type=click.Path(dir_okay=False, path_type=Path), help="Keep replies here, and go on from them.")
@click.option("--seconds", default=10_000.0, help="No question is asked later than this.")
@one_line_errors()
def main(part: str, is_yes_no: bool, careful: Careful, rows: Path | None, seconds: float) -> None:
    kinds = (YES_NO,) if is_yes_no else SHORT
    stored = read_jsonl(rows, dict, "reply") if rows and rows.is_file() else ()
    lines = [one for one in stored if one["kind"] in kinds]
    with own_assistant(careful) as assistant:
        known = {one["id"] for one in lines}
        for line in asked(assistant, part, kinds, known, time.monotonic() + seconds):
            lines.append(line)
            if rows:
                with rows.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
    if is_yes_no:
        click.echo(labelled(lines))
        return
    for is_answerable in (True, False):
        click.echo(told([line for line in lines if line["answerable"] is is_answerable], is_answerable))


def asked(
    assistant: Assistant, part: str, kinds: Collection[str], known: set[str], end: float
) -> Iterator[dict[str, Any]]:
    """Yield the replies to the questions that are not ``known``, until ``end``."""
    indexes: dict[str, str] = {}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for one, some in slices((part,), SLICE, kinds):
            todo = [question for question in some if question["id"] not in known]
            if not todo or time.monotonic() > end:
                continue
            if one.name not in indexes:
                collection = access.create(assistant._store, "local", one.name)
                submitted(assistant, collection.id, {name: text.encode() for name, text in one.files.items()})
                indexes[one.name] = collection.index
            started = time.monotonic()
            yield from pool.map(partial(replied, assistant, indexes[one.name]), todo)
            click.echo(f"{one.name}: {len(todo)} questions, {time.monotonic() - started:.0f} s", err=True)


def replied(assistant: Assistant, index: str, question: dict[str, Any]) -> dict[str, Any]:
    """Ask one question; return its reply, and whether it holds an accepted answer."""
    reply = ask(assistant, question["question"], index)
    return {
        "id": question["id"],
        "question": question["question"],
        "kind": question["kind"],
        "answers": question["answers"],
        "answerable": bool(question["answers"]),
        "sentence": question["sentence"],
        "cover_em": cover_em(reply["final_answer"], question["answers"]) if question["answers"] else 0.0,
        **{name: reply[name] for name in ("answer", "final_answer", "status", "outcome", "probability", "review")},
    }


def told(lines: Sequence[dict[str, Any]], is_answerable: bool) -> str:
    """Return a line with what became of the questions."""
    shown = [line for line in lines if line["final_answer"] and (line["probability"] or 0.0) >= HEADLINE]
    right, ticked = sum(line["cover_em"] > 0 for line in shown), [line for line in lines if is_ticked(line)]
    not_found = sum(line["outcome"] == Outcome.NOT_FOUND for line in lines)
    return (
        f"{len(lines)} {'with' if is_answerable else 'without'} an answer: "
        f"right {sum(line['cover_em'] > 0 for line in lines)}, "
        f"as a headline {right} right and {len(shown) - right} wrong, not found {not_found}, "
        f"ticked {len(ticked)}, {sum(line['cover_em'] > 0 for line in ticked)} of them right"
    )


def labelled(lines: Sequence[dict[str, Any]]) -> str:
    """Return a line with what became of yes/no questions: in how many replies the sentence stands that answers, too."""
    given = [label_of(line["final_answer"]) for line in lines]
    right = sum(label == line["answers"][0] for label, line in zip(given, lines, strict=True))
    decided = sum(label in ("yes", "no") for label in given)
    other = sum(bool(line["final_answer"]) for line in lines) - decided
    shown = sum(_holds(line["answer"], line["sentence"]) for line in lines)
    not_found = sum(line["outcome"] == Outcome.NOT_FOUND for line in lines)
    return (
        f"{len(lines)} yes/no questions: right {right}, wrong {decided - right}, answered otherwise {other}, "
        f"not found {not_found}; the sentence that answers shown in {shown}"
    )


def _holds(reply: str, sentence: str) -> bool:
    return set(tokens(sentence)) <= set(tokens(reply))


if __name__ == "__main__":
    main()
