"""A reply as text to paste elsewhere: alone, with its sources, or as Markdown; and the route that gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from searchain.console import clean, one_line
from searchain.errors import NotFound
from searchain.events import Turn
from searchain.types import Source
from storage.exports import markdown
from ui.access import Access, Person
from ui.base import Assistant
from ui.json_routes import json_route


def text(turn: Turn) -> str:
    """The reply without its marks."""
    parts: list[str] = []
    at = 0
    for mark in (mark for sentence in turn.sentences for mark in sentence.marks):
        parts.append(turn.answer[at : mark.start].rstrip(" "))
        at = mark.end
    return clean("".join((*parts, turn.answer[at:]))).strip()


def with_sources(turn: Turn) -> str:
    """The reply with its ``[n]`` and, below it, what each of them stands for."""
    return "\n\n".join(filter(None, (clean(turn.answer).strip(), "\n".join(_sources(turn)))))


def as_markdown(turn: Turn) -> str:
    """The same as Markdown, the marks linked to the addresses of their sources."""
    addresses = {source.number: markdown.address(source.passage) for source in turn.sources}
    parts: list[str] = []
    at = 0
    for mark in (mark for sentence in turn.sentences for mark in sentence.marks):
        link = f"[\\[{mark.number}\\]](<{addresses[mark.number]}>)" if addresses.get(mark.number) else None
        parts += markdown.lines(turn.answer[at : mark.start]), link or f"\\[{mark.number}\\]"
        at = mark.end
    reply = "".join((*parts, markdown.lines(turn.answer[at:]))).strip()
    notes = [
        f"{source.number}. {_linked(source.passage.title, addresses[source.number])}"
        + (f": “{markdown.line(quote)}”" if (quote := _quote(source)) else "")
        for source in turn.sources
    ]
    return "\n\n".join(filter(None, (reply, "\n".join(notes))))


FORMS: dict[str, Callable[[Turn], str]] = {"text": text, "sources": with_sources, "markdown": as_markdown}


class Copies:
    """``GET /turns/ID/copy/FORM``: the owner's alone."""

    def __init__(self, assistant: Assistant, access: Access) -> None:
        self._assistant = assistant
        self.routes: list[Route] = [json_route("/turns/{id}/copy/{form}", "GET", access, self._copy)]

    def _copy(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, str]:
        form = request.path_params["form"]
        if form not in FORMS:
            raise NotFound(f"there is no form {form!r} to copy; there are: {', '.join(FORMS)}")
        return {"text": FORMS[form](self._assistant.turn(request.path_params["id"], owner=person.owner))}


def _sources(turn: Turn) -> Iterator[str]:
    for source in turn.sources:
        quote = _quote(source)
        yield one_line(
            " ".join(
                filter(
                    None,
                    (
                        f"[{source.number}]",
                        source.passage.title,
                        markdown.address(source.passage),
                        quote and f"“{quote}”",
                    ),
                )
            )
        )


def _quote(source: Source) -> str:
    return source.passage.text[source.span.start : source.span.end] if source.span else ""


def _linked(title: str, address: str | None) -> str:
    name = markdown.line(title) or "an untitled passage"
    return f"[{name}](<{address}>)" if address else name
