"""Recognise questions for one plain fact: who made a work, when something happened, where a place lies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Fact(StrEnum):
    """What is asked about a thing."""

    MAKER = "maker"
    APPEARED = "appeared"
    MADE = "made"
    BORN = "born"
    DIED = "died"
    BEGAN = "began"
    ENDED = "ended"
    LASTED = "lasted"
    PLACE = "place"
    LIES_IN = "lies in"
    CAPITAL_OF = "capital of"
    LANGUAGE = "language"
    NATIONALITY = "nationality"
    OCCUPATION = "occupation"
    ROLE = "role"
    MEASURE = "measure"
    RANK = "rank"
    LIVED = "lived"


@dataclass(frozen=True, slots=True)
class Asked:
    """A fact about a thing."""

    fact: Fact
    thing: str
    """As the question names it, without article."""
    what: str = ""
    """The craft of the maker ("paint"), the role ("capital"), the measure ("height", "size") or the kind of place
    ("country"); empty for the others."""


_CRAFTS = {
    "write": "wrote|written|writes|write|authored|penned|author|writer",
    "paint": "painted|paints|paint|painter",
    "direct": "directed|directs|direct|director",
    "compose": "composed|composes|compose|composer",
    "sing": "sang|sung|sings|sing|recorded|performed|performs|singer",
    "make": "made|makes|make|created|creates|create|creator|developed|produces|maker|developer",
    "design": "designed|designer|architect",
    "sculpt": "sculpted|carved|sculptor",
    "found": "founded|established|started|founder|founders",
    "build": "built|builds|build|constructed|builder",
    "invent": "invented|inventor",
    "discover": "discovered|discoverer",
}
_MADE = {
    "found": "founded|established|started|formed|created|launched",
    "build": "built|constructed|erected",
    "invent": "invented",
    "discover": "discovered",
    "design": "designed",
    "open": "opened",
}
_MEASURES = {
    "population": "population|number of (?:people|inhabitants|residents) in",
    "height": "height|elevation|altitude",
    "length": "length",
    "depth": "depth|maximum depth",
    "area": "area|size|surface area|total area|land area",
    "symbol": "(?:chemical |element )?symbol",
    "atomic number": "atomic number",
}
_HOW = {
    "population": "many (?:people|inhabitants|residents) (?:live|are|are there|are living) in|populous is",
    "height": "(?:tall|high) (?:is|are)",
    "length": "long is",
    "depth": "deep is",
    "area": "(?:big|large) is",
}
_WORK = (
    r"(?:book|novel|play|poem|film|movie|painting|opera|song|album|series|musical|ballet|story|symphony|treatise|fresco|"
    r"sculpture|tragedy|comedy|epic)"
)
_THING = (
    r"(?:the |an? )?(?:original )?(?:\d{4} |\d\d(?:th|st)[ -]century )?"
    rf"(?:(?:\w{{1,20}} )?{_WORK}(?: called| entitled| titled)? )?"
    r"(?P<thing>[^,;?!]{2,80}?)"
    r"(?: (?:books|novels|films|movies|plays|stories|paintings))?"
    r"(?:,? (?:in|published in|written in|from|released in) \d{4})?"
)
_SOMEBODY = (
    r"(?:who|(?:which|what)(?: [\w'-]{1,30}){0,4} (?:author|writer|novelist|poet|playwright|dramatist|composer|artist|"
    r"painter|sculptor|architect|director|film-?maker|philosopher|scientist|physicist|chemist|inventor|man|woman|person|"
    r"musician|astronomer))"
)
_WHEN = r"(?:when|(?:in |during )?(?:what|which) year|(?:on )?what date)"
_AREA = r"(?:[\w-]{1,30} ){0,3}(?P<what>country|state|city|continent|nation)(?: in [A-Z]\w{2,20})?"
_SITE = (
    r"(?:the )?(?:(?:\w{1,30} ){0,2}(?:city|town|port|seaport|island|ruins|village|site) (?:of )?)?(?:the )?"
    r"(?P<thing>[^,;?!]{2,60}?)"
)
_MAINLY = r"(?:(?:main|mainly|mostly|primarily|commonly|official|officially|national) ){0,2}"
_NOW = r"(?: (?:today|now|right now|currently))?"
_FORMS = (
    *(
        (Fact.MAKER, form, craft)
        for craft, words in _CRAFTS.items()
        for form in (
            rf"{_SOMEBODY} (?:originally |first )?(?:{words}) {_THING}",
            rf"who(?: is| was| were| are|['’]?s) the (?:original )?(?:{words}) of {_THING}",
            rf"(?:by whom|who) (?:was|were|is) {_THING} (?:{words})(?: by)?",
            rf"{_THING} (?:was|is|were) (?:{words}) by (?:who|whom|what \w+|which \w+)",
        )
    ),
    (
        Fact.APPEARED,
        rf"{_WHEN} (?:was|were) {_THING} (?:first )?(?:published|released|painted|composed|premiered|recorded)",
        "",
    ),
    (Fact.APPEARED, rf"{_WHEN} did {_THING} (?:first )?(?:come out|appear|premiere)", ""),
    (Fact.MADE, rf"{_WHEN} did {_THING} (?:first |officially )?open", "open"),
    *(
        (Fact.MADE, rf"{_WHEN} (?:was|were|is) {_THING} (?:first |originally )?(?:{words})", craft)
        for craft, words in _MADE.items()
    ),
    (Fact.BORN, rf"{_WHEN} (?:was|were|is) {_THING} born", ""),
    (Fact.DIED, rf"{_WHEN} did {_THING} (?:die|pass away)", ""),
    (Fact.LASTED, rf"{_WHEN}s? (?:did|does) {_THING} (?:start|begin) and (?:end|finish|stop)", ""),
    (Fact.BEGAN, rf"{_WHEN} (?:did|does) {_THING} (?:officially )?(?:start|begin|break out|commence)", ""),
    (
        Fact.ENDED,
        rf"{_WHEN} (?:did|does) {_THING} (?:finally |officially )?(?:end|finish|fall|come down|collapse|conclude)",
        "",
    ),
    (Fact.ENDED, rf"{_WHEN} (?:was|is) {_THING} over", ""),
    (Fact.LASTED, rf"{_WHEN}s? (?:did|does) {_THING} (?:happen|take place|occur|last)", ""),
    (Fact.LASTED, rf"{_WHEN}s? (?:was|were|is) {_THING}(?: fought)?", ""),
    (
        Fact.PLACE,
        rf"where(?: is|['’]?s| are) {_THING}(?: (?:located|situated|found))?(?: in the world| on (?:a|the) map)?",
        "",
    ),
    (Fact.LIES_IN, rf"(?:in|on) (?:what|which) {_AREA} (?:is|are|was|were) {_SITE}(?: located| situated| found)?", ""),
    (Fact.LIES_IN, rf"(?:what|which) {_AREA} (?:is|are|was) {_SITE} (?:located |situated |found )?in", ""),
    (Fact.LIES_IN, rf"(?:in|on) (?:what|which) {_AREA} (?:would|could|can|do|will) you (?:find|see|visit) {_SITE}", ""),
    (Fact.LIES_IN, rf"{_SITE} (?:is|are|was|lies) (?:located |situated |found )?(?:in|on) (?:what|which) {_AREA}", ""),
    (
        Fact.LIES_IN,
        rf"{_SITE} (?:is|are|was|forms?) (?:a |an |the )?(?:\w{{1,20}} )?"
        rf"(?:part|region|city|town|province|district|island) (?:of|in) (?:what|which) {_AREA}",
        "",
    ),
    (Fact.CAPITAL_OF, r"(?P<thing>[^,;?!]{2,40}) is the capital(?: city)? of (?:what|which)(?: [\w-]{1,30}){1,6}", ""),
    (Fact.CAPITAL_OF, r"of (?:what|which)(?: \w{1,30}){1,4} is (?P<thing>[^,;?!]{2,40}) the capital(?: city)?", ""),
    *(
        (Fact.LANGUAGE, rf"{form} (?:the )?(?P<thing>[^,;?!]{{2,60}}?){_NOW}", "")
        for form in (
            rf"(?:what|which) languages? (?:is|are|do) (?:they |people )?{_MAINLY}(?:spoken|speak|used|use) in",
            rf"(?:(?:what|which)(?: is|['’]?s| are)? )?(?:the )?{_MAINLY}languages? (?:of|in|spoken in)",
        )
    ),
    (Fact.ROLE, r"what currency (?:is|do|does) (?:used |they use )in (?:the )?(?P<thing>[^,;?!]{2,60})", "currency"),
    (Fact.ROLE, r"what currency does (?:the )?(?P<thing>[^,;?!]{2,60}?) (?:use|have)", "currency"),
    (Fact.NATIONALITY, r"what nationality (?:is|was) (?:the )?(?P<thing>[^,;?!]{2,60})", ""),
    (Fact.OCCUPATION, r"what (?:did|does) (?P<thing>[^,;?!]{2,40}?) do(?: for (?:a )?living| for (?:work|a job))?", ""),
    (Fact.OCCUPATION, r"what (?:is|was) (?P<thing>[^,;?!]{2,40})['’]s? (?:job|profession|occupation|career)", ""),
    (Fact.OCCUPATION, r"what (?:is|was) the (?:job|profession|occupation) of (?P<thing>[^,;?!]{2,40})", ""),
    *(
        (Fact.MEASURE, rf"(?:what(?: is|['’]?s) )?(?:the )?(?:{words})(?: of| for)? {_THING}{_NOW}", measure)
        for measure, words in _MEASURES.items()
    ),
    *((Fact.MEASURE, rf"how (?:{words}) {_THING}{_NOW}", measure) for measure, words in _HOW.items()),
    (Fact.RANK, rf"how does {_THING} rank by (?P<what>\w+)", ""),
    (Fact.LIVED, rf"{_WHEN} (?:did|does) {_THING} live", ""),
    (
        Fact.ROLE,
        r"(?:(?:what|who)(?: is|['’]?s) )?(?:the )?"
        r"(?P<role>capital(?: city)?|currency|president|prime minister) (?:of|in) "
        rf"(?:the )?(?P<thing>[^,;?!]{{2,60}}?){_NOW}",
        "",
    ),
    (
        Fact.ROLE,
        r"(?:(?:who|what|which|name)(?: city| town)?(?:['’]?s| is| are)? )?the (?:current |present |official |state )?"
        r"(?:name of the )?(?P<role>[a-z][a-z' -]{2,40}?) (?:of|for|used in) (?:the )?(?P<thing>[^,;?!]{2,60}?)"
        rf"{_NOW}",
        "",
    ),
)
_COMPILED = tuple((fact, re.compile(form, re.IGNORECASE), craft) for fact, form, craft in _FORMS)
_ADDED = re.compile(
    r"(?<=\w), (?:the|an?|who|which|also|between|near|in) [^,?]{2,80},(?= \w)"
    r"|, (?:(?:who|which|whose|where|that|born|now|also|once|formerly|known|the|an?)\b|(?:between|in|near|on) )"
    r"[^?]{0,120}$",
    re.IGNORECASE,
)
"""What a question says of the thing beside asking: ", the richest person in the world"."""
_QUOTE = re.compile(r"(?<!\w)['‘’\"“”]|['‘’\"“”](?!\w)")


def asked_fact(query: str) -> Asked | None:
    """Return the one fact that ``query`` asks for; ``None`` where it asks for something else, or for more.

    >>> asked_fact("who painted the starry night?")
    Asked(fact=<Fact.MAKER: 'maker'>, thing='starry night', what='paint')
    >>> asked_fact("when did world war ii end").fact, asked_fact("why did world war ii end")
    (<Fact.ENDED: 'ended'>, None)
    """
    bare = _QUOTE.sub("", query).strip(" ?!.")
    asked = _asked(bare)
    if asked is None and (shorter := _ADDED.sub("", bare)) != bare:
        asked = _asked(shorter)
        # "the largest of the islands, where …" needs its clause
        return None if asked is not None and asked.fact is Fact.ROLE else asked
    return asked


def _asked(bare: str) -> Asked | None:
    for fact, form, craft in _COMPILED:
        found = form.fullmatch(bare)
        if found:
            named = found.groupdict()
            return Asked(fact, found["thing"], named.get("role") or named.get("what") or craft)
    return None
