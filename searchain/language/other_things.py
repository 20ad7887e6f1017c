"""Tell what answers another question about a thing, or a question about another thing, from what is asked for."""

from __future__ import annotations

import re

from searchain.language import kin, text
from searchain.language.descriptions import LABEL
from searchain.language.fact_questions import Fact, asked_fact
from searchain.language.one_of_several import LIVED
from searchain.types import Passage, Span

_MADE = re.compile(
    r"\b(?:writ\w+|wrote|author\w*|compos\w+|paint\w+|direct\w+|creat\w+|mak\w+|made|design\w*|s[aiu]ng\w*|artist|"
    r"sculpt\w+|film-?maker|architect|playwright|poet|novelist|produc\w+|develop\w+|band|perform\w+|record\w+|by|"
    r"philosopher|build\w*|built|carved|publish\w+|invent\w+|people|person|man|woman|name|whose)\b",
    re.IGNORECASE,
)
"""Words of a question that may want the maker of a work."""
_WORK_BY = re.compile(
    r"\b(?:novel|novella|book|poem|play|tragedy|comedy|story|film|painting|fresco|sculpture|opera|symphony|ballet|song|"
    r"album|musical|series|game|manga|essay|work|treatise)\w* (?:[\w ]{1,30} )?by (?:the )?$"
)
_WHO_IN_STORY = re.compile(
    r"who (?:is|was) the (?:\w+ )?(?:narrator|protagonist|hero|heroine|villain|antagonist|character)\b", re.IGNORECASE
)
_STANDS = re.compile(r"\b(?:in|on|at|near|within) (?:the )?$")
_WHO_WON = re.compile(r"(?:who|which (?:side|team|army|country|nation)) (?:actually |finally )?won\b", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween (?:the )?$")
_NAME = re.compile(r"\b[A-Z][\w'’-]{3,}")
_SORTS = frozenset(
    "river lake mount mountain city town island islands university museum castle palace bridge tower street temple "
    "king queen saint pope sea ocean desert valley church north south east west northern southern eastern "
    "western".split()
)
"""Words of names that many things have."""
_SIDE = r"(?P<side>north|south|east|west|north-?east|north-?west|south-?east|south-?west)"
_ASKS_SIDE = re.compile(rf"\bto (?:the )?(?:immediate )?{_SIDE} of\b", re.IGNORECASE)
_SAYS_SIDE = re.compile(rf"[^.;,]{{0,40}}?\bto (?:the|its) {_SIDE}\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\b(?:group|number|no\.|chapter|article|grade|level|type|class|stage|phase|day|room|size|age|page|volume) $",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"how many\b", re.IGNORECASE)
_JOINED = re.compile(r"-(limb|arm|leg|side|head|wing|foot|toe|eye|point)(?:g?ed|d)\b")
_ASKS_KIN = re.compile(
    rf"^who(?:['’]?s| is| was) (?:(?:the )?(?:\w+ )?(?P<of>{kin.ONE}) (?:of|to)\b"
    rf"|(?!.*\b(?:who|that|which|by|after|before)\b).*\b(?P<owned>{kin.ONE})\W*$)",
    re.IGNORECASE,
)
_SAYS_KIN = re.compile(
    rf"(?:\b(?:his|her|their|whose)|['’]s) (?:\w+ )?(?P<kin>{kin.ONE}),? (?:(?:the )?[A-Z]\w+ )?$", re.IGNORECASE
)
_PAIRS = [{man, woman} for man, woman in zip(kin.MALE.split("|"), kin.FEMALE.split("|"), strict=True)]
_ASKS_CITY = re.compile(r"\b(?:capital|city)\b", re.IGNORECASE)
_OFFERS = re.compile(r"\b(?:or|among|between)\b", re.IGNORECASE)
MOST_WORDS = 2
"""Words of a thing, in whatever case, one of which an article about it names: of 2,186 answers known to be right, three
stand in a passage that names neither."""
LONGEST_ECHO = 2
"""Words of an answer that only repeats the question."""


def is_maker_unasked(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``span`` is the maker of a work in its short description, and ``query`` asks for something else.

    A real person is nobody in a story: of the narrator or the hero the author's article tells nothing.

    >>> novel = Passage("m", "Moby-Dick", "Short description: 1851 novel by Herman Melville.\\nIt is a novel.")
    >>> maker = Span(33, 48)
    >>> [is_maker_unasked(f"who {what} moby dick", novel, maker) for what in ("is the narrator of", "wrote")]
    [True, False]
    """
    if _WHO_IN_STORY.match(query) and LIVED.match(passage.text):
        return passage.text[span.start : span.end].split()[-1:] == passage.title.split()[-1:]
    described = passage.text.startswith(LABEL) and "\n" not in passage.text[: span.end]
    return bool(described and _WORK_BY.search(passage.text[: span.start]) and not _MADE.search(query))


def is_place_of_deed(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``span`` is where a thing stands, and ``query`` asks who made it.

    Where ``query`` asks who won, tell whether ``span`` names both sides: it stands behind "between".

    >>> palace = Passage("a", "Alhambra", "The Alhambra is a palace in Granada, Spain.")
    >>> [is_place_of_deed(f"{asked} the alhambra", palace, Span(28, 42)) for asked in ("who built", "where is")]
    [True, False]
    """
    before = passage.text[: span.start]
    if _WHO_WON.match(query):
        return _BETWEEN.search(before) is not None
    asked = asked_fact(query)
    return asked is not None and asked.fact is Fact.MAKER and _STANDS.search(before) is not None


def is_unnamed(query: str, passage: Passage) -> bool:
    """Tell whether ``query`` asks for a plain fact about something that the passage does not name.

    >>> gallery = Passage("g", "National Gallery", "The National Gallery is an art museum in London.")
    >>> [is_unnamed(f"In which city is the {name}?", gallery) for name in ("Railway Museum", "National Gallery")]
    [True, False]
    >>> [is_unnamed(f"who {what}", gallery) for what in ("designed pluto", "designed the gallery")]
    [True, False]
    """
    asked = asked_fact(query)
    if asked is None or asked.fact is Fact.ROLE or passage.place is not None:
        return False  # a piece of an own document may name its subject on another page
    if asked.fact is Fact.OCCUPATION and not text.content_words(asked.thing) <= text.content_words(passage.title):
        return True  # what a heart does is not what another article says beside it
    known = _stems(f"{passage.title} {passage.text}")
    words = {text.stem(word) for word in text.content_words(asked.thing)}
    if 0 < len(words) <= MOST_WORDS and " and " not in asked.thing and not text.are_like(words, known):
        return True
    of_each = [_stems(" ".join(_NAME.findall(one))) - _SORTS for one in asked.thing.split(" and ")]
    return not any(names <= known for names in of_each)


def is_beside(query: str, passage: Passage) -> bool:
    """Tell whether ``query`` asks when somebody was born, lived or died, and no word of the name is in the title.

    >>> raptor = Passage("v", "Velociraptor", "Velociraptor is a genus of dinosaurs of the Late Cretaceous.")
    >>> [is_beside(f"when did {name} live", raptor) for name in ("dinosaurs", "the velociraptor")]
    [True, False]
    """
    asked = asked_fact(query)
    if asked is None or asked.fact not in (Fact.BORN, Fact.DIED, Fact.LIVED) or passage.place is not None:
        return False
    return not text.content_words(asked.thing) & text.content_words(passage.title)


def _stems(words: str) -> set[str]:
    return {text.stem(word) for word in text.tokens(words.replace("’", "'"))}


def is_echo(query: str, answer: str) -> bool:
    """Tell whether a short answer says only what ``query`` says, where it offers no choice.

    A city may have the name of its country.

    >>> is_echo("In what Nevada county is it?", "Nevada"), is_echo("Is it in Nevada or Utah?", "Nevada")
    (True, False)
    >>> is_echo("what is the capital city of mexico", "Mexico City")
    False
    """
    words = text.content_words(answer)
    if not 0 < len(words) <= LONGEST_ECHO or not set(text.tokens(answer)) <= set(text.tokens(query)):
        return False  # the lines parallel to the equator are called parallels
    is_city = _ASKS_CITY.search(query) is not None and answer[:1].isupper()
    offers = text.is_comparison(query) or _OFFERS.search(query) is not None
    return not (is_city or offers)


def is_other_side(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``query`` asks what lies on one side of a thing, and the passage says that ``span`` lies on another.

    >>> lead = "Chad is bordered by Libya to the north, Sudan to the east."
    >>> chad, sudan = Passage("c", "Chad", lead), Span(40, 45)
    >>> [is_other_side(f"what country lies to the {side} of chad", chad, sudan) for side in ("north", "east")]
    [True, False]
    """
    asked, said = _ASKS_SIDE.search(query), _SAYS_SIDE.match(passage.text[span.end :])
    return bool(asked and said and asked["side"].casefold() != said["side"].casefold())


def is_other_kin(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``query`` asks for one of kin, and the words before ``span`` name the one of the other sex.

    >>> king = Passage("a", "Alexander", "He succeeded his father Philip II to the throne.")
    >>> [is_other_kin(f"who was the {one} of alexander", king, Span(24, 33)) for one in ("mother", "father")]
    [True, False]
    """
    asked, said = _ASKS_KIN.search(query), _SAYS_KIN.search(passage.text[: span.start])
    if asked is None or said is None:
        return False
    return {(asked["of"] or asked["owned"]).casefold(), said["kin"].casefold()} in _PAIRS


def is_label_number(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``query`` asks how many, and ``span`` is a number that only names something: "group 18".

    >>> gases = Passage("n", "Noble gas", "The noble gases are the members of group 18 of the table.")
    >>> is_label_number("how many noble gases are there", gases, Span(41, 43))
    True
    """
    return bool(_HOW_MANY.match(query.strip()) and _NUMBERED.search(passage.text[: span.start]))


def is_of_joined_word(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether ``query`` asks how many, and ``span`` counts another part of the thing: "eight-limbed".

    >>> octopus = Passage("o", "Octopus", "The octopus is an eight-limbed mollusc.")
    >>> asked = ("hearts", "limbs")
    >>> [is_of_joined_word(f"how many {one} does an octopus have", octopus, Span(18, 23)) for one in asked]
    [True, False]
    """
    joined = _JOINED.match(passage.text[span.end :])
    if not _HOW_MANY.match(query.strip()) or joined is None:
        return False
    return not any(word.startswith(joined[1]) for word in text.tokens(query))
