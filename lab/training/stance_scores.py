"""Score how well a stance model says whether passages support claims: ``python -m lab.training.stance_scores``.

On claims with their passage, and on claims (``--data``, of the form that ``eval`` takes) for which ``--corpus`` is
searched first; there the passages that decide are chosen in several ways.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from lab.training.stance_data import Claim, hold_back, read_claims
from searchain.console import one_line_errors, tracked
from searchain.language.text import content_words
from searchain.reading.stance import LABELS, MiniLMStance, Stance, embedded_stance
from searchain.types import Hit, Opinion

CLAIMS = Path(__file__).parent / "data" / "claims.jsonl.gz"


@dataclass(frozen=True, slots=True)
class Scores:
    """All in percent: the right one of three labels; of the claims that their passage decides, the right side."""

    accuracy: float
    side: float
    recalls: dict[str, float]
    """Of the claims of each label, how many get it."""
    claims: int


def score(stance: Stance, claims: Sequence[Claim]) -> Scores:
    """The scores of ``stance`` on ``claims``."""
    judged = [(claim.label, stance.judge(claim.statement, [claim.passage])[0]) for claim in claims]
    right = [
        (label, getattr(opinion, label) == max(opinion.supports, opinion.refutes, opinion.unknown))
        for label, opinion in judged
    ]
    sides = [(opinion.margin > 0) == (label == "supports") for label, opinion in judged if label != "unknown"]
    recalls = {label: _percent([is_right for true, is_right in right if true == label]) for label in LABELS}
    return Scores(_percent([is_right for _, is_right in right]), _percent(sides), recalls, len(claims))


def _percent(values: Sequence[bool]) -> float:
    return round(100 * sum(values) / len(values), 2) if values else 0.0


Choice = Callable[[str, Sequence[Hit], Sequence[Opinion]], float]
CHOICES: Mapping[str, Choice] = {
    "first": lambda claim, hits, opinions: opinions[0].margin,
    "greatest margin": lambda claim, hits, opinions: max((opinion.margin for opinion in opinions), key=abs),
    "most support - most refutation": lambda claim, hits, opinions: (
        max(opinion.supports for opinion in opinions) - max(opinion.refutes for opinion in opinions)
    ),
    "sum": lambda claim, hits, opinions: sum(opinion.margin for opinion in opinions),
    "sum by rank": lambda claim, hits, opinions: sum(
        opinion.margin / hit.rank for hit, opinion in zip(hits, opinions, strict=True)
    ),
    "sum by title": lambda claim, hits, opinions: sum(
        opinion.margin * (0.1 + _named(claim, hit)) for hit, opinion in zip(hits, opinions, strict=True)
    ),
    "greatest margin by title": lambda claim, hits, opinions: max(
        (opinion.margin * (0.1 + _named(claim, hit)) for hit, opinion in zip(hits, opinions, strict=True)), key=abs
    ),
}
"""How the opinions on the hits of one claim become one number, positive for the claim."""


def _named(claim: str, hit: Hit) -> float:
    """How much of the passage's title the claim names."""
    title = content_words(hit.passage.title)
    return len(title & content_words(claim)) / len(title) if title else 0.0


@click.command(help=__doc__)
@click.option(
    "--stance",
    "directory",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with an adapter; default: the embedded model.",
)
@click.option("--held", default=300, show_default=True, help="Claims that were not learnt, of the project's own.")
@click.option("--seed", default=3, show_default=True, help="The seed of the training that held them back.")
@click.option("--data", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Claims to search for.")
@click.option("--corpus", help="Where: a file of passages, or an index.")
@click.option("--passages", default=5, show_default=True)
@one_line_errors()
def main(directory: Path | None, held: int, seed: int, data: Path | None, corpus: str | None, passages: int) -> None:
    stance = MiniLMStance(directory or embedded_stance())
    click.echo(json.dumps(asdict(score(stance, hold_back(read_claims(CLAIMS), held, seed)[1]))))
    if data is None or corpus is None:
        return
    from lab.evaluation.corpora import index_of
    from lab.evaluation.examples import read_dataset
    from searchain.retrieval.indexes import open_index

    retriever = open_index(index_of(corpus))
    examples = read_dataset(data).examples
    right: dict[str, list[bool]] = {name: [] for name in CHOICES}
    for example in tracked(examples, "judging"):
        hits = retriever.search(example.question, passages)
        opinions = stance.judge(example.question, [hit.passage for hit in hits])
        for name, choice in CHOICES.items():
            said = "SUPPORTS" if choice(example.question, hits, opinions) > 0 else "REFUTES"
            right[name].append(said == example.answers[0])
    for name, values in right.items():
        click.echo(f"{_percent(values):6.2f}  {name}")


if __name__ == "__main__":
    main()
