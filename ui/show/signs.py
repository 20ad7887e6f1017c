"""The one table of signs and words for a reply, a sentence, a step and a run.

The page, the shell, exports and copies all use it, so that each state has the same name everywhere. No state is shown
by colour alone. The words are English; the page translates them to its reader's language.
"""

from __future__ import annotations

from dataclasses import dataclass

from searchain.types import Outcome, Status, Verdict
from ui.translation import N_


@dataclass(frozen=True, slots=True)
class Sign:
    icon: str
    word: str
    name: str
    """The name in CSS classes."""
    help: str = ""


# how far a reply, or a sentence of it, can be believed
SUPPORTED = Sign("✓", N_("Supported"), "supported", N_("the passages carry it, and it is very likely right"))
UNSURE = Sign("?", N_("Not sure"), "unsure", N_("it may be wrong: read the passages it cites"))
NOT_FOUND = Sign("–", N_("Not found"), "not-found", N_("no passage answers it"))
NOT_CHECKED = Sign("–", N_("Not checked"), "unrated", N_("whether such answers are right was never measured"))
CHECKING = Sign("…", N_("Checking with a larger model"), "busy")

ODDS_UNKNOWN = N_("how often such answers are right is not known")
"""Stands beside the sign of a reply without a probability."""

# how a run ended that did not come to its end
STOPPED = Sign("■", N_("Stopped"), "stopped")
FAILED = Sign("!", N_("Could not go on"), "failed")
INTERRUPTED = Sign("■", N_("Interrupted"), "interrupted")

OUTCOMES: dict[Outcome, Sign | None] = {
    Outcome.SUPPORTED: SUPPORTED,
    Outcome.UNSURE: UNSURE,
    Outcome.NOT_FOUND: NOT_FOUND,
    Outcome.NO_SEARCH: None,
}
UNFINISHED = {Status.STOPPED: STOPPED, Status.FAILED: FAILED, Status.INTERRUPTED: INTERRUPTED}

# how the answer of one step was come by: this says nothing of how far it can be believed
VERDICTS = {
    Verdict.AGREED: Sign("=", N_("same in the article"), "agreed", N_("the model and the article say the same")),
    Verdict.CORRECTED: Sign(
        "↻", N_("the article says otherwise"), "corrected", N_("the article was followed, not the model")
    ),
    Verdict.COMPLETED: Sign("→", N_("looked up"), "completed", N_("the article answers what the model left to it")),
    Verdict.DISPUTED: Sign("≠", N_("the article disagrees"), "disputed", N_("the model keeps to its answer")),
    Verdict.UNCONFIRMED: Sign("?", N_("not confirmed"), "unconfirmed", N_("no passage confirms it")),
}
SEARCHING = Sign("…", N_("searching"), "busy")
READING = Sign("…", N_("reading"), "busy")
NOT_LOOKED_UP = Sign("–", N_("not looked up"), "unchecked")

# what somebody who is new here may do; each is said where its button stands
JUDGE = N_("Check replies by hand")
WATCH = N_("Watch again")
ANOTHER = N_("Ask another method…")
