"""How well the planner keeps to the form: ``python -m lab.training.planner_scores --questions FILE [--limit N]``.

The embedded model plans every question of FILE (the form that eval reads) twice, with the grammar and without any.
A chain is in the right form when it is steps and nothing else, numbered from 1: a query that ends in a question mark,
then an answer of its number or the flag that it is open. Also printed: how many steps the planner answered itself.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from tqdm import tqdm

from lab.evaluation.examples import Example, choose, read_dataset
from searchain.chain.prompts import Prompts, family
from searchain.console import one_line_errors
from searchain.llm.base import Form
from searchain.llm.embedded import EmbeddedModel
from searchain.types import Abilities, Message

_STEP = re.compile(r"\[Query (\d+)\]: [^\n\[\]]+\?\n(?:\[Answer (\d+)\]: [^\n\[\]]+|\[Unsolved Query\])(?:\n|\Z)")
_TOKENS = 300


@dataclass(frozen=True, slots=True)
class FormScores:
    """Shares in percent; steps are counted in the chains with the grammar."""

    questions: int
    unconstrained: float
    with_grammar: float
    steps: int
    answered: int


def is_in_form(chain: str) -> bool:
    """Whether ``chain`` is steps numbered from 1 and nothing else.

    >>> is_in_form("[Query 1]: Who wrote Hamlet?\\n[Unsolved Query]"), is_in_form("Shakespeare wrote Hamlet.")
    (True, False)
    """
    at, number = 0, 0
    while found := _STEP.match(chain, at):
        at, number = found.end(), number + 1
        if int(found[1]) != number or found[2] not in (None, found[1]):
            return False
    return number > 0 and not chain[at:].strip()


def score(model: EmbeddedModel, examples: Sequence[Example]) -> FormScores:
    """The scores of the first chains that ``model`` writes for ``examples``."""
    prompts = Prompts(is_brief=model.abilities is Abilities.TRAINED)
    plain: list[str] = []
    constrained: list[str] = []
    for example in tqdm(examples, desc="planning", disable=not sys.stderr.isatty()):
        messages = [
            Message("system", prompts.render(family(example.task, use_ir=True))),
            Message("user", f"[Question]: {example.question}"),
        ]
        fields = model.fields(Form.CHAIN, messages)
        without = {name: value for name, value in fields.items() if name != "grammar"}
        for chains, asked in ((plain, without), (constrained, fields)):
            pieces = model.server.client().stream(messages, max_tokens=_TOKENS, extra_body=asked)
            chains.append("".join(piece for piece in pieces if isinstance(piece, str)))
    steps = [match for chain in constrained for match in _STEP.finditer(chain)]
    return FormScores(
        len(examples), _percent(plain), _percent(constrained), len(steps), sum(match[2] is not None for match in steps)
    )


def _percent(chains: Sequence[str]) -> float:
    return round(100 * sum(map(is_in_form, chains)) / len(chains), 1)


@click.command(help=__doc__)
@click.option(
    "--questions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="Questions in the form that eval reads.",
)
@click.option("--limit", type=click.IntRange(1), help="So many of them, drawn at random.")
@one_line_errors()
def main(questions: Path, limit: int | None) -> None:
    model = EmbeddedModel()
    try:
        click.echo(json.dumps(asdict(score(model, choose(read_dataset(questions).examples, limit, 0)))))
    finally:
        model.close()


if __name__ == "__main__":
    main()
