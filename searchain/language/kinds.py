"""Questions whose wording asks for a reply of its own kind: a definition, two things compared, a list.

The words alone tell what may be asked; whether there is an article of that name is found out by ``reading.articles``.
What is put as a comparison of values ("which is higher, X or Y") is none of these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from searchain.language import text
from searchain.language.answer_kinds import AnswerKind, kind_asked
from searchain.language.asked_things import asks_several

LONGEST = 7
"""Words of a thing that can be the name of an article."""
MOST_NAMED = 4
"""Words that may be nothing but a name."""
FEW, MORE = 2, 5
"""Sentences of an article that a definition quotes, and a summary."""


@dataclass(frozen=True, slots=True)
class DefinitionAsked:
    """What one thing is."""

    thing: str
    """As it was typed, without an article before it."""
    sentences: int = FEW
    is_open: bool = False
    """Nothing but the article answers it, as "tell me about X": where there is none, that is the reply."""
    asks_who: bool = False
    """It is asked with "who"."""
    is_person: bool = False
    """"Who is the X": a person, and not the office X."""
    is_word: bool = False
    """The meaning of a word is asked for, which an article does not say of a proper name."""


@dataclass(frozen=True, slots=True)
class ComparisonAsked:
    """Two things beside one another. ``ways`` are all ways to part what was said into two things, the likeliest first:
    names hold "and" too."""

    ways: tuple[tuple[str, str], ...]
    aspect: str = ""
    """What of them is compared: the population of both."""
    is_clear: bool = True
    """Whether one of the two is enough: "X vs Y" may be the name of a case or a match."""


Asked = DefinitionAsked | ComparisonAsked

_PLEASE = r"^(?:please |(?:can|could|would|will) you (?:please )?|i(?: would|'d) like (?:you )?to )?"
_WHO = re.compile(
    r"^(?P<wh>who|what)(?P<verb>['’]?s| is| was| are| were) (?P<article>an? |the )?(?P<thing>.{1,120})$", re.IGNORECASE
)
_ABOUT = re.compile(
    _PLEASE + r"(?:tell me (?:(?:a (?:bit|little) |something |some more |more |all |everything )?about)"
    r"|what (?:do|can|did) you (?:know|tell me) about|what is known about|give me (?:some )?information (?:about|on)"
    r"|(?:give me (?:a|the) )?(?:define|definition of)|(?:what is )?(?:the )?meaning of(?! life\b)"
    r"|what(?: is|['’]?s) the definition of|what is meant by) (?P<thing>.{1,120}?)(?:,? please)?$",
    re.IGNORECASE,
)
_MEANING = re.compile(
    r"^(?:what (?:does|do) (?:the (?:word|term) )?(?P<thing>.{1,120}?) mean"
    r"|(?P<named>.{1,120}?) (?:definition|meaning))$",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    _PLEASE + r"(?:summari[sz]e|sum up|(?:give|write|show) (?:me )?(?:an? |the )?(?:(?:short|brief|quick|concise) )?"
    r"(?:summary|overview|introduction) (?:of|to|about|on)|(?:an? )?(?:summary|overview) of)"
    r" (?:the (?:article|page|life|biography) (?:about|on|of) |what you know about )?"
    r"(?P<thing>.{1,120}?)(?:,? please)?$",
    re.IGNORECASE,
)
_COMPARED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        _PLEASE
        + r"compare(?: and contrast)? (?P<one>.{1,100}?)(?P<joint>,? and | with | to | against | vs\.? | versus )"
        r"(?P<other>.{1,100})$",
        _PLEASE
        + r"(?:(?:what(?:['’]s| is| are| were)|tell me|explain|describe|name|list|show me|give me) )?(?:the |an? )?"
        r"(?:(?:main|key|major|biggest|basic|most important) )?(?:differences?|similarit(?:y|ies)|comparison|contrast)"
        r"(?: and (?:differences|similarities))? (?:between|of) (?P<one>.{1,100}?)"
        r"(?P<joint>,? and |,? or )(?P<other>.{1,100})$",
        r"^what (?:do|does|did) (?P<one>.{1,100}?)(?P<joint> and )(?P<other>.{1,100}?) have in common$",
        r"^(?:how|in what way) (?:do|does|did|are|is) (?P<one>.{1,100}?)(?P<joint> and )(?P<other>.{1,100}?)"
        r" (?:differ|different|alike|similar|related)$",
        r"^how (?:does|do|did|is|are) (?P<one>.{1,100}?)(?P<joint> (?:differ|different) from | compare (?:to|with) )"
        r"(?P<other>.{1,100})$",
    )
)
_VERSUS = re.compile(r"^(?P<one>.{1,100}?) (?:vs\.?|versus) (?P<other>.{1,100})$", re.IGNORECASE)
_ASPECT = re.compile(r"^(?:the )?(?P<aspect>[a-z]+(?: [a-z]+)?) of (?P<thing>.+)$")
_CLAUSE = re.compile(
    r"\b(?:who|which|that|whose|where|when|did|does|do|used|made|called|named|known|located|considered|example|"
    r"difference|reasons?|causes?|purpose|meaning|name)\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"^(?:an?|the|some|any|both) ", re.IGNORECASE)
_POINTING = frozenset("it its he she him her they them this that these those you your me my i we us there here".split())
_MEASURE = frozenset("area population height length size speed distance depth weight age temperature mass".split())
_SEVERAL = r"[\w-]*[^siu\W'’]s|people|men|women|children"
_ENUMERATE = re.compile(
    _PLEASE + r"(?:name|list|enumerate|give me|tell me)(?: me)?(?: an? list of)?"
    r"(?: all| every| some)?(?: of)?(?: the)?(?: names of)?"
    rf"(?: the)?(?: (?!who\b|that\b|which\b|of\b|in\b)[\w'’-]+){{0,3}}? (?!(?:has|was|is|does|this)\b)(?:{_SEVERAL})\b"
    r"|^(?:what|which) (?!year\b)(?P<before>(?:[\w'’-]+ ){0,3}?)"
    rf"(?:{_SEVERAL}) (?!(?:of|in|is|was|does|has|the|an?)\b)\w+"
    r"|^(?:what|which|who)(?:['’]re| are| were) (?:all )?(?:of )?the ",
    re.IGNORECASE,
)
"""What begins as a question for several things does."""
_BARE_LIST = re.compile(
    rf"(?:the )?(?:list|names) of (?:all )?(?:the )?(?:[\w'’-]+ ){{0,2}}(?:{_SEVERAL})(?: (?:in|of) [\w'’ -]{{2,40}})?"
    rf"|(?:all )?(?:the )?(?:[a-z'’-]+ )?(?:{_SEVERAL}) (?:in|of) (?:the|our|an?) [a-z][a-z'’ -]{{2,40}}"
)
"""A list asked for without a verb; names are written with capitals."""
_ONE = re.compile(
    r"['’]|\b(?:kinds?|types?|sorts?|one|country|nation|city|capital|town|state|province|county|region|island|river|lake|"
    r"continent|ocean|sea|mountain|range|desert|company|language|book|film|movie|song|band|team|planet|king|queen|"
    r"president|animal|country['’]?s)\b",
    re.IGNORECASE,
)
"""Before a word that ends like a plural: that word is a verb, or the plural is not what is asked for."""


def asked_kind(question: str) -> Asked | None:
    """Return what the wording of ``question`` wants defined or compared; ``None`` where it wants neither.

    >>> asked_kind("who was Ada Lovelace?").thing, asked_kind("Compare cats and dogs").ways
    ('Ada Lovelace', (('cats', 'dogs'),))
    >>> asked_kind("which is higher, Mount Everest or K2?")
    """
    question = _plain(question)
    return _comparison(question) or _definition(question)


def asks_list(question: str) -> bool:
    """Tell whether the wording of ``question`` asks for several things.

    >>> asks_list("Which countries border Switzerland?"), asks_list("Which country borders Switzerland?")
    (True, False)
    """
    question = re.sub(_PLEASE, "", _plain(question), flags=re.IGNORECASE)
    if _BARE_LIST.fullmatch(question):
        return True
    match = _ENUMERATE.match(question)
    if match is None or _ONE.search(match["before"] or "") or re.search(r"\bone of\b", question):
        return False
    if text.is_yes_no_question_form(question) or text.is_comparison(question):
        return False
    is_named = match["before"] is not None or not re.match(r"(?:what|which|who)\b", question, re.IGNORECASE)
    return kind_asked(question) not in (AnswerKind.NUMBER, AnswerKind.DATE) and (is_named or asks_several(question))


def as_definition(question: str) -> DefinitionAsked:
    """Read any question as one for a definition: what is left without the words that ask is the thing."""
    question = _plain(question)
    for pattern, sentences in ((_SUMMARY, MORE), (_ABOUT, FEW), (_WHO, FEW)):
        if match := pattern.match(question):
            return DefinitionAsked(_bare(match["thing"]), sentences, is_open=True)
    return DefinitionAsked(_bare(question), is_open=True)


def as_name(question: str) -> DefinitionAsked | None:
    """Read a few words that ask nothing as the name of a thing to define; ``None`` for all others.

    >>> as_name("black holes").thing, as_name("how old"), as_name("largest lake"), as_name("what is a cell")
    ('black holes', None, None, None)
    """
    thing = _bare(_plain(question))
    words = text.tokens(thing)
    asks = not words or words[0] in text.QUESTION_WORDS or any(word.endswith("est") for word in words[:2])
    return None if asks or len(words) > MOST_NAMED or not _is_thing(thing) else DefinitionAsked(thing, is_open=True)


def as_comparison(question: str) -> ComparisonAsked | None:
    """Read any question as one that compares two things; ``None`` where it does not name two."""
    question = _plain(question)
    if asked := _comparison(question):
        return asked
    for joint in (" or ", " and ", ", "):
        before, found, other = question.rpartition(joint)
        one = before.rpartition(", ")[2].rpartition(": ")[2]
        if found and _is_thing(_bare(one)) and _is_thing(_bare(other)):
            return ComparisonAsked(((_bare(one), _bare(other)),))
    return None


def _definition(question: str) -> DefinitionAsked | None:
    for pattern, sentences in ((_SUMMARY, MORE), (_ABOUT, FEW)):
        if match := pattern.match(question):
            thing = _bare(match["thing"])
            return DefinitionAsked(thing, sentences, is_open=True) if _is_thing(thing) else None
    if match := _MEANING.match(question):
        thing = _bare(match["thing"] or match["named"])
        is_word = _is_thing(thing) and not _CLAUSE.search(thing)
        return DefinitionAsked(thing, is_open=True, is_word=True) if is_word else None
    match = _WHO.match(question)
    if match is None or not _is_thing(match["thing"]) or _CLAUSE.search(match["thing"]):
        return None
    if kind_asked(question) is AnswerKind.NUMBER or not _MEASURE.isdisjoint(text.tokens(match["thing"])):
        return None
    is_one = match["verb"].casefold() not in (" are", " were")
    asks_who = match["wh"].casefold() == "who" and is_one
    is_person = asks_who and (match["article"] or "").casefold() == "the "
    return DefinitionAsked(_bare(match["thing"]), asks_who=asks_who, is_person=is_person)


def _comparison(question: str) -> ComparisonAsked | None:
    for pattern in _COMPARED:
        if match := pattern.match(question):
            return _parted(match)
    if match := _VERSUS.match(question):
        one, other = _bare(match["one"]), _bare(match["other"])
        return ComparisonAsked(((one, other),), is_clear=False) if _is_thing(one) and _is_thing(other) else None
    return None


def _parted(match: re.Match[str]) -> ComparisonAsked | None:
    """All ways to part what ``match`` found at its joint, where both parts can be names."""
    joint = match["joint"].strip(" ,").casefold()
    words = f"{match['one']} {joint} {match['other']}".split()
    places = [place for place, word in enumerate(words) if word.casefold().strip(",") == joint]
    if " " in joint or joint not in ("and", "or"):
        ways = [(match["one"], match["other"])]
    else:
        ways = [(" ".join(words[:place]), " ".join(words[place + 1 :])) for place in places]
    aspect = ""
    if found := [_ASPECT.match(one) for one, _ in ways]:
        of = [(match["thing"], other, match["aspect"]) for match, (_, other) in zip(found, ways, strict=True) if match]
        aspect = of[0][2] if of else ""
        ways += [(one, re.sub(rf"^(?:that|those|the {aspect}) of ", "", other)) for one, other, _ in of]
    named = [(_bare(one), _bare(other)) for one, other in ways]
    named = [pair for pair in named if all(map(_is_thing, pair))]
    return ComparisonAsked(tuple(dict.fromkeys(named)), aspect) if named else None


def _plain(question: str) -> str:
    """On one line, without what stands around a question."""
    return " ".join(question.split()).strip(" \"“”'").rstrip(" ?!.,;:\"“”'")


def _bare(thing: str) -> str:
    return _BARE.sub("", thing.strip(" ,.;:?!\"“”'")).strip()


def _is_thing(thing: str) -> bool:
    words = text.tokens(thing)
    return 0 < len(words) <= LONGEST and not _POINTING.issuperset(words)
