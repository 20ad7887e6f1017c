"""What the planner learns from: dialogues as the pipeline holds them, made from plans, and their token ids.

A plan is a question with the steps that answer it. It becomes the dialogue of a run: the first round down to the step
that has to be looked up, the feedback, the next round, and so on. Only turns that the planner should write are scored.
A step is answered by the planner itself only where the base model's own answer was right (``known``).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from transformers import PreTrainedTokenizerBase

from searchain.chain.parser import render_step
from searchain.chain.prompts import Prompts, family, told
from searchain.files.jsonl import read_jsonl
from searchain.reply import final_text
from searchain.reply.citations import keys_of
from searchain.reply.writer import LENGTHS, WANTED
from searchain.types import Exchange, Node, Passage, Step, TaskKind, Verdict

DATA = Path(__file__).parent / "data"
PROMPTS = Prompts(is_brief=True)
REPLIES = 0.2
"""The share of plans whose reply is learned in a pass."""
LAST_TURNS = 0.35
"""The share of chains whose last turn is learned: it only takes over what was found, and ends."""
_ANYWHERE = Passage("", "", "")


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One fact: how it is asked for, what it is, and a sentence that states it."""

    query: str
    answer: str
    sentence: str
    known: bool = False
    """Whether the base model answers the query rightly by itself."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A question with its steps. ``final`` is the short answer, ``""`` where an explanation is wanted."""

    question: str
    task: TaskKind
    steps: tuple[PlannedStep, ...]
    final: str

    def needs(self, number: int) -> list[int]:
        """Return the earlier steps (from 0) whose answer occurs in the query of step ``number``."""
        query = self.steps[number].query.casefold()
        return [k for k in range(number) if len(self.steps[k].answer) > 1 and self.steps[k].answer.casefold() in query]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message; ``is_scored`` where the planner should learn to write it."""

    role: str
    content: str
    is_scored: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """Token ids, and which of them are learned."""

    ids: tuple[int, ...]
    scored: tuple[bool, ...]


def read_plans(path: Path = DATA / "plans.jsonl.gz") -> list[Plan]:
    """The plans of a file: ``{"question", "task", "steps": [{"query", "answer", "sentence", "known"?}], "final"}``."""
    return read_jsonl(
        path, _plan, 'plan; wanted: {"question", "task", "steps": [{"query", "answer", "sentence"}], "final"}'
    )


def _plan(line: dict[str, Any]) -> Plan:
    steps = (
        PlannedStep(step["query"], step["answer"], step["sentence"], step.get("known", False)) for step in line["steps"]
    )
    return Plan(line["question"], TaskKind(line["task"]), tuple(steps), line["final"].strip("- "))


def read_followups(path: Path = DATA / "followups.jsonl.gz") -> list[tuple[Exchange, str, str]]:
    """Read what was said before, the follow-up, and the standalone question it stands for."""
    return read_jsonl(path, _followup, 'follow-up; wanted: {"previous", "answer", "question", "standalone"}')


def _followup(line: dict[str, Any]) -> tuple[Exchange, str, str]:
    return Exchange(line["previous"], line["answer"], line["answer"]), line["question"], line["standalone"]


def dialogues(plans: Sequence[Plan], followups: Sequence[tuple[Exchange, str, str]], seed: int) -> list[list[Turn]]:
    """The dialogues of one pass, in random order: a chain for every plan, a reply for some, every follow-up."""
    rng = random.Random(seed)
    made: list[list[Turn]] = []
    wrong = [step.answer for plan in plans for step in plan.steps if len(step.answer) < 40]
    for plan in plans:
        if plan.task is TaskKind.LONGFORM or rng.random() > 0.06:
            made += _chain(plan, rng, wrong)
        else:
            made.append(_chain_without_ir(plan))
        if plan.task is not TaskKind.LONGFORM and rng.random() < REPLIES:
            made.append(_reply(plan, rng))
    made += [_standalone(*followup) for followup in followups]
    rng.shuffle(made)
    return made


def _chain(plan: Plan, rng: random.Random, wrong: Sequence[str]) -> list[list[Turn]]:
    """The rounds of a run. Where a round goes on beyond the step that the pipeline stops at, that round is learned in
    a dialogue of its own, since later rounds see it cut."""
    made: list[list[Turn]] = []
    turns = [
        Turn("system", PROMPTS.render(family(plan.task, use_ir=True))),
        Turn("user", f"[Question]: {plan.question}"),
    ]
    settled: set[int] = set()
    given: dict[int, str | None] = {}
    start = 0
    while True:
        written, stop = _round(plan, start, settled, given)
        if stop is None:
            if len(written) > 1 or len(turns) == 2 or rng.random() < LAST_TURNS:
                turns.append(Turn("assistant", _text(plan, written), True))
            else:
                del turns[-1]
            break
        shown = written[: [number for number, _ in written].index(stop) + 1]
        mistake = rng.choice(wrong) if rng.random() < 0.05 else None
        if mistake and stop != start:
            shown[-1] = stop, mistake
        elif len(shown) < len(written):
            made.append([*turns, Turn("assistant", _text(plan, written), True)])
        is_whole = len(shown) == len(written) and not (mistake and stop != start)
        turns.append(Turn("assistant", _text(plan, shown), is_whole))
        is_found = rng.random() > 0.04
        answer = plan.steps[stop].answer
        values = {"query": plan.steps[stop].query, "number": str(stop + 1), "passage": ""}
        if not is_found:
            turns.append(Turn("user", PROMPTS.render("passage", **values)))
            given[stop] = None
        else:
            kind = "verify" if shown[-1][1] else "complete"
            turns.append(Turn("user", PROMPTS.render(kind, answer=answer, **values)))
            given[stop] = answer
        settled.add(stop)
        start = stop
    made.append(turns)
    return made


def _round(
    plan: Plan, start: int, settled: set[int], given: dict[int, str | None]
) -> tuple[list[tuple[int, str | None]], int | None]:
    """The steps that a round writes from ``start``, each with its answer, and the one that must be looked up first."""
    written: list[tuple[int, str | None]] = []
    stop = None
    missing = {number for number, answer in given.items() if answer is None}
    for number in range(start, len(plan.steps)):
        if missing & set(plan.needs(number)):
            break
        if number in settled:
            answer = given[number]
        elif plan.steps[number].known:
            answer = plan.steps[number].answer
        else:
            answer = None
            missing.add(number)
            stop = number if stop is None else stop
        written.append((number, answer))
    return written, stop


def _text(plan: Plan, written: Iterable[tuple[int, str | None]]) -> str:
    return "\n".join(render_step(number + 1, Step(plan.steps[number].query, answer)) for number, answer in written)


def _chain_without_ir(plan: Plan) -> list[Turn]:
    steps = enumerate(plan.steps, 1)
    return [
        Turn("system", PROMPTS.render(family(plan.task, use_ir=False))),
        Turn("user", f"[Question]: {plan.question}"),
        Turn("assistant", "\n".join(render_step(n, Step(step.query, step.answer)) for n, step in steps), True),
    ]


def _reply(plan: Plan, rng: random.Random) -> list[Turn]:
    """The final content: the short answer, and a sentence for each step with its key behind the full stop."""
    first = rng.randrange(999)  # so that the keys, which are made from ids, are never the same
    path = [
        Node(f"n{number}", None, 1, step.query, answer=step.answer, passage=_ANYWHERE, verdict=Verdict.AGREED)
        for number, step in enumerate(plan.steps, first)
    ]
    keys = keys_of(path)
    key_by_node = {node.id: key for key, node in keys.items()}
    steps = final_text.render_steps(path, keys, with_evidence=False)
    prompt = PROMPTS.render(
        "final",
        steps=steps,
        question=plan.question,
        wanted=WANTED[plan.task],
        length=LENGTHS[plan.task],
        example=final_text.example_key(keys),
    )
    sentences = (f"{step.sentence} [{key_by_node[node.id]}]" for step, node in zip(plan.steps, path, strict=True))
    content = f"[Answer]: {plan.final}\n[Final Content]: {' '.join(sentences)}"
    return [Turn("user", prompt), Turn("assistant", content, True)]


def _standalone(before: Exchange, question: str, standalone: str) -> list[Turn]:
    prompt = PROMPTS.render("standalone", history=told([before]), question=question)
    return [Turn("user", prompt), Turn("assistant", standalone, True)]


def encode(tokenizer: PreTrainedTokenizerBase, turns: Sequence[Turn]) -> Example:
    """A dialogue in the model's chat form. A scored turn is learned with the token that ends it."""
    ids: list[int] = []
    scored: list[bool] = []

    def add(text: str, is_scored: bool = False) -> None:
        new = tokenizer(text, add_special_tokens=False).input_ids
        ids.extend(new)
        scored.extend([is_scored] * len(new))

    if turns[0].role != "system":  # what the model's own chat template puts in front
        turns = [Turn("system", DEFAULT_SYSTEM), *turns]
    stem = ""
    for turn in turns:
        add(f"<|im_start|>{turn.role}\n")
        given = stem if stem and turn.content.startswith(stem) else ""  # the grammar writes it
        add(given)
        add(turn.content[len(given) :], turn.is_scored)
        stem = turn.content.rsplit("\n", 1)[-1] + "\n" if turn.role == "user" and "[Query" in turn.content else ""
        add("<|im_end|>", turn.is_scored)
        add("\n")
    return Example(tuple(ids), tuple(scored))


DEFAULT_SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


def batches(
    examples: Sequence[Example], *, tokens: int, seed: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """All examples once, in batches of about ``tokens`` tokens and like length: ids, mask and labels, [N, L] each."""
    rng = random.Random(seed)
    order = sorted(range(len(examples)), key=lambda number: len(examples[number].ids) + rng.random() * 12)
    groups: list[list[Example]] = [[]]
    for number in order:
        if groups[-1] and (len(groups[-1]) + 1) * len(examples[number].ids) > tokens:
            groups.append([])
        groups[-1].append(examples[number])
    rng.shuffle(groups)
    for group in groups:
        shape = len(group), max(len(example.ids) for example in group)
        ids, mask, labels = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.full(shape, -100, np.int64)
        for row, example in enumerate(group):
            size = len(example.ids)
            ids[row, :size], mask[row, :size] = example.ids, 1
            labels[row, :size] = np.where(example.scored, example.ids, -100)
        yield ids, mask, labels
