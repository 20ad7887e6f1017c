"""Ask what strangers typed, and print every reply: ``python -m lab.benchmarks.typed [--own] [--careful check]``.

``lab/data/stranger.jsonl`` has 60 questions to the encyclopedia by somebody who knew only the page's first sentence,
``lab/data/own-typed.jsonl`` 45 to the six files in ``lab/data/own-files`` (``--own``). Right is a reply whose short
answer is an accepted one; *shown*, one that has an accepted answer anywhere. Explanations, lists and whole documents
have no accepted short answer, and are left to the reader. Where nothing answers, *not found* is right.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click

from lab.benchmarks.own_answers import own_assistant, submitted
from lab.evaluation.metrics import cover_em
from searchain.events import Turn, fold
from searchain.language.text import contains
from searchain.settings import Careful
from searchain.types import Outcome
from storage.collections import access

DATA = Path(__file__).parents[1] / "data"
READ = frozenset(("why", "how", "define", "general", "compare", "list"))
"""The kinds of questions whose replies are left to the reader."""
NOTHING = frozenset(("none", "outside"))
"""The kinds of questions that nothing answers."""


@click.command(help=__doc__.partition("\n")[0])
@click.option("--own", "is_own", is_flag=True, help="Ask about the files in lab/data/own-files.")
@click.option("--careful", type=click.Choice(["off", "check"]), default="off", help="Let the careful model check them.")
@click.option("--only", multiple=True, metavar="ID", help="Ask this question alone; may be repeated.")
def main(is_own: bool, careful: Careful, only: tuple[str, ...]) -> None:
    file = DATA / ("own-typed.jsonl" if is_own else "stranger.jsonl")
    asked = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    counts: Counter[str] = Counter()
    with own_assistant(careful) as assistant:
        index, conversations = None, dict[str, str]()
        if is_own:
            collection = access.create(assistant._store, "local", "typed")
            submitted(assistant, collection.id, {one.name: one.read_bytes() for one in (DATA / "own-files").iterdir()})
            index = collection.index
        for one in asked:
            if not only or one["id"] in only:
                started = assistant.start(
                    one["question"], conversation=conversations.get(one.get("after")), index=index
                )
                conversations[one["id"]] = started.conversation
                turn = fold(stored.event for stored in assistant.follow(started.turn))
                found = verdicts(one, turn)
                counts.update([*found, "asked"])
                click.echo(f"{one['id']} {one['question']}\n    {', '.join(found)} · {turn.outcome} {turn.probability}")
                click.echo(f"    {turn.answer}")
    click.echo(" · ".join(f"{what} {counts[what]}" for what in sorted(counts)))


def verdicts(asked: dict[str, Any], turn: Turn) -> list[str]:
    """Return what a reply counts for, such as ``right``, ``shown`` or ``wrong``, and whether it is ticked."""
    ticked = ["ticked"] if turn.outcome is Outcome.SUPPORTED else []
    if asked["kind"] in READ:
        return ["to read", *ticked]
    if asked["kind"] in NOTHING:
        is_right = turn.outcome is Outcome.NOT_FOUND
    else:
        is_right = cover_em(turn.final_answer or "", asked["answers"]) > 0
    is_shown = any(contains(answer, turn.answer) for answer in asked["answers"])
    said = "right" if is_right else "shown" if is_shown else "not found" if not turn.final_answer else "wrong"
    return [said, *ticked, *(["ticked and wrong"] if ticked and not is_right else [])]


if __name__ == "__main__":
    main()
