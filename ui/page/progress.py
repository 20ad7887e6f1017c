"""Progress of a run: one line per search, and the text that the model is writing."""

import re
from dataclasses import dataclass

from markupsafe import Markup

from searchain.check import SYSTEM as CHECKED
from searchain.events import SamplesWeighed, Turn
from searchain.language.text import plural
from searchain.types import ENDED, Node, Outcome
from ui.html import render
from ui.page import ids
from ui.show.labels import is_of_the_web, is_withheld, likely, searched, state, waiting, weighed
from ui.show.passages import rows
from ui.show.signs import ANOTHER, METHODS, Sign
from ui.show.tree_order import story
from ui.translation import N_, _, n_, number

_TAG = re.compile(r"^\W*(query|answer|unsolved query|final content|question)?\s*\d*\W*", re.IGNORECASE)
_QUERY = re.compile(r"\W*query\b", re.IGNORECASE)
_OPEN_TAG = re.compile(r"\[[^\]\n]*$")  # a tag that is opened and not yet closed


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
        place = waiting(turn.waiting)
        return place[:1].upper() + place[1:]
    if turn.system == CHECKED:
        return n_("{n} sentence checked", "{n} sentences checked", len(turn.sentences))
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


_KINDS = {
    "multihop": N_("several steps"),
    "slots": N_("slot filling"),
    "yesno": N_("yes or no"),
    "factcheck": N_("check of a claim"),
    "longform": N_("explanation"),
    "list": N_("list"),
    "compare": N_("comparison of two things"),
    "define": N_("definition"),
}
_DRAWN = {"answers": "answer", "recitations": "recitation", "thoughts": "thought", "queries": "query"}
_THOUGHTS = 4_000  # most characters of the model's thoughts that are shown


REASONS = (
    N_("the evidence is not sure enough"),
    N_("no passage is likely to answer it"),
    N_("the question asks for what holds now, and the cited sentence speaks of another time"),
)
"""Messages of a turn that have no names inside, and so a translation."""


def on_reply(turn_id: str, turn: Turn) -> Markup:
    """Render the buttons of a finished reply."""
    return render(
        "page/acts.html",
        another=ANOTHER,
        id=ids.actions(turn_id),
        has_answer=bool(turn.answer),
        is_first=turn.beside is None and turn.system != CHECKED,
        is_comparable=turn.beside is None and turn.system in METHODS and turn.outcome is not Outcome.NO_SEARCH,
        sources=len(turn.sources),
        is_judged=turn.status in ENDED and bool(turn.answer.strip()),
        is_told=bool(rows(turn)),
    )


def run(turn: Turn) -> Markup:
    """Render the folded details of a run in the paper's words: model, index, probability, time, tokens, settings."""
    use, settings = turn.usage, turn.settings
    rows = [
        (_("Model"), turn.model),
        (_("Passages from"), searched(turn)),
        (_("Method"), turn.system),
        (_("Kind of question"), _(_KINDS.get(turn.task or "", ""))),
        (_("How sure"), likely(turn.probability)),
        (_("Rounds"), f"{turn.round}"),
        (_("Searches"), f"{len(turn.hits)}"),
        (_("Calls of the model"), f"{use.llm_calls}"),
        (_("Tokens read"), number(use.prompt_tokens)),
        (_("Tokens written"), number(use.completion_tokens)),
        (_("Model time"), f"{number(use.llm_seconds, 1)} s"),
        (_("Search time"), f"{number(use.retrieval_seconds, 1)} s"),
        (_("Reading time"), f"{number(use.reader_seconds, 1)} s"),
        (_("In all"), f"{number(use.seconds, 1)} s"),
        (_("Rounds at most"), _said(settings.get("max_rounds"))),
        (_("Passages per search"), _said(settings.get("passages"))),
        (_("Threshold θ"), _said(settings.get("theta"))),
    ]
    return render(
        "page/details.html",
        message=_(turn.message),
        weighed=[weighed(turn)] if turn.candidates else [],
        drawn=[_drawn(event) for event in turn.weighed],
        thoughts=turn.thoughts if len(turn.thoughts) <= _THOUGHTS else f"… {turn.thoughts[-_THOUGHTS:]}",
        rows=[(name, value) for name, value in rows if value],
    )


def _drawn(event: SamplesWeighed) -> dict[str, object]:
    """Return the sampled answers, each with its votes."""
    votes = [n_("{n} vote", "{n} votes", one.votes) if one.votes else "" for one in event.samples]
    entries = [
        (one.answer or one.text, f" · {said}" if said else "", place == event.chosen)
        for place, (one, said) in enumerate(zip(event.samples, votes, strict=True))
    ]
    title = f"{plural(len(event.samples), _DRAWN[event.kind], event.kind)} drawn in round {event.round}"
    return {"title": title, "entries": entries}


def _said(value: object) -> str:
    return "" if value is None else number(value) if isinstance(value, float) else str(value)
