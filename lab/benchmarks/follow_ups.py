"""Hold short conversations and score the last reply: ``python -m lab.benchmarks.follow_ups [--part tune|report]``.

``follow-ups.jsonl`` beside this file has 70 conversations of two to four turns over the embedded corpus: pronouns
("When was she born?"), ellipsis ("And Germany?"), things meant by their kind ("that religion") and changes of topic.
Half of them, drawn by seed, were there to tune on, the other half reports. Each turn is asked with the replies that the
assistant really gave before. Printed: how often the last reply is right among the answerable, with a 95 % bootstrap
interval; how often it was supported and right, or supported and wrong. ``--show`` prints every conversation.
How follow-ups alone are made standalone is measured by ``lab.training.question_model``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from lab.evaluation.metrics import cover_em
from lab.evaluation.summary import interval
from searchain.assemble import Choice, Parts
from searchain.console import one_line_errors, tracked
from searchain.events import Turn, fold
from searchain.pipeline import SearChain
from searchain.settings import Settings
from searchain.types import Exchange, Outcome

CONVERSATIONS = Path(__file__).with_name("follow-ups.jsonl")


def held(searchain: SearChain, questions: Sequence[str]) -> list[Turn]:
    """Ask ``questions`` one after the other, each with what was said before; returns their turns."""
    turns: list[Turn] = []
    for question in questions:
        history = [
            Exchange(turn.standalone_question, turn.answer, turn.final_answer, turn.outcome)
            for turn in turns
            if turn.answer
        ]
        turns.append(fold(searchain.stream(question, history=history)))
    return turns


def scored(conversation: dict[str, Any], last: Turn) -> dict[str, bool]:
    """Return what became of the last question of a conversation."""
    is_right = cover_em(last.final_answer, conversation["answers"]) > 0
    is_supported = last.outcome is Outcome.SUPPORTED
    return {
        "right": is_right,
        "supported and right": is_supported and is_right,
        "supported and wrong": is_supported and not is_right,
    }


@click.command(help=__doc__)
@click.option("--part", type=click.Choice(["tune", "report"]), default="report", show_default=True)
@click.option("--show", is_flag=True, help="Print what became of every turn.")
@click.option("--seed", default=0, show_default=True, help="Of the intervals.")
@one_line_errors()
def main(part: str, show: bool, seed: int) -> None:
    conversations = [json.loads(line) for line in CONVERSATIONS.read_text(encoding="utf-8").splitlines()]
    searchain = Parts(Choice(careful="off")).searchain(Settings.of("default"), "default")
    scores: dict[bool, list[dict[str, bool]]] = {True: [], False: []}
    for conversation in tracked([one for one in conversations if one["part"] == part], "talking"):
        turns = held(searchain, conversation["turns"])
        score = scored(conversation, turns[-1])
        scores[conversation["answerable"]].append(score)
        if show:
            click.echo(f"{'right' if score['right'] else 'WRONG'} {conversation['id']} {conversation['answers']}")
            for turn in turns:
                click.echo(f"    {turn.question} | {turn.standalone_question} | {turn.final_answer} | {turn.outcome}")
    for is_answerable, kept in scores.items():
        for name in kept[0] if kept else ():
            values = [float(one[name]) for one in kept]
            low, high = interval(values, seed)
            click.echo(
                f"{'answerable' if is_answerable else 'unanswerable':13}{len(kept):3}  {name:20}"
                f"{100 * sum(values) / len(values):6.1f} [{100 * low:.1f}, {100 * high:.1f}]"
            )


if __name__ == "__main__":
    main()
