"""Quote sentences so that they name their subject: a pronoun comes with the sentence before it, or with the name.

Answers, explanations and comparisons all follow this rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from searchain.language import text
from searchain.language.descriptions import after_description, bare_title
from searchain.language.sentences import after_marker, split
from searchain.types import Passage, Span

PERSONAL = frozenset("he she it they his her its their".split())
"""Words that stand for the person or thing of which a passage speaks."""
LINKS = frozenset("this these that those such however but also thus therefore both".split())
"""Words that begin a sentence that continues another one."""
SUBJECTS = frozenset("he she it they".split())
OPENING = 4
"""A pronoun as the subject stands in one of so many first clauses, as commas part them."""


def leans(sentence: str) -> bool:
    """Return whether the subject is a pronoun, or the sentence only continues another one.

    >>> leans("It is pale blue."), leans("In 1903 he won it."), leans("Founded in 331 BC, it is a city.")
    (True, True, True)
    >>> leans("Curie shared her prize."), leans("However, Rome fell."), leans("Rome, its capital, fell.")
    (False, True, False)
    """
    first = next(iter(text.tokens(sentence)), "")
    return first in LINKS or pronoun_of(sentence) is not None


def pronoun_of(sentence: str) -> str | None:
    """Return the pronoun that is the subject, or that belongs to it; ``None`` if a name or a noun stands there.

    >>> pronoun_of("Its height is 3,776 m."), pronoun_of("Set in Salzburg, Austria, it is a film.")
    ('its', 'it')
    """
    for place, clause in enumerate(sentence.split(",")[:OPENING]):
        before = list[str]()
        for word in text.tokens(clause):
            if word in (PERSONAL if before or not place else SUBJECTS):
                return word
            is_number = bool(text.numbers(word))
            if not is_number and (place or text.content_words(word)):
                break  # something else is spoken of; after a comma also "and it"
            before.append(word)
    return None


LONGEST = 400
"""Most characters of a quotation to which a sentence is added."""


@dataclass(frozen=True, slots=True)
class Said:
    """The words of a passage that are quoted, and their place."""

    span: Span
    text: str
    names_subject: bool
    """Whether the words name what they speak of."""


def said(passage: Passage, span: Span) -> Said:
    """Return the sentences at ``span``, together with what names their subject.

    That is the sentence before them. If it only has a pronoun too, the title of the article stands in brackets after
    the pronoun. The number of a list's item is left out.
    """
    body, span = passage.text, _without_marker(passage, span)
    first = body[span.start : span.end]
    if not leans(first):
        return Said(span, first, names_subject=True)
    before = [start for start, _ in split(body) if after_description(body) <= start < span.start]
    if before and span.end - before[-1] <= LONGEST and not leans(body[before[-1] : span.start]):
        return Said(Span(before[-1], span.end), body[before[-1] : span.end], names_subject=True)
    pronoun = pronoun_of(first)
    if pronoun is None or not passage.title or passage.place is not None:  # a file's name is not its subject
        return Said(span, first, names_subject=False)
    return Said(span, _named(first, pronoun, bare_title(passage.title)), names_subject=True)


def in_turn(passage: Passage, spans: Sequence[Span]) -> list[Said]:
    """Return what is quoted of several sentences: one that follows another quoted one needs no other subject."""
    ends = {len(passage.text[: span.end].rstrip()) for span in spans}
    return [
        _follows(passage, span) if len(passage.text[: span.start].rstrip()) in ends else said(passage, span)
        for span in spans
    ]


def _follows(passage: Passage, span: Span) -> Said:
    span = _without_marker(passage, span)
    return Said(span, passage.text[span.start : span.end], names_subject=True)


def _without_marker(passage: Passage, span: Span) -> Span:
    start = after_marker(passage.text, span.start)
    return Span(start, span.end) if start < span.end else span


def _named(sentence: str, pronoun: str, name: str) -> str:
    """Put a name in brackets after the first occurrence of a pronoun.

    >>> _named("In 1903 he won it.", "he", "Pierre Curie")
    'In 1903 he (Pierre Curie) won it.'
    """
    words = sentence.split(" ")
    place = next(place for place, word in enumerate(words) if text.tokens(word) == (pronoun,))
    return " ".join([*words[: place + 1], f"({name})", *words[place + 1 :]])
