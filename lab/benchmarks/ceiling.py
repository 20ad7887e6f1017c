"""Tell what the program does to the word of a model.

    python -m lab.benchmarks.ceiling --data FILE --claims FILE CORPUS

Scripted models write the gold chains of ``--data`` and label ``--claims``: one is always right, one is right three
times in four (its wrong answers are gold answers of other questions, drawn by ``--seed``), one never knows. Each either
insists, which is to restate its answer after feedback, or gives in, which is to take the reading. Only search and
reading are real. A run asks the first ``--limit`` questions that are not in ``--out``, and prints the table of all that
are. Printed per model, each as a share with its numbers:

overruled: its right first answers in whose place another answer is in force at the end.
corrected: its wrong first answers in whose place the gold answer is in force at the end.
lost: finals (of claims: labels) that it had right and that the reply has wrong.
right: finals that the reply has right.
disputed: its answers that end as disputed.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from lab.evaluation.corpora import index_of
from lab.evaluation.examples import Example, as_steps, read_dataset
from lab.evaluation.metrics import cover_em
from lab.scripted.model import ScriptedModel
from searchain.assemble import Choice, Parts
from searchain.console import one_line_errors, tracked
from searchain.events import Turn, fold
from searchain.language.same_answer import agreement
from searchain.pipeline import SearChain
from searchain.reading.reader import Reader
from searchain.retrieval.base import Retriever
from searchain.settings import Settings
from searchain.types import Hit, Message, Node, Passage, Reading, TaskKind

SKILLS = {"right": 1.0, "often": 0.75, "never": 0.0}
"""How often a model's answer to a step is right; the one that is never right leaves its steps open."""
STYLES = ("insists", "gives in")
LABELS = {"SUPPORTS": "REFUTES", "REFUTES": "SUPPORTS", "yes": "no", "no": "yes"}
_NOWHERE = Passage("", "", "")
_FEEDBACK = re.compile(r"starting with this step:\n\[Query (\d+)\]: (.*)")
_READING = re.compile(r'According to the reference, the answer to ".*?" is "(.*?)"\. (?:Change|Give) your answer', re.S)
_STEP = re.compile(r"\[Query (\d+)\]: .*\n\[Answer \1\]: (.*?)(?: \(key (k\d+)\))?$", re.MULTILINE)


def is_same(answer: str | None, gold: str, passage: Passage = _NOWHERE) -> bool:
    """Return whether two answers to a step say the same."""
    return bool(answer) and (agreement(answer or "", gold, passage)[0] == "agree" or cover_em(answer or "", [gold]) > 0)


@dataclass(frozen=True, slots=True)
class Task:
    """A question with its gold chain, and what one model believes."""

    example: Example
    queries: tuple[str, ...]
    """With ``#k`` for the answer of step k."""
    gold: tuple[str, ...]
    believed: tuple[str | None, ...]
    wrong: str
    """What the model concludes from a wrong step."""

    @property
    def is_label(self) -> bool:
        return self.example.answers[0] in LABELS

    def concludes(self, answers: Sequence[str | None]) -> str:
        """The final answer that follows from the answers to the steps."""
        if self.example.type in ("comparison", "factcheck", "yesno") or self.is_label:
            pairs = zip(answers, self.gold, strict=False)
            return self.example.answers[0] if all(is_same(one, gold) for one, gold in pairs) else self.wrong
        return next((answer for answer in reversed(answers) if answer), "")


class Believer:
    """What a scripted model says in one run."""

    def __init__(self, task: Task, *, insists: bool) -> None:
        self._task, self._insists = task, insists
        self._now = list(task.believed)
        self.asked: dict[int, str] = {}
        """How it put each step the first time that it could be asked."""

    def reply(self, messages: Sequence[Message]) -> str:
        said = messages[-1].content
        if "Write `[Answer]:`" in said:
            return self._final(said)
        found = _FEEDBACK.findall(said)
        if not found:
            return self._chain(0)
        number, query = found[-1]
        place = next((place for place, asked in self.asked.items() if asked == query), int(number) - 1)
        place = min(place, len(self._now) - 1)
        read = _READING.findall(said)
        if read and not self._insists:
            self._now[place] = read[-1]
        return self._chain(place)

    def _chain(self, start: int) -> str:
        lines = []
        for place in range(start, len(self._now)):
            query, answer = self._filled(self._task.queries[place]), self._now[place]
            if "#" not in query:
                self.asked.setdefault(place, query)
            lines.append(f"[Query {place + 1}]: {query}")
            lines.append(f"[Answer {place + 1}]: {answer}" if answer else "[Unsolved Query]")
        return "\n".join(lines) + "\n"

    def _filled(self, query: str) -> str:
        for place, answer in enumerate(self._now, 1):
            query = query.replace(f"#{place}", answer or f"#{place}")
        return query

    def _final(self, prompt: str) -> str:
        steps = [(answer, key) for _, answer, key in _STEP.findall(prompt)]
        written = [None if answer == "not found" else answer for answer, _ in steps[: len(self._now)]]
        answers = [own or other for own, other in zip_longest(self._now, written)] if self._insists else written
        told = " ".join(f"{answer.rstrip('.')} [{key}]." for answer, key in steps if key)
        return f"[Answer]: {self._task.concludes(answers)}\n[Final Content]: {told or 'Nothing was found.'}"


class _Kept:
    """A retriever and a Reader that remember what they found, for models that ask the same."""

    def __init__(self, retriever: Retriever, reader: Reader) -> None:
        self._retriever, self._reader = retriever, reader
        self._hits: dict[tuple[str, int], list[Hit]] = {}
        self._readings: dict[tuple[str, tuple[str, ...]], list[Reading]] = {}

    @property
    def plain(self) -> _Kept:
        return _Kept(self._retriever, getattr(self._reader, "plain", self._reader))

    def search(self, query: str, k: int) -> list[Hit]:
        if (query, k) not in self._hits:
            self._hits[query, k] = self._retriever.search(query, k)
        return self._hits[query, k]

    def read(self, query: str, passages: Sequence[Passage]) -> list[Reading]:
        key = query, tuple(passage.text for passage in passages)
        if key not in self._readings:
            self._readings[key] = self._reader.read(query, passages)
        return self._readings[key]


def tasks(examples: Sequence[Example], skill: str, seed: int) -> Iterator[Task]:
    """Yield what a model of ``skill`` answers to each example that has a short answer."""
    others = {step.answer for example in examples for step in example.steps if step.answer}
    for example in examples:
        if example.task is TaskKind.LONGFORM or not example.answers:
            continue
        is_claim = not example.steps
        queries = (example.question,) if is_claim else tuple(step.query for step in example.steps)
        gold = (example.answers[0],) if is_claim else tuple(step.answer or "" for step in example.steps)
        rng = random.Random(f"{seed} {example.id}")
        believed = tuple(_believed(one, sorted(others), SKILLS[skill], rng) for one in gold)
        wrong = LABELS.get(example.answers[0]) or rng.choice(sorted(others - {*example.answers, *gold}))
        yield Task(example, queries, gold, believed, wrong)


def _believed(gold: str, others: Sequence[str], skill: float, rng: random.Random) -> str | None:
    if rng.random() < skill:
        return gold
    other = LABELS.get(gold) or rng.choice([one for one in others if not is_same(one, gold)])
    return other if skill else None


def ask(searchain: SearChain, task: Task, *, insists: bool) -> dict[str, Any]:
    """Return what became of the model's answers to one question."""
    believer = Believer(task, insists=insists)
    searchain.model = ScriptedModel(believer.reply)
    turn = fold(searchain.stream(task.example.question))
    example = task.example
    asked = [example.question] if not example.steps else [step.question for step in as_steps([example])]
    steps = []
    for place, (gold, believed) in enumerate(zip(task.gold, task.believed, strict=True)):
        node = _node(turn, place, believer.asked.get(place, ""), example.question)
        if node is None or believer.asked.get(place) != asked[place]:
            continue  # the step was never reached, or it asked about something else
        steps.append({
            "query": node.query, "gold": gold, "first": believed, "end": node.answer, "read": node.reader_answer,
            "verdict": node.verdict and node.verdict.value, "rule": node.rule, "confidence": node.confidence,
            "was right": is_same(believed, gold),
            "is right": is_same(node.answer, gold, node.passage or _NOWHERE)
            or (is_same(believed, gold) and is_same(node.answer, believed or "", node.passage or _NOWHERE)),
        })  # fmt: skip
    own = task.concludes(task.believed)
    return {
        "question": example.question, "answers": example.answers, "steps": steps, "own": own,
        "had": _is_right(own, task), "final": turn.final_answer, "has": _is_right(turn.final_answer, task),
        "status": turn.status and turn.status.value, "outcome": turn.outcome and turn.outcome.value,
        "path": [[node.query, node.answer, node.rule] for node in turn.nodes if node.on_path],
    }  # fmt: skip


def _node(turn: Turn, place: int, query: str, question: str) -> Node | None:
    path = [node for node in turn.nodes if node.on_path]
    same = next((node for node in path if node.query == query), None)
    if same is None and place < len(path) and path[place].query != question:
        return path[place]  # its query was rewritten
    return same


def _is_right(answer: str, task: Task) -> bool:
    return answer in task.example.answers if task.is_label else cover_em(answer, task.example.answers) > 0


def table(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| data | profile | model | questions | overruled | corrected | lost | right | disputed |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for data, profile, model in dict.fromkeys((one["data"], one["profile"], one["model"]) for one in records):
        mine = [one for one in records if (one["data"], one["profile"], one["model"]) == (data, profile, model)]
        steps = [step for one in mine for step in one["steps"]]
        right = [not step["is right"] for step in steps if step["was right"]]
        wrong = [step["is right"] for step in steps if step["first"] and not step["was right"]]
        lost = [not one["has"] for one in mine if one["had"]]
        cells = [right, wrong, lost, [one["has"] for one in mine], [step["verdict"] == "disputed" for step in steps]]
        yield f"| {data} | {profile} | {model} | {len(mine)} | {' | '.join(map(_share, cells))} |"


def _share(facts: Sequence[bool]) -> str:
    return f"{100 * sum(facts) / len(facts):.1f} % ({sum(facts)} of {len(facts)})" if facts else "–"


def _read(out: Path | None) -> list[dict[str, Any]]:
    if out is None or not out.is_file():
        return []
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


@click.command(help=__doc__)
@click.option("--data", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Questions with gold steps.")
@click.option(
    "--claims",
    type=(click.Path(exists=True, dir_okay=False, path_type=Path), str),
    metavar="FILE CORPUS",
    help="Claims, and a file of passages or the name of an index.",
)
@click.option("--number", default=60, show_default=True, type=click.IntRange(1), help="Claims.")
@click.option("--model", "skills", multiple=True, type=click.Choice(list(SKILLS)), help="Only these models.")
@click.option("--profile", default="default", show_default=True, type=click.Choice(["default", "paper"]))
@click.option("--seed", default=7, show_default=True)
@click.option("--limit", type=click.IntRange(0), help="Questions that this run asks.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Keep what became of each as JSON Lines.")
@one_line_errors()
def main(
    data: Path | None,
    claims: tuple[Path, str] | None,
    number: int,
    skills: Sequence[str],
    profile: str,
    seed: int,
    limit: int | None,
    out: Path | None,
) -> None:
    records = _read(out)
    done = {(one["data"], one["profile"], one["model"], one["id"]) for one in records}
    sets = [(data, "default", None)] if data else []
    sets += [(claims[0], index_of(claims[1]), number)] if claims else []
    settings = Settings.of(profile, careful="off", first_call="plan", max_seconds=600)
    nobody = Parts(Choice(model="scripted", base_url="http://127.0.0.1:9/v1"))  # each question brings its model
    for file, index, first in sets:
        examples = read_dataset(file).examples[:first]
        name = file.resolve().parent.name
        wanted = {skill: list(tasks(examples, skill, seed)) for skill in skills or SKILLS}
        rows = [
            (f"{skill}, {style}", style, wanted[skill][place])
            for place in range(len(next(iter(wanted.values()))))
            for skill in wanted
            for style in STYLES
            if (name, profile, f"{skill}, {style}", wanted[skill][place].example.id) not in done
        ]
        places = list(dict.fromkeys(task.example.id for _, _, task in rows))[:limit]
        rows = [row for row in rows if row[2].example.id in places]
        if not rows:
            continue
        searchain = nobody.searchain(settings, index)
        assert searchain.retriever is not None
        assert searchain.reader is not None
        kept = _Kept(searchain.retriever, searchain.reader)
        searchain.retriever, searchain.reader = kept, kept
        for model, style, task in tracked(rows, "asking"):
            found = ask(searchain, task, insists=style == "insists")
            record = {"data": name, "profile": profile, "model": model, "id": task.example.id, **found}
            records.append(record)
            if out:
                with out.open("a", encoding="utf-8") as file_out:
                    file_out.write(json.dumps(record, ensure_ascii=False) + "\n")
    for line in table(sorted(records, key=lambda one: (one["data"], one["profile"], one["model"]))):
        click.echo(line)


if __name__ == "__main__":
    main()
