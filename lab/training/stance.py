"""Train the stance model: ``python -m lab.training.stance --out DIR``.

It learns from the project's own claims, questions and plans, from ``--records`` in the reader format, from facts
that patterns (``relations``, ``statements``) find in the passages of ``--corpus`` and of the embedded corpus, with
``--rules`` from rules, minutes and manuals (``policies``), with ``--typed`` from questions as people type them about
articles (``asked``), and with ``--cases`` from ``cases``. Training begins at the embedded Reader, which already
compares a text with a passage, or where ``--start`` names. Started again with the same settings it goes on from its
last checkpoint. ``--out`` receives ``adapter.safetensors`` and ``training.json``: settings and scores.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import torch

from lab.training.asked import asked
from lab.training.calibration import Record, read_records
from lab.training.loop import Training, train_passes
from lab.training.policies import claims as policy_claims
from lab.training.policies import drawn, policies
from lab.training.reader_data import leads, licensed
from lab.training.relations import questions
from lab.training.stance_batches import batches, encode
from lab.training.stance_data import (
    Claim,
    definitions,
    from_facts,
    hold_back,
    read_claims,
    record_facts,
    step_facts,
    variants,
)
from lab.training.stance_model import TrainableStance
from lab.training.stance_scores import score
from searchain.console import one_line_errors
from searchain.embedded.assets import read_adapter, sha256
from searchain.embedded.minilm import WEIGHTS, minilm_tokenizer
from searchain.reading.stance import QUESTIONS, MiniLMStance, embedded_stance
from searchain.retrieval.corpus import Reading
from searchain.types import Passage

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that decides the outcome of a training run."""

    epochs: int = 2
    seed: int = 3
    lr: float = 8e-4
    """Peak of AdamW's learning rate: 5 % of the steps up, then down to 0."""
    rank: int = 24
    size: int = 16
    """Sequences per step."""
    max_length: int = 192
    """Tokens per sequence."""
    smoothing: float = 0.05
    asked: float = 0.5
    """Of the claims that people wrote, how many are learnt as yes/no questions too, where that form is easy."""
    away: float = 0.4
    """How many are learnt beside a near passage too, which leaves them open."""
    unknown: float = 0.2
    """Of the other statements, how many stand beside such a passage."""
    records: int = 2_600
    """Statements made from reading questions, per pass; each pass has others of what there is."""
    made: int = 2_000
    """Statements made from patterns, per pass."""
    defined: int = 800
    """Statements of what a title is, per pass."""
    articles: int | None = None
    """Of the statements about articles, how many are learnt per pass; all by default."""
    rules: int = 0
    """How often the sentences of ``policies`` are learnt per pass."""
    drawn: int = 700
    """Statements of drawn days, times and offices, per pass, where ``policies`` are learnt."""
    typed: int = 0
    """How often the questions of ``asked`` are learnt per pass."""
    held: int = 300
    """Claims that people wrote which are not learnt: the model is scored on them."""
    cases: str | None = None
    """SHA-256 of the claims of ``cases``."""
    start: str = "reader"
    """Where training begins: at one of the embedded models, or at the ``base`` weights."""
    limit: int | None = None


PLAN = Plan()


def begin(plan: Plan, steps: int, device: str) -> Training:
    """Prepare the training of a stance model."""
    torch.manual_seed(plan.seed)
    folder = {"reader": WEIGHTS, "stance": embedded_stance(), "questions": embedded_stance(QUESTIONS)}.get(plan.start)
    start = read_adapter(folder / "adapter.safetensors") if folder else None
    return Training(TrainableStance(plan.rank, device, start, smoothing=plan.smoothing), plan, steps, device)


def passes(
    claims: Sequence[Claim],
    records: Sequence[Record],
    passages: Sequence[Passage],
    plan: Plan,
    cases: Sequence[Claim] = (),
) -> list[list[Claim]]:
    """The statements of each pass: all claims, cases and steps of plans, and a share of the records and patterns."""
    facts, steps, known = record_facts(records), step_facts(DATA / "plans.jsonl.gz", passages), policies()
    result = []
    for number in range(plan.epochs):
        rng = random.Random(f"{plan.seed}-{number}")
        shown = [
            *rng.sample(facts, min(plan.records, len(facts))),
            *steps,
            *record_facts(_made(passages, plan.made, rng)),
        ]
        some = [
            *variants(claims, passages, rng, asked=plan.asked, unknown=plan.away),
            *from_facts(shown, passages, rng, unknown=plan.unknown),
        ]
        some += list(definitions(rng.sample(passages, min(3 * plan.defined, len(passages))), rng))[: plan.defined]
        if plan.articles is not None:
            some = rng.sample(some, min(plan.articles, len(some)))
        if plan.rules:
            some += [claim for _ in range(plan.rules) for claim in policy_claims(known, rng)]
            some += drawn(plan.drawn, rng)
        for _ in range(plan.typed):
            some += variants(list(asked("learn")), passages, rng, asked=0.0, unknown=plan.away)
        some += cases
        rng.shuffle(some)
        result.append(some[: plan.limit])
    return result


def _made(passages: Sequence[Passage], count: int, rng: random.Random) -> list[Record]:
    made: list[Record] = []
    for passage in rng.sample(passages, len(passages)):
        if len(made) >= count:
            break
        made.extend(questions(passage, rng))
    return made


def train(shown: Sequence[Sequence[Claim]], out: Path, plan: Plan, device: str) -> None:
    """Run ``plan``, as ``loop.train_passes`` does."""
    tokens = minilm_tokenizer()
    train_passes(
        lambda steps: begin(plan, steps, device),
        shown,
        lambda some, seed: batches(encode(tokens, some, plan.max_length), size=plan.size, seed=seed),
        out,
        plan,
    )


@click.command(help=__doc__)
@click.option(
    "--claims",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=DATA / "claims.jsonl.gz",
    help="Claims with passages; default: the project's own.",
)
@click.option(
    "--records",
    "more",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Reading questions beside the project's own.",
)
@click.option(
    "--corpus",
    "corpora",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Passages beside the embedded corpus.",
)
@click.option(
    "--cases", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Claims of lab.training.cases."
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the results.")
@click.option("--epochs", default=PLAN.epochs, show_default=True)
@click.option("--seed", default=PLAN.seed, show_default=True)
@click.option("--lr", default=PLAN.lr, show_default=True, help="Peak learning rate.")
@click.option("--rank", default=PLAN.rank, show_default=True, help="Rank of the deltas.")
@click.option(
    "--start", type=click.Choice(["reader", "stance", "questions", "base"]), default=PLAN.start, show_default=True
)
@click.option("--articles", type=int, help="Learn only so many of the statements about articles a pass.")
@click.option("--rules", default=PLAN.rules, show_default=True, help="How often policies are learnt a pass.")
@click.option("--typed", default=PLAN.typed, show_default=True, help="How often typed questions are learnt a pass.")
@click.option("--limit", type=int, help="Train on only so many statements a pass.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@one_line_errors()
def main(
    claims: Path,
    more: tuple[Path, ...],
    corpora: tuple[Path, ...],
    cases: Path | None,
    out: Path,
    device: str,
    **settings: Any,
) -> None:
    plan = Plan(cases=sha256(cases) if cases else None, **settings)
    started = time.monotonic()
    learnt, held = hold_back(read_claims(claims), plan.held, plan.seed)
    records = licensed(record for file in (DATA / "questions.jsonl.gz", *more) for record in read_records(file))
    passages = [*(Reading(corpora) if corpora else ()), *leads()]
    train(passes(learnt, records, passages, plan, read_claims(cases) if cases else ()), out, plan, device)
    seconds = round(time.monotonic() - started)
    facts = {
        "settings": asdict(plan),
        "device": device,
        "training_seconds": seconds,
        "scores": asdict(score(MiniLMStance(out), held)),
        "typed": asdict(score(MiniLMStance(out), list(asked("judge")))),
    }
    (out / "training.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    click.echo(json.dumps([facts["scores"], facts["typed"]]))


if __name__ == "__main__":
    main()
