"""Results of the MCP server's tools, as objects for programs and as text for language models."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from searchain.events import Turn
from searchain.safe_text import clean, one_line
from searchain.turn_json import as_json
from searchain.types import Hit, Passage, Source
from storage.collections.places import Places
from ui.show import terminal

Place = dict[str, Any]


class ReplySentence(BaseModel):
    """A sentence of the answer: offsets are code points of ``answer``."""

    text: str
    start: int
    end: int
    citations: list[int]
    support: str
    probability: float | None


class CitedSource(BaseModel):
    """A numbered citation: the words that decided, and where they stand."""

    number: int
    title: str
    url: str | None
    quote: str
    query: str
    verdict: str
    probability: float | None
    place: Place | None


class Rival(BaseModel):
    """One of the answers that do not agree, with the numbers of its sources."""

    answer: str
    sources: list[int]
    date: str | None


class Reply(BaseModel):
    """The answer to a question, with its citations."""

    conversation: str
    turn: str
    question: str
    outcome: str | None
    probability: float | None
    conflict: list[Rival]
    as_of: str | None
    asks: str | None
    answer: str
    final_answer: str
    message: str | None
    sentences: list[ReplySentence]
    sources: list[CitedSource]


class CheckedSentence(ReplySentence):
    """A sentence of a checked text; ``uncarried`` are its words that no passage says, or that one contradicts."""

    uncarried: list[dict[str, int]]


class Checked(BaseModel):
    """A checked text: the state of each sentence, and the passages that decide."""

    conversation: str
    turn: str
    answer: str
    message: str
    sentences: list[CheckedSentence]
    sources: list[CitedSource]


Made = TypeVar("Made", Reply, Checked)


class FoundPassage(BaseModel):
    """A passage that a search found."""

    title: str
    text: str
    url: str | None
    score: float
    place: Place | None


class Passages(BaseModel):
    """Passages for a query, the nearest first."""

    query: str
    passages: list[FoundPassage]


class OpenedSource(BaseModel):
    """The whole passage of a citation; ``text[start:end]`` is its quote."""

    turn: str
    number: int
    title: str
    url: str | None
    text: str
    quote: str
    start: int | None
    end: int | None
    place: Place | None
    state: str
    """How the quoted document has changed since, ``""`` if it has not."""


def of_turn(kind: type[Made], turn: Turn, id: str, conversation: str, place_of: Places) -> Made:
    """Make the object that ``ask`` or ``check`` returns."""
    values = as_json(turn, conversation=conversation, turn_id=id, place_of=place_of)
    quotes = {source.number: source.quote for source in turn.sources}
    sources = [source | {"quote": quotes[source["number"]]} for source in values["sources"]]
    return kind.model_validate(values | {"sources": sources})


def reply_text(turn: Turn, found: Reply) -> str:
    """Write an answer as text: its rating, the numbered sources with quotes, and how to open one."""
    lines = [clean(found.answer), "", terminal.rating(turn)]
    if found.message:
        lines.append(one_line(found.message))
    lines += _sources(found.sources)
    lines.append(f"turn {found.turn} (for open_source), conversation {found.conversation} (for a follow-up)")
    return "\n".join(lines)


def checked_text(found: Checked) -> str:
    """Write a checked text as lines: each claim with its state, the summary, and the sources with quotes."""
    lines = []
    for sentence in found.sentences:
        words = ", ".join(f"“{one_line(found.answer[one['start'] : one['end']])}”" for one in sentence.uncarried)
        lines += [f"{sentence.support}{f' ({words})' if words else ''}: {one_line(sentence.text)}"]
    lines += ["", one_line(found.message), *_sources(found.sources), f"turn {found.turn} (for open_source)"]
    return "\n".join(lines)


def _sources(sources: Sequence[CitedSource]) -> Iterator[str]:
    yield from ["Sources:"] if sources else []
    for source in sources:
        quote = f": “{one_line(source.quote)}”" if source.quote else ""
        yield f"[{source.number}] {_where(source.title, source.url, source.place)}{quote}"


def passages(query: str, hits: Sequence[Hit], place_of: Places) -> Passages:
    """Make the object that ``search`` returns."""
    found = [
        FoundPassage(**_of(hit.passage), score=round(hit.score, 4), place=place_of.of(hit.passage)) for hit in hits
    ]
    return Passages(query=query, passages=found)


def _of(passage: Passage) -> dict[str, Any]:
    return {"title": passage.title, "text": passage.text, "url": passage.url}


def passages_text(found: Passages) -> str:
    """Write the passages of a search as text."""
    if not found.passages:
        return "no passage was found"
    return "\n\n".join(f"{_where(one.title, one.url, one.place)}\n{clean(one.text)}" for one in found.passages)


def opened(turn: str, source: Source, place_of: Places) -> OpenedSource:
    """Make the object that ``open_source`` returns."""
    start, end = (source.span.start, source.span.end) if source.span else (None, None)
    return OpenedSource(
        **_of(source.passage),
        turn=turn,
        number=source.number,
        quote=source.quote,
        start=start,
        end=end,
        place=place_of(source),
        state=place_of.state(source),
    )


def opened_text(source: OpenedSource) -> str:
    """Write the passage of a citation as text, with its quote after it."""
    state = f" ({source.state})" if source.state else ""
    quote = f"\n\nquoted: “{one_line(source.quote)}”" if source.quote else ""
    head = f"[{source.number}] {_where(source.title, source.url, source.place)}{state}"
    return f"{head}\n{clean(source.text)}{quote}"


def _where(title: str, url: str | None, place: Place | None) -> str:
    return one_line(" ".join(filter(None, (title, url or (terminal.where_in_document(place) if place else "")))))
