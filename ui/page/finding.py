"""Find own documents by their names and by their words, for the search field of the list of conversations."""

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from searchain.errors import SearChainError
from searchain.retrieval import registry
from searchain.retrieval.lexical import Words, weighed, words
from searchain.retrieval.store import PassageStore, read_documents
from searchain.types import Passage, Span
from storage.collections import access, documents
from storage.collections.documents import Document
from storage.database import Database
from ui.show.passages import Excerpt, excerpt

_SHOWN = 10  # most documents that are listed
_RANKED = 20_000  # passages of a part that are ranked, those with the best score
_OF_EACH = 200  # passages of a document that are looked at
_LONGEST = 40  # most characters that are marked
_AROUND = 40  # characters shown before and after a found word


class Found(NamedTuple):
    """A document, with the first passage that holds all words; ``None`` where only its name has them."""

    document: Document
    collection: str
    excerpt: Excerpt | None = None
    start: int = 0
    end: int = 0
    """The place of the found word in the document."""


def find(store: Database, owner: str, looked_for: str) -> list[Found]:
    """Return documents that ``owner`` may search: with the words in the name, then with all in one passage.

    The best passages come first. A document is searched by its words as soon as it is read.
    """
    named, worded = list[Found](), list[tuple[float, Found]]()
    wanted = looked_for.strip().casefold()
    for collection in access.every(store, owner) if wanted else ():
        there = {one.id: one for one in documents.of_collection(store, collection.id)}
        named += [Found(one, collection.name) for one in there.values() if wanted in one.name.casefold()]
        for score, passage in _holding(collection.index, set(words(wanted)), there):
            if place := passage.place:
                span = _first(passage.text, wanted.split(), set(words(wanted)))
                start, end = place.start + span.start, place.start + span.end
                shown = excerpt(passage, span, _AROUND)
                worded.append((score, Found(there[place.document], collection.name, shown, start, end)))
    worded.sort(key=lambda found: -found[0])
    first: dict[str, Found] = {}
    for found in (*named, *(found for _, found in worded)):
        first.setdefault(found.document.id, found)
    return list(first.values())[:_SHOWN]


def _holding(index: str, wanted: Set[str], there: Mapping[str, Document]) -> Iterator[tuple[float, Passage]]:
    """Yield the best passage of each document with all words of ``wanted``, each with its score."""
    with suppress(SearChainError, OSError):  # nothing of it is read so far, or a part is just replaced by another
        pointer = registry.get(index)
        held = [_opened(registry.parts_root() / part, there) for part in (*pointer.parts, *pointer.waiting)]
        weights = weighed(" ".join(wanted), [counted for _, counted, _ in held])
        for passages, counted, documents_at in held:
            looked_at = Counter[str]()
            for score, row in counted.search(weights, _RANKED):
                document = documents_at.get(row)
                if document is None or looked_at[document] == _OF_EACH:
                    continue
                passage = passages[row]
                looked_at[document] += 1
                if wanted <= set(words(f"{passage.title} {passage.text}")):
                    looked_at[document] = _OF_EACH  # the next ones are no better
                    yield score, passage


def _opened(part: Path, there: Mapping[str, Document]) -> tuple[PassageStore, Words, dict[int, str]]:
    """Return the passages of a part, their words, and which rows hold which of the documents as they are now."""
    passages, held = PassageStore(part), read_documents(part)
    present = {id: rows for id, rows in held.items() if id in there and there[id].sha256 == rows.version}
    documents_at = {row: id for id, rows in present.items() for row in range(rows.start, rows.stop)}
    return passages, Words(passages, part), documents_at


def _first(text: str, typed: list[str], wanted: Set[str]) -> Span:
    """Return the place of the first of the ``wanted`` words; the beginning of ``text`` if only its title has them.

    What stands between blanks may be a whole text, as in Chinese, so that what was ``typed`` is looked for in it.
    """
    at = 0
    for word in text.split():
        at = text.index(word, at)
        if not wanted.isdisjoint(words(word)):
            folded = word.casefold()
            for one in (*typed, *wanted):
                if one in folded and len(folded) == len(word):
                    return Span(at + folded.index(one), at + folded.index(one) + len(one))
            return Span(at, at + min(len(word), _LONGEST))
        at += len(word)
    return Span(0, 0)
