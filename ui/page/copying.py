"""Forms in which a reply can be copied: alone, with its sources, or as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from searchain.events import Turn
from searchain.safe_text import clean, one_line
from searchain.types import Mark, Outcome, Source
from ui.exports import markdown
from ui.show.labels import certainty, ending, rated
from ui.show.signs import UNSURE


def text(turn: Turn) -> str:
    """Return the reply without its marks; uncertain sentences are labelled."""
    reply = ""
    for piece in _pieces(turn):
        reply = reply + piece if isinstance(piece, str) else reply.rstrip(" ")
    is_unsure = ending(turn.status, turn.outcome) is UNSURE
    return f"{clean(reply).strip()}{_DOUBT if is_unsure else ''}"


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


def _pieces(turn: Turn) -> Iterator[str | tuple[Mark, Source]]:
    """Yield the reply cut at its citations; in a supported reply, uncertain sentences are labelled."""
    at = 0
    for sentence in turn.sentences:
        yield from turn.pieces(at, sentence.end)
        if turn.outcome is Outcome.SUPPORTED and rated(turn, sentence) is UNSURE:
            yield _DOUBT
        at = sentence.end
    yield from turn.pieces(at)


_DOUBT = " (not sure)"


FORMS: dict[str, Callable[[Turn], str]] = {"text": text, "sources": with_sources, "markdown": as_markdown}


def _ended(turn: Turn) -> str:
    label = ending(turn.status, turn.outcome)
    told = f"{label.icon} {label.word}" if label else ""
    return " · ".join(filter(None, (told, certainty(turn))))


def _sources(turn: Turn) -> Iterator[str]:
    for source in turn.sources:
        quote = f"“{source.quote}”" if source.quote else None
        yield one_line(
            " ".join(filter(None, (f"[{source.number}]", source.passage.title, markdown.address(source), quote)))
        )


def _linked(name: str, address: str | None) -> str:
    return f"[{name}](<{address}>)" if address else name
