"""Answer questions for the language of a country by "official language" in its article, or in that of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from searchain.language import text
from searchain.language.descriptions import after_description
from searchain.language.fact_questions import Fact, asked_fact
from searchain.reading.articles import Match, matched, sentences_of
from searchain.types import Hit, Passage, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right."""
ONE_OF_SEVERAL = 0.7
"""How likely, where the language's article names several places: Switzerland has more than German."""
_OPENERS = (
    r"(?:It|Its|The|This|With|Although|Though|While|And|In|On|At|As|For|From|Since|Today|However|Currently|Now|Besides|"
    r"Unlike|Despite|Here|There|Officially|Historically)"
)
_ONE = rf"(?!{_OPENERS}\b)[A-Z][\w’'-]+(?: (?!(?:and|or)\b)[A-Z]\w+)?"
_NAMES = rf"(?P<answer>{_ONE}(?:, {_ONE}){{0,5}}(?:,? and {_ONE})?)"
_LANGUAGE = r"(?:\w+ )?official(?: and [\w-]+(?: [\w-]+){0,2})? languages?"
_OWN = r"(?:[Ii]ts|[Tt]he|(?:[Tt]he )?(?:two|three|four|sole|only))"
_STATE = r"(?:country|state|nation|republic|kingdom|province|territory|islands?)"
_WHERE = rf"(?: of (?:the {_STATE}|(?P<owner>[A-Z]\w+)))?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?:^|, |; |\band ){_OWN} (?:two |three |four |sole |only )?{_LANGUAGE}{_WHERE} (?:is|are) {_NAMES}"
        r"(?=[,.;]| and| while| though|$)",
        rf"\bofficial languages: {_NAMES}",
        rf"(?:^|, |; |\b(?:and|while|with|[Aa]lthough) ){_NAMES}(?:, [^,;.]{{3,90}},)? (?:is|are|as) (?:its|the) "
        rf"{_LANGUAGE}{_WHERE}(?=[,.;]| and| while| though|$)",
    )
)
_PAST = re.compile(r"\b(?:until|was|were|former|formerly|historically|replaced|claimed|proposed)\b")
_MOST_SPOKEN = re.compile(r"\bmost (?:widely |commonly )?spoken\b")
_IN_CONTRAST = re.compile(r"\b(?:while|but|although|though)\b")
"""Words of a sentence in which another language than the official one is spoken by most."""
_SEVERAL = re.compile(r"\b(?:languages|multilingual|bilingual|multi-lingual|polyglot|linguistic)\b")
"""In the article of a place, where the article of a language may name only one of several."""
_ENDS = (
    r"(?=,? and (?:an?|one|is|has|was|it|the|serves)\b| as well as|,? (?:where|but|which)\b|, (?:a|the)\b| —|[;.]|$)"
)
_OF_COUNTRIES = tuple(
    re.compile(form)
    for form in (
        rf"(?:^It|^[A-Z][\w ]{{2,30}}?|, it)(?:, [^,;.]{{3,60}},)? (?:is|serves as) (?:[\w ,]{{0,60}} and )?the "
        rf"(?:\w+ and )?(?:{_LANGUAGE}|national language) (?:of|in) (?:the )?(?:\w+ countries — )?"
        rf"(?P<places>[^;—]+?){_ENDS}",
        r"\bspoken (?:in|throughout) (?P<places>[^;—,]+?),? where it is the official language",
    )
)

_PLACES = re.compile(r",? and (?:the )?|, (?:the )?")


def language(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the article that names the official language of the place asked about, read as that; ``None`` without.

    >>> lead = "Hungary is a country. Hungarian is the official language."
    >>> hits, nothing = [Hit(Passage("h", "Hungary", lead), 1.0, 1)], [Reading("", None, 0.5)]
    >>> language("what language do they speak in hungary", hits, nothing)[1].answer
    'Hungarian'
    """
    asked = asked_fact(query)
    if asked is None or asked.fact is not Fact.LANGUAGE:
        return None
    places = [(matched(asked.thing, hit.passage) or 0) >= Match.ALIAS for hit in hits]
    has_several = any(_SEVERAL.search(hit.passage.text) for hit, is_place in zip(hits, places, strict=True) if is_place)
    pairs = list(zip(hits, readings, places, strict=True))
    for hit, reading, is_place in sorted(pairs, key=lambda pair: not pair[2]):  # the place's own article first
        found: tuple[Span, float] | None = None
        if is_place:
            span = official_language(hit.passage)
            found = (span, PROBABILITY) if span else None
        elif not has_several:
            found = _of_place(asked.thing, hit.passage)
        if found is not None:
            span, probability = found
            answer = hit.passage.text[span.start : span.end]
            return hit, Reading(answer, span, reading.confidence, probability=probability)
    return None


def official_language(passage: Passage) -> Span | None:
    """Return where the article of a place names its official languages; ``None`` where it does not, or differently."""
    spans = list(_named(passage))
    names = {passage.text[span.start : span.end] for span in spans}
    return spans[0] if len(names) == 1 else None


def _named(passage: Passage) -> Iterator[Span]:
    for sentence in sentences_of(passage):
        said = passage.text[sentence.start : sentence.end]
        if "official" not in said or _PAST.search(said) or (_MOST_SPOKEN.search(said) and _IN_CONTRAST.search(said)):
            continue
        for form in _FORMS:
            for found in form.finditer(said):
                owner = found.groupdict().get("owner")
                if owner is None or owner in passage.title.split():
                    yield Span(sentence.start + found.start("answer"), sentence.start + found.end("answer"))


def _of_place(place: str, passage: Passage) -> tuple[Span, float] | None:
    """Return the name of the language whose article calls it the official one of ``place``, and how likely that is."""
    name = _name_of(passage)
    for sentence in sentences_of(passage) if name else ():
        said = passage.text[sentence.start : sentence.end]
        found = None if _PAST.search(said) else next(filter(None, (form.search(said) for form in _OF_COUNTRIES)), None)
        places = [text.tokens(one) for one in _PLACES.split(found["places"])] if found else []
        if name and text.tokens(place) in places:
            return name, ONE_OF_SEVERAL if len(places) > 1 else PROBABILITY
    return None


def _name_of(passage: Passage) -> Span | None:
    """Return where the article has its title, "Hungarian" for "Hungarian language"."""
    name = re.escape(passage.title.removesuffix(" language"))
    found = name and re.compile(rf"\b{name}\b").search(passage.text, after_description(passage.text))
    return Span(found.start(), found.end()) if found else None
