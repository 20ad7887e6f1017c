"""Serve one turn to its owner: text to copy, and feedback.

A reply can be copied alone, with its sources (formatted, too), or as Markdown.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import NotFound
from searchain.events import Turn
from searchain.safe_text import clean, one_line
from searchain.types import Mark, Source
from ui.exports import markdown
from ui.html import render
from ui.server.access import Access, Person
from ui.server.json_routes import Body, CitationNumber, json_route
from ui.show.labels import ended, rated, sureness
from ui.show.passages import rows
from ui.show.signs import PERHAPS, UNSURE


def text(turn: Turn) -> str:
    """Return the reply without its marks; uncertain sentences are labelled."""
    is_unsure = ended(turn) in (UNSURE, PERHAPS)
    return f"{_unmarked(_pieces(turn))}{_DOUBT if is_unsure else ''}"


def _unmarked(pieces: Iterable[str | tuple[Mark, Source]]) -> str:
    said = ""
    for piece in pieces:
        said = said + piece if isinstance(piece, str) else said.rstrip(" ")
    return clean(said).strip()


def with_sources(turn: Turn) -> str:
    """Return the reply with its ``[n]``, followed by its sources with their quotes."""
    reply = "".join(piece if isinstance(piece, str) else f"[{piece[0].number}]" for piece in _pieces(turn))
    return "\n\n".join(filter(None, (clean(reply).strip(), "\n".join(_sources(turn)), _ended(turn))))


def as_markdown(turn: Turn) -> str:
    """Return the reply with its sources as Markdown, with marks that link to the sources' addresses."""
    reply = "".join(
        markdown.lines(piece)
        if isinstance(piece, str)
        else _linked(f"\\[{piece[0].number}\\]", markdown.address(piece[1]))
        for piece in _pieces(turn)
    )
    notes = [
        f"{source.number}. "
        + _linked(markdown.line(source.passage.title) or "an untitled passage", markdown.address(source))
        + (f": “{markdown.line(source.quote)}”" if source.quote else "")
        for source in turn.sources
    ]
    return "\n\n".join(filter(None, (reply.strip(), "\n".join(notes), markdown.line(_ended(turn)))))


def formatted(turn: Turn) -> str:
    """Return the reply with its sources as HTML, with marks and titles that link to the sources' addresses."""
    from markdown_it import MarkdownIt  # here, because the page starts sooner without it

    return MarkdownIt("commonmark", {"html": False, "breaks": True}).disable("image").render(as_markdown(turn))


def _pieces(turn: Turn) -> Iterator[str | tuple[Mark, Source]]:
    """Yield the reply cut at its citations; sentences that their sources do not carry are labelled."""
    at = 0
    for sentence in turn.sentences:
        yield from turn.pieces(at, sentence.end)
        if turn.sources and (sign := rated(turn, sentence)) and not sentence.support.is_carried:
            yield f" ({sign.word[0].lower()}{sign.word[1:]})"
        at = sentence.end
    yield from turn.pieces(at)


_DOUBT = " (not sure)"


def plain(turn: Turn) -> str:
    """Return the text alone, as it can be checked again."""
    return _unmarked(turn.pieces())


FORMS = {"plain": plain, "text": text, "sources": with_sources, "markdown": as_markdown}


def _ended(turn: Turn) -> str:
    label = ended(turn)
    told = f"{label.icon} {label.word}" if label else ""
    return " · ".join(filter(None, (told, sureness(turn))))


def _sources(turn: Turn) -> Iterator[str]:
    for source in turn.sources:
        quote = f"“{source.quote}”" if source.quote else None
        parts = (f"[{source.number}]", source.passage.title, markdown.address(source), quote)
        yield one_line(" ".join(filter(None, parts)))


def _linked(name: str, address: str | None) -> str:
    return f"[{name}](<{address}>)" if address else name


class Judgement(Body):
    """The request to rate a reply, or its citation ``source``; an empty ``value`` removes the rating."""

    value: str = ""
    source: CitationNumber = None
    comment: str = ""


class TurnRoutes:
    """The routes of single turns, for their owners only."""

    def __init__(self, assistant: Assistant, access: Access) -> None:
        self._assistant, self._access = assistant, access
        self.routes: list[Route] = [
            json_route("/turns/{id}/copy/{form}", "GET", access, self._copy),
            json_route("/conversations/{id}/feedback", "GET", access, self._feedback),
            json_route("/turns/{id}/feedback", "POST", access, self._judge, Judgement),
            json_route("/turns/{id}/beside", "GET", access, self._beside),
        ]

    def _copy(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, str]:
        form = request.path_params["form"]
        if form not in FORMS:
            raise NotFound(f"there is no form {form!r} to copy; there are: {', '.join(FORMS)}")
        turn = self._assistant.turn(request.path_params["id"], owner=person.owner)
        return {"text": FORMS[form](turn), "html": formatted(turn) if form == "sources" else ""}

    def _beside(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, str]:
        turn = self._assistant.turn(request.path_params["id"], owner=person.owner)
        return {"html": render("show/side_by_side.html", rows=rows(turn))}

    def _feedback(self, person: Person, request: Request, values: dict[str, Any]) -> list[dict[str, Any]]:
        found = self._assistant.feedback(request.path_params["id"], owner=person.owner)
        return [{name: getattr(said, name) for name in ("turn", "source", "value", "comment")} for said in found]

    def _judge(self, person: Person, request: Request, body: Judgement) -> dict[str, Any]:
        id, value = request.path_params["id"], body.value or None
        self._assistant.judge(id, value, owner=person.owner, source=body.source, comment=body.comment)
        return {}
