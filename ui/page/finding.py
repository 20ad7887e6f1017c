"""Find own documents by their names and by their words, for the search field of the list of conversations."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from searchain.errors import SearChainError
from searchain.retrieval import registry
from searchain.retrieval.lexical import Words, weighed, words
from searchain.retrieval.store import PassageStore
from searchain.types import Passage, Span
from storage.collections import access, documents
from storage.collections.documents import Document
from storage.database import Database
from ui.html import render
from ui.show.passages import Excerpt, excerpt

_SHOWN = 10
"""Most documents that are listed."""
_RANKED = 200
"""Passages of a part that are looked at, those with the best score."""
_AROUND = 40
"""Characters shown before and after a found word."""


class Found(NamedTuple):
    """A document, with the first passage that holds all words; ``None`` where only its name has them."""

    document: Document
    collection: str
    excerpt: Excerpt | None = None
    start: int = 0
    end: int = 0
    """The place of the found word in the document."""


def rendered(store: Database, owner: str, looked_for: str) -> Markup | str:
    """Render what ``find`` finds as a list of buttons; ``""`` without anything."""
    found = find(store, owner, looked_for)
    return render("page/found.html", found=found) if found else ""


def find(store: Database, owner: str, looked_for: str) -> list[Found]:
    """Return documents that ``owner`` may search: with the words in the name, then with all in one passage.

    The best passages come first. A document is searched by its words as soon as it is read.
    """
    named, worded = list[Found](), list[tuple[float, Found]]()
    wanted = looked_for.strip().casefold()
    for collection in access.every(store, owner) if wanted else ():
        there = {one.id: one for one in documents.of_collection(store, collection.id)}
        named += [Found(one, collection.name) for one in there.values() if wanted in one.name.casefold()]
        for score, passage in _holding(collection.index, set(words(wanted))):
            place = passage.place
            one = there.get(place.document) if place else None
            if place and one and one.sha256 == place.version:
                span = _first(passage.text, set(words(wanted)))
                start, end = place.start + span.start, place.start + span.end
                worded.append((score, Found(one, collection.name, excerpt(passage, span, _AROUND), start, end)))
    worded.sort(key=lambda found: -found[0])
    first: dict[str, Found] = {}
    for found in (*named, *(found for _, found in worded)):
        first.setdefault(found.document.id, found)
    return list(first.values())[:_SHOWN]


def _holding(index: str, wanted: set[str]) -> Iterator[tuple[float, Passage]]:
    """Yield the passages of an index with all words of ``wanted``, each with its score."""
    with suppress(SearChainError, OSError):  # nothing of it is read so far, or a part is just replaced by another
        pointer = registry.get(index)
        held = [_opened(registry.parts_root() / part) for part in (*pointer.parts, *pointer.waiting)]
        weights = weighed(" ".join(wanted), [counted for _, counted in held])
        for passages, counted in held:
            for score, row in counted.search(weights, _RANKED):
                passage = passages[row]
                if wanted <= set(words(f"{passage.title} {passage.text}")):
                    yield score, passage


def _opened(part: Path) -> tuple[PassageStore, Words]:
    passages = PassageStore(part)
    return passages, Words(passages, part)


def _first(text: str, wanted: set[str]) -> Span:
    """Return the place of the first word of ``wanted``; the beginning of ``text`` if only its title has it."""
    at = 0
    for word in text.split():
        at = text.index(word, at)
        if not wanted.isdisjoint(words(word)):
            return Span(at, at + len(word))
        at += len(word)
    return Span(0, 0)
