"""Answer "who was the first woman in space" with the title of the article that says this of its subject."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.language.aliases import canonical
from searchain.reading.articles import begins_with_title, description, sentences_of, subject
from searchain.types import Hit, Passage, Reading

PROBABILITY = 0.95
"""How likely such an answer is right."""
LEAST = 2
"""Words that a question needs to say of what somebody was the first."""
_ASKS = re.compile(
    r"(?:(?:who|which|what)(?: [\w-]{1,20})? (?:was|were|is|became) )?(?:name )?(?:the )?"
    r"(?P<which>first|last) (?P<what>[^,;?!]{3,80}?)",
    re.IGNORECASE,
)
_IS = r"(?:is|was|are|were|became|becoming|being|as|be)"
_SAYS = re.compile(
    rf"(?:^|(?<!which )(?<!that )\b{_IS},? (?:also )?|\b{_IS} [^,;.]{{1,60}} and (?:also )?)"
    r"(?:the )?(?:[a-z]+ and )?(?P<which>first|last) (?:and [a-z]+ )?(?!of\b|\w+ed\b)(?P<what>[^,;:.()–—]{3,100})"
)
_PRONOUN = re.compile(r"(?:He|She|It|They)\b")
_OWNED = re.compile(r"['’]s? |\b(?:his|her|its|their|whose)\b")
"""Before the word "first": it is said of something that the subject has."""
_ENDS = re.compile(r"\b(?:and|but|until|serving|when|while|since|during|holding)\b|\b(?:in|on|from) (?=\d)")
_NARROWER = re.compile(r"\b(?:who|which|that|whose|by|with|at|under|having|born|from|after|before)\b")
"""Words behind which it is said to be the first of fewer."""
_PEOPLE = frozenset(map(text.stem, "person man human people".split()))
_DOING = frozenset(
    map(
        text.stem,
        "go fly flew flown travel journey walk step set foot reach become serve hold ever outer".split(),
    )
)
"""Stems that only say how somebody was the first of them."""
_SAME_LAST = {"tsar": "emperor", "czar": "emperor"}
"""The last tsar was an emperor, the first was not."""


def first(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the first hit whose article says that its subject was the first (or last) that ``query`` asks for.

    What it was the first of must be all that the query names, and nothing narrower: the first American woman in space
    is not the answer to "the first woman in space".

    >>> lead = "Ann Lee is a cosmonaut. She was the first woman in space."
    >>> hits = [Hit(Passage("a", "Ann Lee", lead), 1.0, 1)]
    >>> first("who was the first woman in space", hits, [Reading("1937", None, 0.5)])[1].answer
    'Ann Lee'
    """
    asked = _ASKS.fullmatch(query.strip(" ?!."))
    if asked is None:
        return None
    wanted = _stems(asked["what"], is_last=asked["which"].lower() == "last")
    if len(wanted) < LEAST:  # "the first president" may be that of many countries
        return None
    for hit, reading in zip(hits, readings, strict=True):
        name = subject(hit.passage)
        if name is not None and _is_first(asked["which"].lower(), wanted, hit.passage):
            answer = hit.passage.text[name.start : name.end]
            return hit, Reading(answer, name, reading.confidence, probability=PROBABILITY)
    return None


def _is_first(which: str, wanted: set[str], passage: Passage) -> bool:
    """Tell whether a sentence of the article that is about its subject says so."""
    is_last = which == "last"
    about = _stems(f"{passage.title} {description(passage)}", is_last=is_last)
    for at in sentences_of(passage):
        sentence = passage.text[at.start : at.end]
        if not (_PRONOUN.match(sentence) or begins_with_title(passage, sentence)):
            continue
        for said in _SAYS.finditer(sentence):
            if _OWNED.search(sentence[: said.start()]):
                continue
            what = _ENDS.split(said["what"])[0]
            known = _stems(what, is_last=is_last)
            if _NARROWER.search(what) and not wanted >= known:
                continue
            if said["which"] == which and wanted <= known | _PEOPLE & about and known - wanted <= _DOING | _PEOPLE:
                return True
    return False


def _stems(words: str, *, is_last: bool) -> set[str]:
    """Return the stems of content words, a people as its country and a man as a person."""
    found = ((_SAME_LAST.get(word, word) if is_last else word) for word in text.tokens(words))
    stems = {text.stem(part) for word in found if text.content_words(word) for part in canonical((word,)).split()}
    return {"person" if stem in _PEOPLE else stem for stem in stems}
