"""Read questions about two named things: what both share, whether both are so, and which of the two is so.

A question may be parted into its two names in several ways, because names hold "and" too. ``reading.pairs`` finds out
whether there is an article of a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from searchain.language import text
from searchain.language.competing import COMPARING, reordered

_LONGEST = 8
"""Most words of a name."""
_UNMARKED = 4
"""Most words of a name in lower case, of which no sign shows the end."""
_BE = r"(?P<verb>are|were|is|was|do|does|did|have|has|had|can)"
_PLACES = r"country|nation|continent|city|state"
_KINDS = (
    r"(?:professions?|occupations?|jobs?|careers?|vocation|nationality|genres?|media|"
    r"(?:kind|type|sort|category|class|genre|form)s? of [\w-]+)"
)
"""What the definitions of two things can say. Their cells or goals stand elsewhere."""
_SHARED = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"what (?:do|does|did) (?P<pair>.{3,120}?) (?:both )?(?:have in common|share)",
        rf"(?:what|which) (?P<what>{_KINDS}) (?:do|does|did|have|has) (?:both )?(?P<pair>.{{3,120}}?) "
        r"(?:(?:both )?(?:share|have) in common|(?:both )?share(?:d)?|both have|both had)",
        rf"(?:what|which) (?P<what>{_KINDS}) (?:are|were|is|was) "
        r"(?:both (?P<all>.{3,120})|(?P<pair>.{3,120}?) both)",
        r"(?P<pair>.{3,120}?) (?:are|were|is|was) both (?:(?P<what>(?!an?\b)[\w-]+s) of )?what"
        r"(?: (?:kinds?|types?|sorts?) of (?P<kind>[\w -]{2,40}))?",
        rf"(?:(?:in|on|from) )?(?:what|which) (?P<place>{_PLACES}) (?:are|were|is|was|do|does|did|lie|can) "
        r"(?:both (?P<all>.{3,120}?)|(?P<pair>.{3,120}?) both)(?: (?:located|situated|found|based|lie|be found))?"
        r"(?: (?:in|on|from))?",
        r"(?:in )?(?:what|which) year (?:are|were|is|was|did) (?:both (?P<all>.{3,120}?)|(?P<pair>.{3,120}?) both) "
        r"(?P<event>born|die|end|founded|formed|established|built|released|published|created|launched|opened|completed|"
        r"premiere|begin|start|open)",
    )
)
"""Asks for what both share; the first form that matches counts."""
_SAME = re.compile(
    r"(?:are|were|is|was|do|does|did|have) (?P<pair>.{3,120}?) (?:both )?"
    r"(?:(?:located|situated|based|found|lie|come) )?"
    rf"(?:in|on|from|of|share|have) (?:the|a) (?:same|common) (?P<place>{_PLACES}|nationality)"
    r"(?: as (?P<other>.{2,60}))?",
    re.IGNORECASE,
)
_BOTH_LATER = re.compile(rf"{_BE} (?P<pair>.{{3,120}}?),? both (?P<rest>.{{2,120}})", re.IGNORECASE)
_BOTH_FIRST = re.compile(rf"{_BE} both,? (?P<all>.{{3,160}})", re.IGNORECASE)
_ONE_OF = re.compile(r"(?P<asks>(?:which|who|what)\b.{2,160})", re.IGNORECASE)
_IS_ONE = re.compile(
    r"(?:is|was|are|were) (?P<one>[^,;?!]{2,60}?) or (?P<other>[^,;?!]{2,60}?) (?P<rest>(?:an?|the) .{2,120})",
    re.IGNORECASE,
)
_SORT = re.compile(r"^(?:the )?(?:two )?(?:[a-z][\w-]* ){0,3}(?:[a-z][\w-]*s|genera|people),? (?=[A-Z0-9“\"])")
"""Stands before names: "the bands Queen"."""
_SMALL = r"(?:of|the|de|du|la|le|von|van|der|di|da|y|in|on|for|to|at|and)(?= (?:[a-z]+ )?[^\Wa-z_])"
_MARKED = re.compile(rf"[^\Wa-z_][\w.'’&-]*(?: (?:[^\Wa-z_][\w.'’&-]*|{_SMALL}))*")
"""A name written with capitals."""
_CAPITALS = re.compile(r"[^\Wa-z_]\S*(?: [^\Wa-z_]\S*)*")
"""One without the small words that may join two names: of "Peru in Africa" the first."""
_SINGULAR = dict(
    pair.split()
    for pair in (
        "genera genus|species species|women woman|men man|people person|children child|fish fish|sheep sheep|"
        "mice mouse|wolves wolf|fungi fungus|bacteria bacterium"
    ).split("|")
)
_ONE = {"are": "is", "were": "was", "do": "does", "have": "has"}


_LIKE = frozenset("same share different each other similar alike".split())
"""Compares the two in words that a question about one alone cannot keep."""
_OF_THEM = re.compile(r"^(?:the )?[a-z ]+ of (?:both |the )*[a-z]+ (?=[^\Wa-z_])|\b(?:that|who|which|whose)\b")
"""Asks about something of the two: "the directors of both films Emma and Troy"."""


class Asks(Enum):
    """What is asked about two things."""

    ONE = "one"
    """Which of the two is so."""
    BOTH = "both"
    """Whether both are so."""
    SHARED = "shared"
    """What both have in common."""
    SAME = "same"
    """Whether both have the same of something."""


@dataclass(frozen=True, slots=True)
class Way:
    """Two names, and what is said of them, for one way to part the question."""

    one: str
    other: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class AskedOfTwo:
    """A question about two things, with all ways to part it, the likeliest first."""

    asks: Asks
    ways: tuple[Way, ...]
    what: str = ""
    """What is shared or the same: a kind, "country", "year"; empty where anything is."""
    event: str = ""
    """What happened in the year that is asked for; of ``Asks.BOTH`` the verb of the question."""


def asked_of_two(question: str) -> AskedOfTwo | None:
    """Return what ``question`` asks about two things; ``None`` for a question of another form, or one that measures.

    >>> asked_of_two("What do Mars and Venus have in common?").ways
    (Way(one='Mars', other='Venus', rest=''),)
    >>> asked_of_two("are spiders and scorpions both arachnids").ways[0].rest
    'arachnids'
    >>> asked_of_two("Which is bigger, Mars or Venus?"), asked_of_two("Who wrote Pride and Prejudice?")
    (None, None)
    """
    bare = reordered(" ".join(question.split()).strip(' "“”')).rstrip(" ?!.")
    if text.has_negation(bare):
        return None
    for read in (_same, _shared, _both, _one_of):
        if (asked := read(bare)) is not None and asked.ways:
            return asked
    return None


def single(asked: AskedOfTwo, way: Way, thing: str) -> str:
    """Return the question of ``Asks.BOTH`` about one of the two things.

    >>> asked = asked_of_two("Were Mozart and Beethoven both composers?")
    >>> single(asked, asked.ways[0], "Mozart")
    'was Mozart a composer'
    """
    verb, been, kind = asked.event, *way.rest.rpartition("been ")[1:]
    if been:  # "have both been actors"
        return f"was {thing} {_one_such(kind)}"
    rest = _one_such(way.rest) if verb in ("are", "were", "is", "was") else way.rest
    return f"{_ONE.get(verb, verb)} {thing} {rest}"


def _one_such(rest: str) -> str:
    """Return "a flowering plant" for "flowering plants"; anything but a plural noun as it is."""
    words = rest.split()
    last = words[-1]
    one = _SINGULAR.get(last.casefold())
    is_plain = not re.search(r"\b(?:in|on|of|by|from|at|to|the|as|with|for|an?)\b", rest)
    if one is None and is_plain and re.fullmatch(r"[a-z-]{2,}[^siu\W]s", last, re.IGNORECASE):
        one = last[:-3] + "y" if last.endswith("ies") else re.sub(r"(?<=[sxz])es$|(?<=[cs]h)es$|s$", "", last)
    if one is None or not is_plain:
        return rest
    phrase = " ".join([*words[:-1], one])
    return f"{'an' if phrase[0].casefold() in 'aeio' else 'a'} {phrase}"


def _same(bare: str) -> AskedOfTwo | None:
    found = _SAME.fullmatch(bare)
    if found is None or _OF_THEM.search(found["pair"]):
        return None
    if found["other"] is not None:
        ways: tuple[Way, ...] = (Way(_name(found["pair"]), _name(found["other"])),)
    else:
        ways = tuple(_parted(found["pair"]))
    return AskedOfTwo(Asks.SAME, ways, _plain_place(found["place"]))


def _shared(bare: str) -> AskedOfTwo | None:
    for form in _SHARED:
        if (found := form.fullmatch(bare)) is not None:
            said = found.groupdict()
            what = _plain_place(said.get("place") or said.get("what") or said.get("kind") or "")
            pair = said.get("pair") or said.get("all") or ""
            event = (said.get("event") or "").casefold()
            return AskedOfTwo(Asks.SHARED, tuple(_parted(pair)), "year" if event else what, event)
    return None


def _both(bare: str) -> AskedOfTwo | None:
    if (found := _BOTH_LATER.fullmatch(bare)) is not None and " and " in found["pair"]:
        ways = tuple(Way(way.one, way.other, found["rest"]) for way in _parted(found["pair"]))
    elif (found := _BOTH_FIRST.fullmatch(bare)) is not None:
        ways = tuple(_parted_from_rest(found["all"]))
    else:
        return None
    compares = not (COMPARING | _LIKE).isdisjoint(text.tokens(bare)) or bool(text.numbers(bare))
    return None if compares else AskedOfTwo(Asks.BOTH, ways, event=found["verb"].casefold())


def _one_of(bare: str) -> AskedOfTwo | None:
    if (found := _IS_ONE.fullmatch(bare)) is not None:
        ways: list[Way] = [Way(_name(found["one"]), _name(found["other"]), found["rest"])]
    elif _ONE_OF.fullmatch(bare):
        ways = list(_offered(bare))
    else:
        return None
    ways = [way for way in ways if _is_name(way.one) and _is_name(way.other)]
    is_measured = any(not COMPARING.isdisjoint(text.tokens(way.rest.replace("named after", ""))) for way in ways)
    return None if is_measured else AskedOfTwo(Asks.ONE, tuple(ways))


def _offered(bare: str) -> Iterator[Way]:
    """Yield the ways to part "Which is so, A or B", that with the longest name first."""
    for joint in re.finditer(r",? (?:or|and) ", bare):
        before, other = bare[: joint.start()], bare[joint.end() :]
        for sign in re.finditer(r"[,:;] ", before):
            is_choice = joint[0].strip(" ,") == "or" or re.match(r"which (?:is|was|are|were) ", bare, re.IGNORECASE)
            one, rest = before[sign.end() :], before[: sign.start()]
            if is_choice and not re.match(r"(?:an?|or|and|who|which|that)\b", one, re.IGNORECASE):
                yield Way(_name(one), _name(other), rest)


def _parted(pair: str) -> Iterator[Way]:
    """Yield the ways to part "A and B"; the first has the shortest first name."""
    for joint in re.finditer(r",? and (?:the (?:band|film|actor|singer|writer|company) )?", pair):
        way = Way(_name(pair[: joint.start()]), _name(pair[joint.end() :]))
        if _is_name(way.one) and _is_name(way.other):
            yield way


def _parted_from_rest(said: str) -> Iterator[Way]:
    """Yield the ways to part "A and B flowering plants", where B ends with its capitals, at a comma, or anywhere."""
    for joint in re.finditer(r",? and ", said):
        one, behind = _name(said[: joint.start()]), said[joint.end() :].strip()
        words = behind.split()
        ends = [behind.find(",")] if "," in behind else []
        if (marked := _MARKED.match(behind)) and (shorter := _CAPITALS.match(behind)):
            ends += [marked.end(), *(match.start() for match in reversed([*re.finditer(r" |$", shorter[0])]))]
        else:
            ends += [len(" ".join(words[:count])) for count in range(min(_UNMARKED, len(words) - 1), 0, -1)]
        for end in ends:
            other, rest = _name(behind[:end]), behind[end:].strip(" ,")
            if rest and _is_name(one) and _is_name(other):
                yield Way(one, other, re.sub(r"^(?:both|are|were) ", "", rest))


def _name(said: str) -> str:
    bare = _SORT.sub("", said.strip(' ,:;"“”'))
    return re.sub(r"^(?:[Bb]oth )?(?:(?:the|an?) )?", "", bare).strip(' ,:;"“”')


def _is_name(name: str) -> bool:
    return bool(text.content_words(name)) and len(name.split()) <= _LONGEST


def _plain_place(what: str) -> str:
    return "country" if what.casefold() == "nation" else what.casefold()
