"""Words for citations whose documents were replaced or removed since."""

from collections.abc import Iterator

from searchain.events import Turn
from searchain.types import ChangedCitation
from ui.translation import _


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
