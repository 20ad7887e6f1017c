"""Hold short conversations and score the last reply: ``python -m lab.benchmarks.follow_ups [--part tune|report]``.

``follow-ups.jsonl`` beside this file has 70 conversations of two to four turns over the embedded corpus: pronouns
("When was she born?"), ellipsis ("And Germany?"), things meant by their kind ("that religion") and changes of topic.
Half of them, drawn by seed, were there to tune on, the other half reports. Each turn is asked with the replies that the
assistant really gave before. Printed: how often the last reply is right among the answerable, with a 95 % bootstrap
interval; how often it was supported and right, or supported and wrong. ``--show`` prints every conversation.

``--rewrites`` asks nothing: it prints how many follow-ups of three sets are made standalone as they should be, by their
words without small ones, and how many questions that stand alone are left as they are. The sets are the planner's
training follow-ups, ``rewrites.jsonl`` beside this file, and, for what is left, questions of ``--data`` one after
another.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from lab.evaluation.metrics import cover_em
from lab.evaluation.summary import interval
from lab.training.planner_data import read_followups
from searchain.assemble import Choice, Parts
from searchain.console import one_line_errors, tracked
from searchain.events import Turn, fold
from searchain.files.jsonl import read_jsonl
from searchain.language import text
from searchain.pipeline import SearChain
from searchain.question.follow_ups import standalone
from searchain.reading.similarity import QueryEncoder
from searchain.settings import Settings
from searchain.types import Exchange, Outcome

CONVERSATIONS = Path(__file__).with_name("follow-ups.jsonl")
REWRITES = CONVERSATIONS.with_name("rewrites.jsonl")


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


def same(one: str, other: str) -> bool:
    """Tell whether two questions have the same words, without small ones and endings of possession."""
    return text.tokens(one) == text.tokens(other) or sorted(text.content_tokens(one.replace("'s", ""))) == sorted(
        text.content_tokens(other.replace("'s", ""))
    )


def rewritten(data: Path | None) -> Iterator[tuple[str, int, int]]:
    """Yield each set of follow-ups with how many are made standalone rightly, and how many there are."""
    sets = {"training follow-ups": [([said], question, whole) for said, question, whole in read_followups()]}
    for row in read_jsonl(REWRITES, dict, "follow-up"):
        said = [Exchange(asked, answer, answer) for asked, answer in row["history"]]
        kind = "stands alone" if row["standalone"] == row["question"] else "written follow-ups"
        sets.setdefault(kind, []).append((said, row["question"], row["standalone"]))
    for name in ("everyday", "vital") if data else ():
        asked = read_jsonl(data / name / "dev.jsonl.gz", dict, "question") if data else []
        said = [Exchange(one["question"], answer, answer) for one in asked for answer in one["answers"][:1]]
        sets[f"stands alone, {name}/dev"] = [
            ([one], other.question, other.question) for one, other in pairwise([*said, said[0]])
        ]
    alike = QueryEncoder()
    for name, rows in sets.items():
        made = [(standalone(question, said, alike), whole) for said, question, whole in rows]
        yield name, sum(one == whole if "alone" in name else same(one, whole) for one, whole in made), len(rows)


@click.command(help=__doc__)
@click.option("--part", type=click.Choice(["tune", "report"]), default="report", show_default=True)
@click.option("--rewrites", is_flag=True, help="Ask nothing; judge only how follow-ups are made standalone.")
@click.option("--data", type=click.Path(path_type=Path), help="Folder with everyday/ and vital/, for --rewrites.")
@click.option("--show", is_flag=True, help="Print what became of every turn.")
@click.option("--seed", default=0, show_default=True, help="Of the intervals.")
@one_line_errors()
def main(part: str, rewrites: bool, data: Path | None, show: bool, seed: int) -> None:
    if rewrites:
        for name, right, count in rewritten(data):
            click.echo(f"{name:28}{right:4} of {count}")
        return
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
