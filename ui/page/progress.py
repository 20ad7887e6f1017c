"""Progress of a run: one line per search, and the text that the model is writing."""

import re
from dataclasses import dataclass

from searchain.events import Turn
from searchain.types import Node
from ui.show.labels import is_of_the_web, is_withheld, state, waiting
from ui.show.signs import Sign
from ui.show.tree_order import story
from ui.translation import _

_TAG = re.compile(r"^\W*(query|answer|unsolved query|final content|question)?\s*\d*\W*", re.IGNORECASE)
_QUERY = re.compile(r"\W*query\b", re.IGNORECASE)
_OPEN_TAG = re.compile(r"\[[^\]\n]*$")
"""A tag that is opened and not yet closed."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of progress: a search and what it found."""

    sign: Sign
    doing: str
    query: str
    found: str = ""
    title: str = ""
    answer: str = ""


def doing(turn: Turn) -> str:
    """Return what the run is doing, in a few words."""
    if turn.is_being_checked:
        return _("Checking the reply")
    if turn.waiting is not None:
        return waiting(turn.waiting).capitalize()
    if turn.writer is not None:
        return _("Writing the reply")
    if turn.settings.get("use_ir") is False:
        return _("Thinking")
    return _("Searching the web") if is_of_the_web(turn) else _("Looking things up")


def lines(turn: Turn) -> list[Line]:
    """Return the searches that led to the reply, each once, in order."""
    taken_up = {node.mends for node in turn.nodes}
    told = (node for node in story(turn).nodes if node.id not in taken_up)
    return [_line(turn, node) for node in told]


def _line(turn: Turn, node: Node) -> Line:
    sign, hits = state(turn, node), turn.hits.get(node.id, ())
    if node.verdict is not None or node.passage is not None:
        title, is_believed = node.passage.title if node.passage else "", not is_withheld(turn, node)
        if title and node.span and is_believed:
            found = _("found in “{title}”", title=title)
        else:
            found = _("nearest is “{title}”", title=title) if title else _("nothing found")
        answer = (node.answer or "") if node.verdict and is_believed else ""
        return Line(sign, _("Searched:"), node.query, found, title, answer)
    if hits:
        title = hits[0].passage.title
        return Line(sign, _("Searching:"), node.query, _("reading “{title}”", title=title), title)
    return Line(sign, _("Searching:") if turn.status is None else _("Asked:"), node.query)


def writing(turn: Turn) -> str | None:
    """Return the last query that the model is writing, without half a tag; ``None`` if the model is not writing."""
    if turn.status is not None or turn.writer is not None or turn.waiting is not None:
        return None
    if not turn.chains:
        return ""
    text = _OPEN_TAG.sub("", turn.chains[-1].rstrip())
    for written in reversed(text.split("\n")):
        if _QUERY.match(written):
            line = _TAG.sub("", written).strip()
            is_shown = any(line in (node.query, node.model_answer, node.answer) for node in turn.nodes)
            return "" if is_shown else line
    return ""
