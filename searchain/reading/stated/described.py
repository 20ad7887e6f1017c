"""Answer questions for a plain fact with the words of the short description of the article that they are about.

Wikipedia's descriptions have a few forms: “1925 novel by F. Scott Fitzgerald”, “French painter (1840–1926)”, “1939–1945
global conflict”, “City in Peru”, “Capital and largest city of Kenya”.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.language.answer_kinds import is_adjective
from searchain.language.fact_questions import Asked, Fact, asked_fact
from searchain.language.territories import COUNTRIES, STATES, countries_in, state_in
from searchain.reading.articles import (
    Match,
    begins_with_title,
    description_span,
    find_article,
    matched,
    put_first,
    sentences_of,
    subject,
)
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Passage, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right."""
_WORKS = {
    "write": "novel|novella|book|poem|play|tragedy|comedy|story|stories|treatise|autobiography|memoir|essay|work|works|"
    "trilogy|tale|satire|fable|manga|comic|diary|dialogue|text|cycle|opera|"
    "symphony|composition|concerto|concertos|concerti|tales|novels|books|plays|poems",
    "paint": "painting|paintings|fresco|portrait|triptych|altarpiece|mural",
    "direct": "film|movie|documentary",
    "compose": "opera|symphony|ballet|mass|composition|oratorio|suite|sonata|waltz|cantata|requiem|musical|music|"
    "concerto|concertos|concerti|works|cycle|march",
    "sing": "song|single|album",
    "make": "game|smartphones|computers|series|manga|franchise|painting|sculpture|character|console|software|system",
    "design": "building|tower|house|church|museum|sculpture",
    "sculpt": "sculpture|statue|sculptures",
}
_BY = {
    "write": "written",
    "paint": "painted",
    "direct": "directed",
    "compose": "composed",
    "sing": "recorded|performed|sung",
    "make": "made|created|developed|produced",
    "design": "designed|built",
    "sculpt": "sculpted",
}
_NAME = (
    r"(?P<answer>(?:the )?[^\W\da-z_][\w.'’-]*"
    r"(?:,? (?:(?:van|von|de|da|di|del|della|der|den|la|le|el|al|ibn|of|and|the|bin|dos|du) ){0,3}"
    r"[^\W\da-z_][\w.'’-]*){0,8})"
)
_YEAR = r"(?:c\. ?|AD )?\d{3,4}"
_TO = r" ?(?:[–-]| to ) ?"
_PERIOD = re.compile(rf"(?:^|\(|\bfrom |, )(?P<from>{_YEAR}){_TO}(?P<to>{_YEAR})(?![\d/–])(?! ?BC)")
_LIVED = re.compile(
    rf"\((?:(?P<born>{_YEAR}){_TO}(?P<died>{_YEAR})|born (?P<only>\d{{4}})|died (?P<last>\d{{3,4}}))\)(?=\W*$|; )"
)
_OFFICE = re.compile(
    r"\b(?:king|queen|emperor|empress|president|minister|pope|sultan|caliph|duke|prince|tsar|shah|khan|ruler|monarch|"
    r"pharaoh|chancellor|dictator|head|leader|governor|imam|r\.)(?: \w+){0,3} (?:of|from|in)\b|\br\. ",
    re.IGNORECASE,
)
"""Years in such a description may be those of an office."""
_UNTIL_DEATH = re.compile(
    r"\buntil (?:his|her) (?:death|assassination|execution|murder) (?:on|in) (?P<answer>(?:\d{1,2} )?(?:[A-Z][a-z]+ )?"
    r"\d{3,4})(?![\d–-]| ?BC)"
)
_LONGEST_LIFE = 105
_SHORTEST_LIFE = 15
_APPEARED = re.compile(r"(?P<answer>\d{4}) (?!conflict|war\b|battle|treaty)")
_PLACES = (
    "city|town|village|country|state|province|region|capital|island|islands|river|lake|mountain|mountains|volcano|desert|"
    "peninsula|sea|strait|gulf|bay|canal|museum|palace|tower|university|bridge|stadium|airport|park|temple|church|"
    "cathedral|castle|fort|citadel|monument|mausoleum|building|site|settlement|municipality|district|county|territory|"
    "archipelago|valley|waterfall|waterfalls|glacier|range|forest|metropolis|port|commune|borough|neighbourhood|"
    "neighborhood|prefecture|nation|mosque|abbey|observatory|statue|landmark|republic|kingdom"
)
_IN = re.compile(
    rf"\b(?i:{_PLACES})(?: and \w+)? (?P<answer>(?:in|on|off|between|at) .+?)"
    r"(?=,? (?:that|which|and|from|with)\b|, [a-z]|[;(]|\. |$)"
)
_CAPITAL_OF = re.compile(r"^Capital(?: (?:and|city)[\w ]{0,40}?)? of (?P<answer>[^;(]+)")
_CONTINENT = r"(?:Europe|Asia|Africa|Americas?|Oceania|Antarctica)\b(?! Minor)"
_IN_CONTINENT = re.compile(rf"in (?:the )?[^,;()]{{0,40}}?{_CONTINENT}")
_NO_CONTINENT = re.compile(r"\b(?:off|between|before|Sea)\b")
_AND_CONTINENT = re.compile(rf"(?:, [^,;()]{{2,30}})*,? and [^,;()]{{0,30}}?{_CONTINENT}")
_AND_PLACE = re.compile(
    r"(?:, (?:and )?[A-Z][^,;()]{2,30})*,? and (?!capital|largest|seat)(?:(?:in|on|the) )?(?:[a-z]+ )?[A-Z][^,;()]*"
)
"""Another place behind the first: "in Central and Eastern Europe", "between Africa, Asia, and Europe"."""
_NO_PLACE = re.compile(
    r"(?:in|on) (?:the )?(?:Islam|Judaism|Hinduism|Christianity|Buddhism|Sikhism|Earth|world|Bible)\b"
)
"""Of what something is the highest or the holiest."""
_BESIDE = re.compile(r"\b(?:between|off)\b")
_SEVERAL = re.compile(r",| and ")
_ON_BORDER = re.compile(r"\b(?:border|boundary|borders|boundaries) (?:between|of|with)\b")
_WITHIN_CITY = r"(?:(?:central|downtown|inner|northern|southern|the (?:city|centre|center|heart) of) ){0,2}"
_REGION = re.compile(r"\b(?:Region|Province|Division|State|County|Governorate|Oblast)$")
_IS_TOWN = re.compile(r"(?:[\w-]+ ){0,4}(?:city|town|village|capital|county|park|lake|mountain|river)\b", re.IGNORECASE)
_OF_PEOPLE = (Fact.BORN, Fact.DIED, Fact.LIVED, Fact.NATIONALITY, Fact.OCCUPATION)
_FIRST_OF_TWO = frozenset("South North New Saudi Sri Costa Puerto Hong East West Sierra".split())
"""First words of a people's two."""
_MODIFIERS = frozenset(
    map(text.stem, "official national city seat largest most populous federal legal tender state current".split())
)
_HOLDERS = frozenset("president chancellor king queen emperor monarch pope sultan leader head minister premier".split())


def described(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the first hit whose short description says what ``query`` asks for, read as that; ``None`` without one.

    >>> hit = Hit(Passage("g", "Guernica (Picasso)", "Short description: 1937 painting by Pablo Picasso.\\nX."), 1.0, 1)
    >>> described("who painted guernica", [hit], [Reading("", None, 0.5)])[1].answer
    'Pablo Picasso'
    """
    asked = asked_fact(query)
    if asked is None:
        return None
    matches = [_match(asked, hit.passage) for hit in hits]
    least: int = Match.SURNAME if matches.count(Match.SURNAME) == 1 else Match.ALIAS
    if asked.fact in _OF_PEOPLE:
        least = max(least, max(matches, default=0))
        if least <= Match.ALIAS and _is_shared(asked.thing, hits):
            return None
    for hit, reading, match in zip(hits, readings, matches, strict=True):
        if asked.fact is Fact.ROLE:
            span = _of_role(asked, hit.passage)
        else:
            span = _of_thing(asked, hit.passage) if match >= least else None
        if span is not None:
            answer = hit.passage.text[span.start : span.end]
            return hit, Reading(answer, span, reading.confidence, probability=PROBABILITY)
    return None


def _is_shared(name: str, hits: Sequence[Hit]) -> bool:
    """Tell whether a first name is that of several: "elizabeth" is that of Elizabeth I and of Elizabeth II."""
    word = text.tokens(name)
    titles = [text.tokens(hit.passage.title) for hit in hits]
    return len(word) == 1 and (
        sum(title[:1] == word for title in titles) > 1 or any(word[0] in title[:-1] for title in titles)
    )


def with_titled(query: str, hits: Sequence[Hit], retriever: Retriever) -> tuple[Hit, ...]:
    """Return the hits, with the article whose title is the name of the person that a plain fact is asked of.

    Where no hit has that title, it takes the place of the last. Among articles on people called Muhammad "muhammad" is
    the one with no other name. Where no hit has the name at all, the one of that surname does.

    Raises:
        RetrievalError.
    """
    asked = asked_fact(query)
    if asked is None or asked.fact not in _OF_PEOPLE:
        return tuple(hits)
    best = max((_match(asked, hit.passage) for hit in hits), default=0)
    if best >= Match.BARE_TITLE:
        return tuple(hits)
    found = find_article(asked.thing, retriever, person="no" if asked.fact is Fact.LIVED else "only")
    if found.article is None or best and found.match is not Match.TITLE:
        return tuple(hits)
    return put_first(found.article, hits)


def _match(asked: Asked, passage: Passage) -> int:
    """Return how the thing matches the article; "the painter Edvard Munch" does so by its last words."""
    best = matched(asked.thing, passage) or 0
    if asked.fact is Fact.NATIONALITY:
        words = asked.thing.split()
        best = max([best, *(matched(" ".join(words[number:]), passage) or 0 for number in range(1, len(words) - 1))])
    return best


def _of_thing(asked: Asked, passage: Passage) -> Span | None:
    """Return what the description of the thing's own article says."""
    at = description_span(passage)
    if at is None:
        return None
    said = passage.text[at.start : at.end]
    if asked.fact is Fact.LIES_IN and asked.what.lower() == "city":
        return _city(passage)
    found = _found(asked, said)
    if found and asked.fact is Fact.LIES_IN and " and " not in said[slice(*found)] and _is_on_border(passage):
        return None
    if found is None and asked.fact is Fact.DIED:
        return _in_office(passage)
    return Span(at.start + found[0], at.start + found[1]) if found else None


def _is_on_border(passage: Passage) -> bool:
    """Tell whether the first sentence says that the thing lies on a border, so that the description names one side."""
    return any(_ON_BORDER.search(passage.text[one.start : one.end]) for one in sentences_of(passage)[:1])


def _in_office(passage: Passage) -> Span | None:
    """Return the date of the death that ended an office: "from 1861 until his assassination in 1865"."""
    for sentence in sentences_of(passage)[:2]:
        said = passage.text[sentence.start : sentence.end]
        died = _UNTIL_DEATH.search(said)
        if died and begins_with_title(passage, said):
            start, end = died.span("answer")
            return Span(sentence.start + start, sentence.start + end)
    return None


def _found(asked: Asked, said: str) -> tuple[int, int] | None:
    """Return where ``said`` has the fact."""
    match asked.fact:
        case Fact.MAKER if asked.what in _WORKS:
            form = rf"\b(?i:(?:{_WORKS[asked.what]})(?: on \w+)?|{_BY[asked.what]}) (?:by|attributed to) {_NAME}"
            made = re.search(form, said)
            return made.span("answer") if made else None
        case Fact.APPEARED:
            dated = _APPEARED.match(said)
            return dated.span("answer") if dated and re.search(r"\bby\b", said) else None
        case Fact.BORN | Fact.DIED:
            return _life(said, "born" if asked.fact is Fact.BORN else "died")
        case Fact.LIVED:
            ends = [_life(said, end) for end in ("born", "died")]
            return (ends[0][0], ends[1][1]) if ends[0] and ends[1] else None
        case Fact.BEGAN | Fact.ENDED:
            periods = list(_PERIOD.finditer(said))
            if len(periods) != 1 or _OFFICE.search(said):
                return None
            return periods[0].span("from" if asked.fact is Fact.BEGAN else "to")
        case Fact.LASTED:
            periods = list(_PERIOD.finditer(said))
            is_one = len(periods) == 1 and not _OFFICE.search(said) and not _LIVED.search(said)
            return (periods[0].start("from"), periods[0].end("to")) if is_one else None
        case Fact.LIES_IN:
            return _area(said, asked.what.lower())
        case Fact.CAPITAL_OF:
            capital = _CAPITAL_OF.search(said)
            return _first_of(capital) if capital else None
        case Fact.NATIONALITY | Fact.OCCUPATION:
            return _of_person(said, asked.fact)
        case Fact.PLACE:
            lies = _IN.search(said) or _CAPITAL_OF.search(said)
            if lies is None or _NO_PLACE.match(lies["answer"]):
                return None
            start, end = lies.span("answer")
            more = _AND_PLACE.match(said, end)
            return start, more.end() if more else end
    return None


def _first_of(place: re.Match[str]) -> tuple[int, int]:
    """Return the first part of a place: of "in Texas, United States" Texas."""
    name = re.sub(r"^(?:(?:in|on|off|between|at) )?(?:the )?", "", place["answer"])
    start = place.end("answer") - len(name)
    return start, start + len(name.split(",")[0])


def _area(said: str, what: str) -> tuple[int, int] | None:
    """Return the country, continent or state that ``said`` names as the place."""
    place = _IN.search(said) or _CAPITAL_OF.search(said)
    if place is None:
        return None
    start = place.start("answer")
    if what == "continent":
        return _continents(said, place)
    found = {"country": countries_in, "nation": countries_in, "state": state_in}.get(what, _nothing)(said[start:])
    if found is None:
        return None
    first, last = start + found.start, start + found.end
    is_beside = _BESIDE.search(said, start, first) and not _SEVERAL.search(said, first, last)
    return None if is_beside else (first, last)


def _nothing(said: str) -> Span | None:
    return None


def _continents(said: str, place: re.Match[str]) -> tuple[int, int] | None:
    """Return the part of a continent, or of two: "in Southeastern Europe and West Asia"."""
    start, end = place.span("answer")
    if not _IN_CONTINENT.match(said, start) or countries_in(said[start:end]) or _NO_CONTINENT.search(said, start, end):
        return None
    more = _AND_CONTINENT.match(said, end)
    return start, more.end() if more else end


def _city(passage: Passage) -> Span | None:
    """Return the city of a site that both its description and its first sentence name."""
    at, first = description_span(passage), next(iter(sentences_of(passage)), None)
    said = passage.text[at.start : at.end] if at else ""
    place = _IN.search(said)
    if at is None or first is None or place is None or _IS_TOWN.match(said) or "," not in place["answer"]:
        return None
    start, end = _first_of(place)
    name = said[start:end]
    is_larger = name in STATES or name in COUNTRIES or _REGION.search(name) or not name[:1].isupper()
    is_told = re.search(rf"\bin {_WITHIN_CITY}{re.escape(name)}\b", passage.text[first.start : first.end])
    return Span(at.start + start, at.start + end) if is_told and not is_larger else None


def _of_person(said: str, fact: Fact) -> tuple[int, int] | None:
    """Return the people or the work of somebody whose years stand behind it."""
    lived = re.search(r" \((?:c\. ?|born )?\d{3,4}[^()]{0,20}\)\W*$", said)
    if lived is None or _OFFICE.search(said):
        return None
    if fact is Fact.OCCUPATION:
        return 0, lived.start()
    words = said.split()
    if words[0] in _FIRST_OF_TWO:  # "South African bishop", "New Zealand physicist"
        return 0, len(" ".join(words[:2]))
    is_alone = len(words) < 2 or words[1] == "and" or words[1].startswith("(")  # "Mathematician and astronomer"
    return (0, len(words[0])) if is_adjective(words[0]) and not is_alone else None


def _life(said: str, end: str) -> tuple[int, int] | None:
    """Return where the year of birth or death stands, unless the years may be those of an office."""
    lived = _LIVED.search(said)
    if lived is None or _OFFICE.search(said):
        return None
    if lived["born"]:
        years = [int(re.sub(r"\D", "", lived[name])) for name in ("born", "died")]
        return lived.span(end) if _SHORTEST_LIFE <= years[1] - years[0] <= _LONGEST_LIFE else None
    name = {"born": "only", "died": "last"}[end]
    return lived.span(name) if lived[name] else None


def _of_role(asked: Asked, passage: Passage) -> Span | None:
    """Return the title, if its article's description says that it has the role."""
    return subject(passage) if has_role(asked.what, asked.thing, passage) else None


def has_role(role: str, owner: str, passage: Passage) -> bool | None:
    """Tell whether the description gives its subject the role for ``owner``, or for another; ``None`` if it gives none.

    >>> text = "Short description: Capital city of Victoria, Australia.\\nMelbourne is a city."
    >>> melbourne = Passage("m", "Melbourne", text)
    >>> [has_role("capital", owner, melbourne) for owner in ("Victoria", "Australia")]
    [True, False]
    >>> has_role("king", "Peru", melbourne) is None
    True
    """
    at = description_span(passage)
    head, of, rest = passage.text[at.start : at.end].partition(" of ") if at else ("", "", "")
    words, known = text.content_words(role), text.content_words(head)
    if not of or not words <= known or not known <= words | _MODIFIERS:
        return None
    if words & _HOLDERS and not re.search(r"\bsince \d{4}\)?\W*$", rest):
        return None
    named = re.match(r"(?:the )?(?P<name>.+?)(?= since\b|[,;(]|$)", rest)
    return named is not None and text.content_words(named["name"]) == text.content_words(owner)
