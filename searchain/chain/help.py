"""What the program does for a language model that does not do it well itself.

Which help pays is decided by measurement for a model's abilities (``docs/negative-results.md`` has what did not), never
by which model it is. All other modules ask this one object.
"""

from __future__ import annotations

from dataclasses import dataclass

from searchain.llm.base import Abilities
from searchain.settings import Method


@dataclass(frozen=True, slots=True, kw_only=True)
class Help:
    """The help that one run gives its model."""

    briefs: bool = False
    """Short prompts, each reply asked for alone, in the forms that the model was trained on."""
    guards: bool = False
    """A step that does not belong to the question is left out."""
    samples: bool = False
    """In the place of a step that is no good another one is sampled."""
    continues: bool = False
    """A new branch begins with the mended step and its answer; the model writes only what follows."""
    stops: bool = False
    """The chain ends at the step that asks all that the question asks."""
    compares: bool = False
    """Dates and numbers are compared by the program."""
    concludes: bool = False
    """The short answer is taken from the last step."""
    resolves: bool = False
    """What a follow-up points to is resolved by rule."""
    quotes: bool = False
    """A reply consists of the short answer and the passages' own sentences."""
    keeps_word: bool = False
    """No help: the answer that the model gives after it was shown a passage is in force, whatever was read there."""


def help_for(abilities: Abilities, method: Method) -> Help:
    """Return the help for a model with these ``abilities``; the ``paper`` profile does not touch its chain."""
    return Help(
        briefs=abilities.knows_forms,
        guards=method.guards_plans and not abilities.plans,
        samples=method.samples_steps and not abilities.plans,
        continues=method.program_may_answer and abilities.continues,
        stops=method.program_may_answer and not abilities.stops,
        compares=method.program_may_answer and not abilities.compares,
        resolves=not abilities.concludes,
        concludes=method.program_may_answer and not abilities.concludes,
        quotes=method.program_may_answer and not abilities.explains,
        keeps_word=abilities.keeps_word or method.model_has_last_word,
    )
