"""Answer "who is X", "what is X" and "what kind of animal is X" with the short description of the article X."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.language.answer_kinds import AnswerKind, kind_asked
from searchain.language.descriptions import LABEL, after_description
from searchain.reading.articles import is_nobody, is_proper
from searchain.types import Hit, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right: of 60 articles drawn by seed and read by hand, all 60 descriptions were."""
_A = r"(?:(?:an?|the) )?"
_KIND = r"(?:type|kind|sort) of (?:an? )?\w{1,30}"
_ASKS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?:who|what)(?:['’]?s| is| was| are| were) {_A}(?P<thing>.+?)(?: facts)?",
        rf"(?:what|which) {_KIND} (?:is|was|are) {_A}(?P<thing>[^,;?!]{{2,40}})",
        rf"{_A}(?P<thing>[^,;?!]{{2,40}}) (?:is|was|are) (?:an? )?(?:what|which) {_KIND}",
        rf"{_A}(?P<thing>[^,;?!]{{2,40}}) is an? (?:type|kind|sort) of what(?: \w{{1,30}})?",
    )
)

_ANY = re.compile(r"\b(?:is|are|was|were) an? ", re.IGNORECASE)
_LIVING = re.compile(r"\b(?:type|kind|sort) of (?:an? )?(?:animal|bird|fish|insect|mammal|reptile|plant|tree|fruit)\b")
_NOT_LIVING = re.compile(
    r"\b(?:sport|game|country|city|state|film|novel|album|band|company|software|river|ship|aircraft|instrument)\b"
)
_GROUPS = frozenset(map(text.stem, "family genus species order class group type kind sort form".split()))


def defined(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the hit whose title is all that ``query`` asks about, read as its description; ``None`` without one.

    >>> from searchain.types import Passage
    >>> hit = Hit(Passage("k", "Kyoto", "Short description: City in Japan.\\nKyoto is a city on Honshu."), 1.0, 1)
    >>> defined("what is kyoto", [hit], [Reading("", None, 0.5)])[1].answer
    'City in Japan'
    """
    bare = query.strip().rstrip(" ?!.")
    asked = next(filter(None, (form.fullmatch(bare) for form in _ASKS)), None)
    if asked is None or kind_asked(query) is AnswerKind.NUMBER:  # "what is the speed of light" wants a figure
        return None
    thing = _stems(asked["thing"])
    asks_who = bare.casefold().startswith("who")
    is_any, is_living = _ANY.search(bare), _LIVING.search(bare)
    known = {text.stem(word) for word in text.tokens(query)} | _GROUPS
    for hit, reading in zip(hits, readings, strict=True):
        lead = after_description(hit.passage.text)
        if lead and thing and _stems(hit.passage.title) == thing:
            answer = hit.passage.text[len(LABEL) : lead].strip().removesuffix(".")
            if asks_who and is_nobody(hit.passage):
                return None  # "who was hamlet" does not ask about the play
            if is_any and is_proper(asked["thing"], hit.passage) or is_living and _NOT_LIVING.search(answer):
                return None  # "what is a turkey" asks about no country, and a kind of animal is no sport
            if text.content_words(answer) <= known:
                return None  # "Family of reptiles" for "a skink is what type of reptile"
            span = Span(len(LABEL), len(LABEL) + len(answer))
            return hit, Reading(answer, span, reading.confidence, probability=PROBABILITY)
    return None


def _stems(name: str) -> list[str]:
    return [text.stem(word) for word in text.tokens(name)]
