"""Train the model that makes follow-ups standalone: ``python -m lab.training.question_model --data DIR --out DIR``.

It learns from the conversations in ``data/conversations.jsonl.gz``, and that questions stand alone which follow one
another by chance: those of ``data/natural.jsonl.gz`` within a collection, those of DIR (``everyday``, ``reader``), and
small talk. What is asked amid polite words it learns from ``data/framed.jsonl``, and from questions without any.
How many look-ups a question needs it learns from ``data/steps.jsonl``, and from the decompositions of DIR.
Training begins at the embedded Reader. ``--out`` receives ``adapter.safetensors``, ``around.json`` (the words that may
stand around a question) and ``training.json``, with scores on what is never learnt; a checkpoint there is resumed.
Without ``--out`` the committed model is scored.
"""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn import functional
from transformers import BertModel

from lab.training.conversations import Row, bare, edits, places_of, written
from lab.training.framed import Framed, around, put_together
from lab.training.framed import written as framed_rows
from lab.training.loop import Training, train_passes
from lab.training.low_rank import LowRank, write_adapter
from lab.training.natural import For, natural
from lab.training.question_head import TALK, questions, read_questions, records
from lab.training.question_head import Row as Asked
from lab.training.reader_data import groups_of_like_length
from lab.training.steps import step_figures, step_rows, typed_rows
from searchain.console import one_line_errors
from searchain.embedded.assets import read_adapter
from searchain.embedded.minilm import ENCODER, WEIGHTS, base_state, minilm_tokenizer, reader_config
from searchain.language.text import tokens
from searchain.question.edits import JOINTS, Edit
from searchain.question.head import QUESTION
from searchain.question.question_model import AROUND, ASKED, ENDS, HEADS, PLACES, STEPS, QuestionModel, row_of, scores
from searchain.types import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that decides the outcome of a training run."""

    epochs: int = 5
    seed: int = 3
    lr: float = 8e-4
    """Peak of AdamW's learning rate: 5 % of the steps up, then down to 0."""
    rank: int = 24
    size: int = 16
    """Conversations per step."""
    alone: int = 1_800
    """Questions that follow one another by chance, and small talk, per pass."""
    finished: float = 0.3
    """Of the standalone questions that an edit makes, how many are learnt as such, per pass."""
    plain: int = 900
    """Questions and follow-ups without words around them, per pass."""
    several: int = 1_300
    """Questions whose steps are known, per pass."""
    single: int = 2_000
    """Questions and steps that need one look-up each, per pass."""


PLAN = Plan()


@dataclass(frozen=True, slots=True)
class Pointer:
    """One of the pointers of an edit: the tokens to choose from, and the right ones."""

    head: int
    tokens: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A conversation as the model reads it, and what it is to say of it."""

    ids: tuple[int, ...]
    place: int
    joint: int = 0
    pointers: tuple[Pointer, ...] = ()
    steps: int | None = None
    """The place in ``STEPS`` of how many look-ups the question needs, if that is known."""


def example(tokenizer: Tokenizer, row: Row, edit: Edit | None) -> Example | None:
    """Return what is learnt from a row; ``None`` if the model does not read the words of the edit."""
    read = row_of(tokenizer, row.question, row.history)
    if edit is None:
        return Example(read.ids, PLACES.index(None))
    of_last = edit.place.is_of_last
    base = [word for word in read.words if word.text == int(of_last)]
    others = [word for word in read.words if (word.text == 0) == of_last and (of_last or word.text > 0)]
    inside = [word for word in base if word.span.start < edit.at.end and word.span.end > edit.at.start]
    starts, stops = list[int](), list[int]()
    for number in {word.text for word in others}:
        own = [word for word in others if word.text == number]
        for first, last in places_of(edit.words, read.texts[number]):
            if last < len(own):
                starts.append(own[first].first)
                stops.append(own[last].last)
    if not (inside and starts):
        return None
    kinds = range(4 * of_last, 4 * of_last + 4)
    begin, end = (tuple(word.first for word in base), tuple(word.last for word in base))
    begin_other, end_other = (tuple(word.first for word in others), tuple(word.last for word in others))
    right = ((inside[0].first,), (inside[-1].last,), tuple(starts), tuple(stops))
    pointers = tuple(map(Pointer, kinds, (begin, end, begin_other, end_other), right))
    return Example(read.ids, PLACES.index(edit.place), JOINTS.index(edit.joint), pointers)


def framed_example(tokenizer: Tokenizer, row: Framed) -> Example | None:
    """Return what is learnt from a question with words around it; ``None`` if the model does not read it."""
    read, begin = row_of(tokenizer, row.text, ()), row.text.index(row.asked)
    inside = [word for word in read.words if begin <= word.span.start < begin + len(row.asked)]
    if not inside:
        return None
    pointers = (
        Pointer(ASKED, tuple(word.first for word in read.words), (inside[0].first,)),
        Pointer(ASKED + 1, tuple(word.last for word in read.words), (inside[-1].last,)),
    )
    return Example(read.ids, PLACES.index(None), pointers=pointers)


class TrainableQuestionModel:
    """Trainable are deltas of ``rank`` on all layers of the encoder, and the layers on its states."""

    def __init__(self, rank: int, start: Mapping[str, Tensor]) -> None:
        config = reader_config()
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
        config._attn_implementation = "eager"  # on a CPU the fused kernel's backward pass is a third of the step
        base = base_state()
        model = BertModel(config, add_pooling_layer=False)  # type: ignore[arg-type]  # as DPRReader builds it
        model.load_state_dict({name.removeprefix(ENCODER): tensor for name, tensor in base.items()})
        self._encoder = model.requires_grad_(False).train()
        layers = {name: tensor for name, tensor in base.items() if ".encoder.layer." in name}
        self._deltas = LowRank(layers, rank, "cpu", start)
        self._heads = dict(_heads(config.hidden_size))

    @property
    def parameters(self) -> list[Tensor]:
        return [*self._deltas.parameters, *self._heads.values()]

    def loss(self, batch: Sequence[Example]) -> Tensor:
        """Cross-entropy of place, joint and pointers."""
        longest = max(len(one.ids) for one in batch)
        ids = torch.tensor([[*one.ids, *[0] * (longest - len(one.ids))] for one in batch])
        mask = torch.tensor([[1] * len(one.ids) + [0] * (longest - len(one.ids)) for one in batch])
        weights = {name.removeprefix(ENCODER): tensor for name, tensor in self._deltas.weights().items()}
        first, ends = scores(functional_call(self._encoder, weights, (ids, mask))[0], self._heads)
        return torch.stack([_loss(one, first[at], ends[at]) for at, one in enumerate(batch)]).mean()

    def save(self, file: Path) -> None:
        """Write what training changed, in float16, in the form that ``QuestionModel`` reads."""
        write_adapter(file, self._deltas.state() | self._heads)


def _heads(size: int) -> Iterator[tuple[str, Tensor]]:
    for name, outputs in (("first", len(PLACES) + len(JOINTS) + len(STEPS)), ("ends", ENDS)):
        layer = nn.Linear(size, outputs)
        nn.init.normal_(layer.weight, std=0.02)
        nn.init.zeros_(layer.bias)
        yield from ((f"{HEADS}{name}.{half}", getattr(layer, half)) for half in ("weight", "bias"))


def _loss(one: Example, first: Tensor, ends: Tensor) -> Tensor:
    loss = functional.cross_entropy(first[: len(PLACES)], torch.tensor(one.place), label_smoothing=0.02)
    if one.place:
        loss = loss + functional.cross_entropy(first[len(PLACES) : -len(STEPS)], torch.tensor(one.joint))
    if one.steps is not None:
        loss = loss + functional.cross_entropy(first[-len(STEPS) :], torch.tensor(one.steps), label_smoothing=0.02)
    for pointer in one.pointers:
        shares = ends[list(pointer.tokens), pointer.head].log_softmax(0)
        right = sorted({pointer.tokens.index(token) for token in pointer.right})
        loss = loss - shares[right].logsumexp(0)
    return loss


def framed(data: Path, conversations: Sequence[Row], plan: Plan, rng: random.Random) -> Iterator[Framed]:
    """Yield what is learnt of polite words in a pass."""
    rows = [row for row in framed_rows() if row.part == "learn"]
    own = [asked["question"] for one in natural() if one.part != For.JUDGING for asked in one.asked]
    plain = [*own, *questions(data / "everyday" / "train.jsonl.gz"), *read_questions(data)]
    yield from rows
    yield from put_together(rows, plain, rng)
    others = [row.question for row in conversations if row.question.split()[0].strip(",.!").casefold() not in _POLITE]
    drawn = rng.sample(plain, plan.plain - plan.plain // 3) + rng.sample(others, plan.plain // 3)
    yield from (Framed(one, one) for one in drawn)


def stepped(data: Path, tokenizer: Tokenizer) -> tuple[list[Example], list[Example]]:
    """Return questions that need several look-ups, and those that need one."""
    rows = {row.text: row for row in step_rows(data)}.values()
    each = of_steps(tokenizer, rows)
    return [one for one in each if one.steps], [one for one in each if not one.steps]


def of_steps(tokenizer: Tokenizer, rows: Iterable[Asked]) -> list[Example]:
    """Return what is learnt of the number of look-ups."""
    return [
        Example(row_of(tokenizer, row.text, ()).ids, PLACES.index(None), steps=STEPS.index(row.kind)) for row in rows
    ]


_POLITE = frozenset("thanks thank thx hi hello hey ok okay please cool great hmm so well".split())


def by_chance(data: Path, rng: random.Random) -> Iterator[Row]:
    """Yield questions that follow one another by chance, and small talk, without end."""
    own = [
        [(one["question"], _answer(one)) for one in collection.asked if _REFERRING.isdisjoint(tokens(one["question"]))]
        for collection in natural()
        if collection.part != For.JUDGING
    ]
    talk = [row["text"] for row in records(TALK) if row["kind"] != QUESTION]
    world = [*questions(data / "everyday" / "train.jsonl.gz"), *read_questions(data)]
    while True:
        *before, (last, _) = rng.sample(rng.choice(own), rng.choice((2, 2, 3)))
        yield _alone([Exchange(asked, answer, answer) for asked, answer in before], last)
        *others, question = rng.sample(world, rng.choice((2, 2, 3)))
        yield _alone([Exchange(asked, "", "") for asked in others], question)
        yield _alone([Exchange(asked, answer, answer) for asked, answer in before], rng.choice(talk))


_REFERRING = frozenset("it its he she him her his they them their this that there".split())


def _answer(asked: Mapping[str, Any]) -> str:
    return str(next(iter(asked["answers"]), ""))


def _alone(history: Sequence[Exchange], question: str) -> Row:
    return Row(tuple(history), question, question)


def passes(data: Path, plan: Plan, tokenizer: Tokenizer) -> list[list[Example]]:
    """Return what is learnt in each pass."""
    rng = random.Random(plan.seed)
    rows, chance = [row for row in written() if row.part == "learn"], by_chance(data, rng)
    several, single = stepped(data, tokenizer)
    asked = of_steps(tokenizer, typed_rows("learn"))
    result = []
    for _ in range(plan.epochs):
        some = [
            pair
            for row in rows
            for number, pair in enumerate(edits(row))
            if number == 0 or pair[1] is not None or rng.random() < plan.finished
        ]
        some += [(next(chance), None) for _ in range(plan.alone)]
        made = [example(tokenizer, row, edit) for row, edit in some]
        made += [framed_example(tokenizer, row) for row in framed(data, rows, plan, rng)]
        made += asked + rng.sample(several, plan.several) + rng.sample(single, plan.single)
        result.append([one for one in made if one is not None])
    return result


def batches(rows: Sequence[Example], *, size: int, seed: int) -> Iterator[list[Example]]:
    for group in groups_of_like_length([len(row.ids) for row in rows], size, random.Random(seed)):
        yield [rows[number] for number in group]


def judged(data: Path) -> Iterator[tuple[str, Row]]:
    """Yield the rows that are never learnt, with the names of their sets."""
    for row in written():
        if row.part != "learn":
            yield f"{row.part}, {'stand alone' if row.stands_alone else row.about}", row
    for one in natural():
        if one.part == For.JUDGING:
            for before, after in pairwise(one.asked):
                said = [Exchange(before["question"], _answer(before), _answer(before))]
                yield "natural, stand alone", _alone(said, after["question"])
    for name in ("everyday", "vital"):
        for asked, question in pairwise(questions(data / name / "dev.jsonl.gz")):
            yield f"{name}/dev, stand alone", _alone([Exchange(asked, "", "")], question)


def figures(model: QuestionModel, data: Path) -> dict[str, str]:
    """Return how many questions of each set become what they should be, and how well steps are known."""
    sets = defaultdict[str, list[tuple[bool, bool]]](list)
    for name, row in judged(data):
        whole = model.standalone(row.question, row.history)
        sets[name].append((same(whole, row.standalone), same(whole, row.question)))
    for name, framed in judged_frames(data):
        asked, kept = model.bare(framed.text), framed.text
        sets[name].append((_unended(asked) == _unended(framed.asked), asked == kept))
    made = {
        name: f"{sum(right for right, _ in some)} of {len(some)} right, "
        f"{sum(not (right or left) for right, left in some)} wrongly changed"
        for name, some in sets.items()
    }
    return made | dict(step_figures(model.expected_steps, data))


def judged_frames(data: Path) -> Iterator[tuple[str, Framed]]:
    """Yield the texts that are never learnt, with the names of their sets."""
    for row in framed_rows():
        if row.part == "judge":
            yield f"with{'' if row.has_frame else 'out'} polite words, {row.about}", row
    plain = {f"{name}/dev": questions(data / name / "dev.jsonl.gz") for name in ("everyday", "vital")}
    plain["natural"] = [asked["question"] for one in natural() if one.part == For.JUDGING for asked in one.asked]
    for name, some in plain.items():
        yield from ((f"{name}, without polite words", Framed(one, one)) for one in some)


def _unended(text: str) -> str:
    return text.strip(" ?.,!")


_SMALL = frozenset("a an the in at of for on to".split())


def same(one: str, other: str) -> bool:
    """Tell whether two questions have the same words, without small ones."""
    words, others = ([word for word in bare(text) if word not in _SMALL] for text in (one, other))
    return words == others


@click.command(help=__doc__)
@click.option(
    "--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True, help="Folder with the data."
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the results.")
@click.option("--epochs", default=PLAN.epochs, show_default=True)
@click.option("--seed", default=PLAN.seed, show_default=True)
@one_line_errors()
def main(data: Path, out: Path | None, epochs: int, seed: int) -> None:
    if out is None:
        click.echo(json.dumps(figures(QuestionModel(), data), indent=2))
        return
    plan, tokenizer, started = Plan(epochs=epochs, seed=seed), minilm_tokenizer(), time.monotonic()

    def begin(steps: int) -> Training:
        torch.manual_seed(plan.seed)
        start = read_adapter(WEIGHTS / "adapter.safetensors")
        return Training(TrainableQuestionModel(plan.rank, start), plan, steps, "cpu")

    train_passes(
        begin, passes(data, plan, tokenizer), lambda some, seed: batches(some, size=plan.size, seed=seed), out, plan
    )
    words = around([row for row in framed_rows() if row.part == "learn"])
    (out / AROUND).write_text(json.dumps(words, separators=(",", ":")) + "\n", encoding="utf-8")
    seconds = round(time.monotonic() - started)
    facts = {"settings": asdict(plan), "training_seconds": seconds, "scores": figures(QuestionModel(out), data)}
    (out / "training.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    click.echo(json.dumps(facts["scores"], indent=2))


if __name__ == "__main__":
    main()
