"""Train the embedded ColBERT checkpoint's adapter: ``python -m searchain.training.colbert --data DIR --out DIR``.

DIR of ``--data`` holds ``train.jsonl.gz`` and ``dev.jsonl.gz`` in the reader format. Beside a sample of them stand the
project's own questions and plans, and questions made by patterns over the passages of ``--corpus`` and the embedded
corpus; near misses are what the untrained checkpoint finds there. Started again with the same settings, training goes
on from its last checkpoint. ``--out`` receives ``adapter.safetensors`` and ``training.json`` (settings, and the scores
through PLAID on questions held back, beside those of the untrained checkpoint).
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click
import torch
from tqdm import tqdm

from searchain.console import one_line_errors
from searchain.errors import UsageError
from searchain.records import read_records
from searchain.retrieval import checkpoint, indexes
from searchain.retrieval.corpus import default_corpus, to_line
from searchain.retrieval.corpus import read as read_corpus
from searchain.training.colbert_data import (
    OWN,
    PLANS,
    Batch,
    Example,
    batches,
    from_plans,
    from_records,
    hold_back,
    stored,
    with_negatives,
    without,
)
from searchain.training.colbert_model import TrainableColbert
from searchain.training.colbert_scores import Case, compare
from searchain.training.reader_data import licensed
from searchain.training.relations import questions

LOGGED, SAVED = 10, 20
"""Steps between lines of progress and between checkpoints."""
INDEX = "colbert-training"
"""The index of ``--corpus`` that near misses are searched in, beside that of the embedded corpus."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that decides the outcome of a training run."""

    seed: int = 1
    lr: float = 5e-4
    """Peak of AdamW's learning rate: 10 % of the steps up, then down to 0."""
    rank: int = 16
    size: int = 24
    """Questions per step."""
    negatives: int = 1
    """Near misses per question, beside the other questions' passages."""
    read: int = 800
    """Questions of ``--data``."""
    made: int = 800
    """Questions made by patterns."""
    own: int = 3_500
    """Questions of the project's own at most."""
    held: int = 200
    """Own questions held back, and as many of the development data."""
    pool: int = 3_000
    """Passages that the held-back questions are searched among."""


PLAN = Plan()


class Training:
    """A model with its optimiser, and where they stand in the plan."""

    def __init__(self, plan: Plan, directory: Path, steps: int, device: str) -> None:
        torch.manual_seed(plan.seed)
        self.model = TrainableColbert(directory, plan.rank, device)
        self.step = 0
        self._plan, self._device = plan, device
        self._optimizer = torch.optim.AdamW(self.model.parameters, lr=plan.lr, weight_decay=0.01)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer, lambda step: min((step + 1) / (0.1 * steps), 1 - step / steps)
        )

    def learn(self, batch: Batch) -> float:
        """Take one step; returns the loss before it."""
        loss = self.model.loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters, 1.0)
        self._optimizer.step()
        self._schedule.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.step += 1
        return loss.item()

    def save(self, file: Path) -> None:
        """Write everything that ``resume`` needs, all or nothing."""
        draft = file.with_suffix(".draft")
        torch.save(
            {
                "plan": asdict(self._plan),
                "step": self.step,
                "optimizer": self._optimizer.state_dict(),
                "trainable": [tensor.detach() for tensor in self.model.parameters],
                "schedule": self._schedule.state_dict(),
            },
            draft,
        )
        draft.replace(file)

    def resume(self, file: Path) -> None:
        """Go on from ``file``. Raises ``UsageError`` when it belongs to another plan."""
        saved = torch.load(file, map_location=self._device, weights_only=True)
        if saved["plan"] != asdict(self._plan):
            raise UsageError(f"{str(file)!r} belongs to other settings; give another --out or remove it")
        with torch.no_grad():
            for tensor, value in zip(self.model.parameters, saved["trainable"], strict=True):
                tensor.copy_(value)
        self._optimizer.load_state_dict(saved["optimizer"])
        self._schedule.load_state_dict(saved["schedule"])
        self.step = saved["step"]


def held_back(data: Path, plan: Plan) -> tuple[list[Example], list[Example]]:
    """(Questions to score on: ``plan.held`` of the own ones and as many of the development data; the other own ones,
    none of whose pages they ask about.)"""
    rng = random.Random(plan.seed)
    held, own = hold_back(from_records(read_records(OWN)), plan.held, rng)
    known = from_records(read_records(data / "dev.jsonl.gz"))
    return held + rng.sample(known, min(plan.held, len(known))), own


def gather(data: Path, corpora: Sequence[Path], plan: Plan) -> list[Example]:
    """The questions to train on, with near misses found by the untrained checkpoint."""
    rng = random.Random(plan.seed)
    held, own = held_back(data, plan)
    leads = default_corpus().passages
    passages = [*(read_corpus(corpora).passages if corpora else ()), *leads]
    made = from_records(
        record
        for passage in rng.sample(passages, min(plan.made * 4, len(passages)))
        for record in questions(passage, rng, most=1)
    )
    given = from_records(licensed(read_records(data / "train.jsonl.gz")))
    pages = {passage.title: passage for passage in leads}
    examples = without(
        [
            *own[: plan.own],
            *from_plans(PLANS, pages),
            *rng.sample(made, min(plan.made, len(made))),
            *rng.sample(given, min(plan.read, len(given))),
        ],
        held,
    )
    untrained = str(checkpoint.made(None))
    lead_texts = {passage.text for passage in leads}
    names = [indexes.build_index(f"{INDEX}-leads", ["default"], checkpoint=untrained).index.name]
    if corpora:
        names.append(indexes.build_index(INDEX, corpora, checkpoint=untrained).index.name)
    retrievers = [indexes.open_index(name) for name in names]
    found = []
    for done, example in enumerate(tqdm(examples, desc="near misses", disable=None), 1):
        is_lead = " ".join(example.positives[0].text.split()) in lead_texts
        found.append(with_negatives(example, retrievers[0 if is_lead else -1], plan.negatives * 3))
        if done % 500 == 0:
            click.echo(f"near misses of {done}/{len(examples)} questions")
    return found


def train(examples: Sequence[Example], out: Path, plan: Plan, device: str) -> None:
    """Run ``plan`` once over ``examples``; leaves ``adapter.safetensors`` and ``checkpoint.pt`` in ``out``."""
    file = out / "checkpoint.pt"
    steps = -(-len(examples) // plan.size)
    training = Training(plan, checkpoint.made(None), steps, device)
    if file.is_file():
        training.resume(file)
        click.echo(f"resuming at step {training.step} of {steps}")
    done, started, losses = training.step, time.monotonic(), []
    for place, batch in enumerate(batches(examples, size=plan.size, negatives=plan.negatives, seed=plan.seed)):
        if place < done:
            continue
        losses.append(training.learn(batch))
        if training.step % LOGGED == 0:
            rate = (time.monotonic() - started) / (training.step - done)
            click.echo(f"step {training.step}/{steps} loss {sum(losses) / len(losses):.3f} {rate:.1f} s a step")
            losses.clear()
        if training.step % SAVED == 0 or training.step == steps:
            training.save(file)
    training.model.save(out / "adapter.safetensors")


def score(data: Path, out: Path, plan: Plan) -> dict[str, Any]:
    """The scores on the held-back questions, among their passages, all of the development data's and a sample of the
    embedded corpus."""
    held, _ = held_back(data, plan)
    known = [record.passage for record in read_records(data / "dev.jsonl.gz")]
    leads = default_corpus().passages
    texts = {
        passage.text: passage
        for passage in (
            *(example.positives[0] for example in held),
            *known,
            *random.Random(plan.seed).sample(leads, len(leads)),
        )
    }
    passages = [replace(passage, id=str(place)) for place, passage in enumerate(list(texts.values())[: plan.pool])]
    ids = {passage.text: passage.id for passage in passages}
    file = out / "held-back.jsonl"
    file.write_text("".join(map(to_line, passages)), encoding="utf-8")
    cases = [Case(example.question, (frozenset({ids[example.positives[0].text]}),)) for example in held]
    return compare(cases, [file], out / "adapter.safetensors")


@click.command(help=__doc__)
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder with train.jsonl.gz and dev.jsonl.gz.",
)
@click.option(
    "--corpus",
    "corpora",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Passages to make questions from and to search near misses in.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the results.")
@click.option("--seed", default=PLAN.seed, show_default=True)
@click.option("--lr", default=PLAN.lr, show_default=True, help="Peak learning rate.")
@click.option("--rank", default=PLAN.rank, show_default=True, help="Rank of the deltas.")
@click.option("--negatives", default=PLAN.negatives, show_default=True, help="Near misses per question.")
@click.option("--read", default=PLAN.read, show_default=True, help="Questions of --data.")
@click.option("--made", default=PLAN.made, show_default=True, help="Questions made by patterns.")
@click.option("--own", default=PLAN.own, show_default=True, help="Own questions at most.")
@click.option("--held", default=PLAN.held, show_default=True, help="Own questions to score on, and as many others.")
@click.option("--pool", default=PLAN.pool, show_default=True, help="Passages to search them among.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@one_line_errors()
def main(data: Path, corpora: tuple[Path, ...], out: Path, device: str, **settings: Any) -> None:
    plan = Plan(**settings)
    out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    examples = stored(out / "examples.jsonl.gz", asdict(plan), lambda: gather(data, corpora, plan))
    click.echo(f"{len(examples)} questions; settings {json.dumps(asdict(plan))}")
    train(examples, out, plan, device)
    seconds = round(time.monotonic() - started)
    facts = {
        "settings": asdict(plan),
        "device": device,
        "questions": len(examples),
        "training_seconds": seconds,
        "scores": score(data, out, plan),
    }
    (out / "training.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    click.echo(json.dumps(facts["scores"], indent=2))


if __name__ == "__main__":
    main()
