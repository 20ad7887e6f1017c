"""Words for the second reading of a reply by a larger model."""

from __future__ import annotations

from collections.abc import Iterator

from searchain.events import ReplyReviewed, Turn
from searchain.types import ChangedCitation
from ui.translation import N_, _, number


def reviewed(review: ReplyReviewed) -> str:
    """Describe the second reading in one line: ``checked by …: it reads “Kyushu”, not “Honshu”``."""
    is_same = review.second and (not review.answers or review.answers[0].agrees)
    if review.outcome == "confirmed" and review.first and not is_same:
        found = _("it finds “{first}” likely right", first=review.first)
    elif review.outcome == "confirmed":
        found = _("it reads “{second}” too", second=review.second) if review.second else _("it finds no answer either")
    elif not (second := review.chosen or review.second) and review.first:
        found = _("it does not find “{first}” right", first=review.first)
    elif not second:
        found = _("it finds no answer in the passages")
    elif review.first:
        found = _("it reads “{second}”, not “{first}”", second=second, first=review.first)
    else:
        found = _("it reads “{second}”", second=second)
    said = _("checked by {model}: {found}", model=review.model, found=found)
    return f"{said}{_(_REVIEWS[review.outcome])} ({number(review.seconds, 1)} s)"


def other_reading(review: ReplyReviewed | None) -> str:
    """Return the line that a reader must see about a second reading; ``""`` if it confirmed the reply."""
    if review is None or review.outcome == "confirmed":
        return ""
    if review.outcome == "corrected":
        return _("changed after a larger model read it")
    if review.second:
        return _("a larger model reads “{second}”", second=review.second)
    if review.first:
        return _("a larger model does not find it right")
    return _("a larger model found no answer in the passages")


_REVIEWS = {
    "confirmed": "",
    "corrected": N_("; the reply was changed"),
    "withdrawn": N_("; so the reply is not confirmed"),
}


def changes(turn: Turn) -> Iterator[tuple[str, int]]:
    """Yield for each overtaken citation a sentence, and its number."""
    return ((_told(one), one.number) for one in turn.changed)


def _told(one: ChangedCitation) -> str:
    if one.is_removed:
        return _("The document was removed since.")
    if one.now is None:
        return _("The document says otherwise since.")
    if not one.now:
        return _("{document} no longer says this.", document=one.document)
    return _("{document} has changed. Now: “{now}”", document=one.document, now=one.now)
