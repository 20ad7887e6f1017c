"""Find which own documents mention something: every passage is looked through, so that "none" can be said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from searchain.language.text import content_words, plural
from searchain.reply.document_answers import ITEM, SHOWN, Asked, Statement, Told
from searchain.reply.held import Document, Quote, others, short
from searchain.types import Passage, Span


@dataclass(slots=True)
class _Found:
    """Where one document mentions the words."""

    document: Document
    first: Quote | None = None
    starts: set[int] = field(default_factory=set)
    """Where the mentions begin in the document; a set, because passages overlap."""
    is_literal: bool = False  # whether it has the words as they were asked for

    def look_for(self, phrase: re.Pattern[str], passage: Passage) -> None:
        places = [match.span() for match in phrase.finditer(passage.text)]
        quotes = [Quote(passage, Span(*place)) for place in places]
        self.starts |= {quote.start for quote in quotes}
        if self.first is None or self.first.span is None:
            in_title = phrase.search(passage.title) and self.first is None
            self.first = next(iter(quotes), Quote(passage) if in_title else self.first)
        self.is_literal = self.first is not None


def mentions(asked: Asked) -> Told | None:
    """Say which documents mention the words, those with most mentions first; if none has them as they stand, which have
    all of them in one passage."""
    words, total = asked.question.words, len(asked.documents)
    found = [_in(document, words) for document in asked.documents]
    if not any(one.first for one in found):
        found = [_Found(document, _near(document, content_words(words))) for document in asked.documents]
    matching = sorted((one for one in found if one.first), key=lambda one: -len(one.starts))
    what = f"“{short(words)}”"
    if len(asked.documents) < len(asked.all):
        return _of_those_meant(asked, matching, what)
    if not matching:
        none = "The one document does not mention" if total == 1 else f"None of the {total} documents mentions"
        return Told([Statement(f"{none} {what}.")], "")
    shown = matching[:SHOWN]
    cites = tuple(one.first for one in shown if one.first)
    if any(one.is_literal for one in matching):
        first = f"{_of(len(matching), total)} {what}."
    else:
        first = f"No document has {what} as it stands; its words stand together in {plural(len(matching), 'document')}."
    each = [Statement(_said(one), (one.first,), ITEM) for one in shown if one.first]
    rest = [Statement(others(len(matching) - len(shown)))] if len(matching) > len(shown) else []
    return Told([Statement(first, cites), *each, *rest], ", ".join(short(one.document.title) for one in shown))


def _of_those_meant(asked: Asked, matching: Sequence[_Found], what: str) -> Told:
    """Say of the documents that the question names, not of all, which of them mention the words."""
    found = [Statement(_said(one, what), (one.first,)) for one in matching[:SHOWN] if one.first]
    named = [one.document for one in matching]
    without = [Statement(f"{one.label} does not mention {what}.") for one in asked.some if one not in named]
    return Told([*found, *without], ", ".join(short(one.title) for one in named[:SHOWN]))


def _in(document: Document, words: str) -> _Found:
    found, phrase = _Found(document), _pattern(words)
    for passage in document.passages if phrase else ():
        assert phrase is not None
        found.look_for(phrase, passage)
    return found


def _near(document: Document, words: set[str]) -> Quote | None:
    """Return the first passage with all of several words."""
    near = (one for one in document.passages if len(words) > 1 and words <= content_words(f"{one.title} {one.text}"))
    return next(map(Quote, near), None)


def _pattern(words: str) -> re.Pattern[str] | None:
    """Return a pattern for ``words``: whole words, singular or plural, with any characters between them."""
    parts = re.findall(r"\w+", words)
    if not parts:
        return None
    if re.search("[\u2e80-\u9fff]", words):  # for scripts without spaces between words
        return re.compile(re.escape(words), re.IGNORECASE)
    stems = [part[:-1] if len(part) > 3 and part.endswith("s") and not part.endswith("ss") else part for part in parts]
    return re.compile(r"(?<!\w)" + r"[\W_]{1,3}".join(f"{re.escape(s)}(?:['’]?e?s)?" for s in stems) + r"(?!\w)", re.I)


def _said(one: _Found, what: str = "it") -> str:
    if one.starts:
        number = len(one.starts)
        times = {1: "once", 2: "twice"}.get(number, f"{number} times")
        return f"{one.document.label} mentions {what} {times}."
    all_words = "all its words" if what == "it" else f"all words of {what}"
    has = f"has {what} in a heading" if one.is_literal else f"has {all_words} in one passage"
    return f"{one.document.label} {has}."


def _of(number: int, total: int) -> str:
    verb = "mentions" if number == 1 else "mention"
    return f"The one document {verb}" if number == total == 1 else f"{number} of the {plural(total, 'document')} {verb}"
