"""The one table of signs and words: what a person sees of a reply, a sentence, a step and a run.

The page, the shell, exports and copies all read it, so that one thing is called the same everywhere. No state is shown
by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from searchain.types import Outcome, Status, Verdict


@dataclass(frozen=True, slots=True)
class Sign:
    icon: str
    word: str
    name: str
    """For CSS classes."""
    help: str = ""


# how far a reply, or a sentence of it, can be believed
SUPPORTED = Sign("✓", "Supported", "supported", "the passages carry it, and it is very likely right")
UNSURE = Sign("?", "Not sure", "unsure", "it may be wrong: read the passages it cites")
NOT_FOUND = Sign("–", "Not found", "not-found", "no passage answers it")
NOT_RATED = Sign("–", "Not rated", "unrated", "how likely it is right was never measured")
CHECKING = Sign("…", "Checking with a larger model", "busy")

# how a run ended that did not come to its end
STOPPED = Sign("■", "Stopped", "stopped")
FAILED = Sign("!", "Could not go on", "failed")
INTERRUPTED = Sign("■", "Interrupted", "interrupted")

OUTCOMES: dict[Outcome, Sign | None] = {
    Outcome.SUPPORTED: SUPPORTED,
    Outcome.UNSURE: UNSURE,
    Outcome.NOT_FOUND: NOT_FOUND,
    Outcome.NO_SEARCH: None,
}
UNFINISHED = {Status.STOPPED: STOPPED, Status.FAILED: FAILED, Status.INTERRUPTED: INTERRUPTED}

# how the answer of one step was come by: this says nothing of how far it can be believed
VERDICTS = {
    Verdict.AGREED: Sign("=", "same in the article", "agreed", "the model and the article say the same"),
    Verdict.CORRECTED: Sign("↻", "the article says otherwise", "corrected", "the article was followed, not the model"),
    Verdict.COMPLETED: Sign("→", "looked up", "completed", "the article answers what the model left to it"),
    Verdict.DISPUTED: Sign("≠", "the article disagrees", "disputed", "the model keeps to its answer"),
    Verdict.UNCONFIRMED: Sign("?", "not settled", "unconfirmed", "no passage settles it"),
}
SEARCHING = Sign("…", "searching", "busy")
READING = Sign("…", "reading", "busy")
NOT_LOOKED_UP = Sign("–", "not looked up", "unchecked")
