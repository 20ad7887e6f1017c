"""Tell whether a sentence names its subject, or refers to the sentence before it."""

from __future__ import annotations

from searchain.language import text

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
