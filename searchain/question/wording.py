"""Tell by its words whether a question leans on the conversation, and whether a model rewrote it usably."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.types import Exchange

WH = frozenset("who whom whose what which when where why how".split())
ASKING = WH | text.YES_NO_OPENERS
MOST_ADDED = 200
"""Most characters that a model may add to a follow-up: a long name or two."""
_VERY_FEW = 2
"""A question of so few words always leans on the conversation."""
_FEW = 3
"""A follow-up of at most so many words, without one that asks or refers, only names something."""
_REFERRING = re.compile(r"\b(?:it|its|he|him|his|she|hers?|they|them|their|this|these|those)\b", re.IGNORECASE)
_LEAD = re.compile(r"\A(?:(?:and|but|or)\b[ ,]*)?(?:(?:what|how) about\b)?\s*", re.IGNORECASE)


def points_back(question: str) -> bool:
    """Tell whether a question is very short, begins with "and", or has a word that refers and no name before it.

    >>> points_back("is it free on sundays"), points_back("and Chad?"), points_back("How old was Mozart when he died?")
    (True, True, False)
    """
    found = _REFERRING.search(question)
    refers = found is not None and not text.names(question[: found.start()])
    return refers or len(question.split()) <= _VERY_FEW or _LEAD.sub("", question) != question


def unled(question: str) -> str:
    """Return a whole question without "and" before it.

    >>> unled("And who won?"), unled("and Chad?")
    ('Who won?', 'and Chad?')
    """
    rest = _LEAD.sub("", question)
    if rest == question or ASKING.isdisjoint(text.tokens(rest)[:1]):
        return question
    return rest[:1].upper() + rest[1:] if question[:1].isupper() else rest


def names_nothing(words: str) -> bool:
    """Tell whether a stretch of words is only one that refers ("she", "it"), or begins with a verb such as "was"."""
    asks = not text.YES_NO_OPENERS.isdisjoint(text.tokens(words)[:1])
    return asks or _REFERRING.fullmatch(words.strip(" ?!.,")) is not None


def is_usable_rewrite(rewritten: str, question: str, history: Sequence[Exchange]) -> bool:
    """Tell whether a model's rewriting is usable: one question, with names and numbers from the conversation only."""
    is_one = not (set("\n[") & set(rewritten) or "?" in rewritten[:-1] or text.is_statement(rewritten))
    return (
        5 <= len(rewritten) <= len(question) + MOST_ADDED
        and is_one
        and not points_back(rewritten)
        and not text.contains(history[-1].question, rewritten)
        and _keeps_names(rewritten, question, history)
    )


def _keeps_names(rewritten: str, question: str, history: Sequence[Exchange]) -> bool:
    """Tell whether the rewriting has all names of the question, and no name that is not in the conversation."""
    said = " ".join([question, *(f"{one.question} {one.answer} {one.final_answer}" for one in history)])
    rest, (opener, *others) = _LEAD.sub("", question), text.tokens(rewritten) or ("",)
    only_names = len(rest.split()) <= _FEW and WH.isdisjoint(text.tokens(rest)) and not _REFERRING.search(rest)
    new = text.names(rewritten) - ({opener} if set(others[:1]) & WH else set())  # "During which year …?"
    named = rest if only_names else " ".join(text.names(rest))
    kept, known = text.content_words(rewritten), text.content_words(re.sub(r"\[\d+\]", "", said))
    is_kept = text.content_words(named) <= kept and not kept.isdisjoint(known)
    return is_kept and text.content_words(" ".join(new)) <= known
