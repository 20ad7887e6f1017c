"""The help that the program gives a language model with what it does not do well itself.

Measurements decide which help a model gets from its abilities, never its name. ``docs/negative-results.md`` lists help
that did not pay. All other modules ask this one object.
"""

from __future__ import annotations

from dataclasses import dataclass

from searchain.llm.base import Abilities
from searchain.settings import Method


@dataclass(frozen=True, slots=True, kw_only=True)
class Help:
    """The kinds of help that one run gives its model; all are off by default."""

    briefs: bool = False
    """The model gets short prompts, one per reply, in the forms that it was trained on."""
    guards: bool = False
    """Steps that do not belong to the question are left out."""
    continues: bool = False
    """A new branch begins with the corrected step and its answer; the model writes only what follows."""
    stops: bool = False
    """The chain ends at the step that asks all that the question asks."""
    finishes: bool = False
    """A chain that ends after its first step goes on with what is left to ask."""
    compares: bool = False
    """Dates and numbers are compared by the program."""
    concludes: bool = False
    """The short answer is taken from the last step."""
    resolves: bool = False
    """A rule, not the model, makes a follow-up standalone."""
    quotes: bool = False
    """A reply consists of the short answer and the passages' own sentences."""
    keeps_word: bool = False
    """Not a help: after the model was shown a passage, its answer counts, even against what was read there."""


def help_for(abilities: Abilities, method: Method) -> Help:
    """Return the help for a model with these ``abilities``; the ``paper`` profile leaves its chain unchanged."""
    return Help(
        briefs=abilities.knows_forms,
        guards=method.guards_plans and not abilities.plans,
        continues=method.program_may_answer and abilities.continues,
        stops=method.program_may_answer and not abilities.stops,
        finishes=method.program_may_answer and not abilities.plans,
        compares=method.program_may_answer and not abilities.compares,
        resolves=not abilities.plans,
        concludes=method.program_may_answer and not abilities.concludes,
        quotes=method.program_may_answer and not abilities.explains,
        keeps_word=abilities.keeps_word or method.model_has_last_word,
    )
