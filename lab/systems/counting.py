"""How many examples a system's prompt shows (table 8 of the paper)."""

from __future__ import annotations

from lab.systems.base import SYSTEMS, reads_demonstrations
from lab.systems.demonstrations import demonstrations, how_many
from searchain.chain import prompts
from searchain.types import TaskKind

KINDS = {
    "strategyqa": TaskKind.YESNO,
    "zsre": TaskKind.SLOTS,
    "trex": TaskKind.SLOTS,
    "fever": TaskKind.FACTCHECK,
    "eli5": TaskKind.LONGFORM,
}
"""What the questions of a data set ask for; all others several steps."""


def examples_of(system: str, dataset: str) -> int:
    """The number of solved questions that the prompts of a system show."""
    kind = KINDS.get(dataset, TaskKind.MULTIHOP)
    if system.startswith("direct"):  # they show the form of the reply
        return _asked(f"examples-{prompts.family(kind, use_ir=True)}")
    if not reads_demonstrations(SYSTEMS[system]):
        return _asked(prompts.family(kind, use_ir=SYSTEMS[system].uses_ir))
    return len(demonstrations(kind, how_many(system, kind)))


def _asked(prompt: str) -> int:
    """How many questions stand in a prompt file."""
    return (prompts.FOLDER / f"{prompt}.md").read_text(encoding="utf-8").count("[Question]:")
