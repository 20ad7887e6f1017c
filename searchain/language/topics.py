"""Name what a conversation is about, and what a "he" or an "it" of the next question stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import kin, text
from searchain.language.answer_kinds import asks_for_person, asks_for_place
from searchain.language.kinds import as_name
from searchain.language.of_something import OF_SOMETHING, is_of_something
from searchain.language.qualifiers import ranks
from searchain.types import Exchange

_HE, _SHE = {"he", "him", "his"}, {"she", "her", "hers"}
_PERSONAL = _HE | _SHE
_PLURAL = {"they", "them", "their", "theirs"}
_ONE_PERSON = re.compile(r"who (?:is|was) (?!the\b)", re.IGNORECASE)
_MAN = re.compile(r"\b(?:he|his|him|king|son|husband)\b", re.IGNORECASE)
_WOMAN = re.compile(r"\b(?:she|her|queen|wife|daughter)\b", re.IGNORECASE)
"""Words that say of a reply's subject what it is; of its father and mother they speak in either case."""
_IMPERSONAL = {"it", "its", "there"}
_SPEAKERS = frozenset("i me my mine myself we us our ours you your yours yourself".split())
"""Words for those who talk, whom no pronoun of a follow-up stands for."""
_DEFINED = re.compile(
    r"^(?:(?:who|what|where)(?:['’]?s| is| was| are| were)|tell me about|describe|summari[sz]e) (?!(?:with|in|on|at) )"
    r"(?:(?:an?|the) )?"
    r"(?P<thing>[^?.!]+?)(?: (?:about|like|called|made of|used for|known for|famous for))?\W*$",
    re.IGNORECASE,
)
"""What asks for a description of one thing, or where it is."""
_NESTED = re.compile(r"\b(?:of|in|on|from|by|for|that|which|who|whose|with|to|name|called)\b|['’]s\b", re.IGNORECASE)
_PART = re.compile(r"(?P<part>[a-z ]+?) of (?:the )?(?P<whole>.+)", re.IGNORECASE)
_ACTED = re.compile(r" (?:born|died|buried|made|found|located|situated|[a-z]+ed|from|live)$", re.IGNORECASE)
_RELATED = re.compile(
    r"(?:who|what) (?:is|was|are|were) (?P<phrase>(?:the )?(?P<role>[a-z]+(?: [a-z]+)?) of (?:the )?(?P<whose>.+?)"
    r"|(?P<owner>.+?)['’]s? (?P<part>[a-z]+(?: [a-z]+)?))\W*",
    re.IGNORECASE,
)
"""Asks for a person by what the person is to somebody or something else."""
_MALE = re.compile(rf"\b(?:{kin.MALE}|king|emperor|prince|pope|duke)\b", re.IGNORECASE)
_FEMALE = re.compile(rf"\b(?:{kin.FEMALE}|queen|empress|princess|duchess)\b", re.IGNORECASE)
_KIN = re.compile(rf"\b{kin.ANY}\b", re.IGNORECASE)
_SEVERAL_KIN = re.compile(rf"\b{kin.SEVERAL}$", re.IGNORECASE)
_JOINING = frozenset("of the de von van and in la le di da del el al bin ibn".split())
_SMALL = re.compile(
    r"(?:when|where|why|how|how old|what|(?:in )?what year) (?:"
    r"(?:did|do|does) (?P<acting>(?!(?:they|he|she|it|you|we|i)\b)[\w'’.-]+(?: [\w'’.-]+){0,3}) \w+"
    r"|(?:was|were|is) (?P<acted>[\w'’.-]+(?: [\w'’.-]+){0,3}) (?:born|founded|built|created|invented|killed|married|"
    r"buried|discovered|published|released|painted|written|made))\W*",
    re.IGNORECASE,
)
"""What a question in small letters is about."""
_MADE_THING = re.compile(
    r"(?:when|where|why|how|(?:in )?what year) (?:was|were|is) .{2,60} (?:written|built|painted|composed|founded|made|"
    r"released|published|constructed|designed|directed|formed|established|invented|discovered)\W*$",
    re.IGNORECASE,
)
"""Asks about something that was made, which no "he" stands for."""
_MADE_BY = re.compile(
    r"who (?:wrote|built|painted|composed|founded|made|discovered|invented|directed|designed|created|developed|"
    r"produced|sang|constructed|established|won|lost|hosted|fought|started|killed)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(r"when (?:was|were|is) (?:the )?(?P<name>(?:(?!\w+ed\b)[\w'’.-]+ ?){1,6}?)\W*", re.IGNORECASE)
_SIZED = re.compile(
    r"how (?:old|far|long|big|large|tall|high|deep|heavy|fast|wide|hot|cold|small) (?:is|are|was|were) (?:the )?"
    r"(?P<name>(?:(?!(?:from|to|away|in|on)\b)[\w'’.-]+ ?){1,5}?)(?: ?(?:from|to|away|in|on)\b.*)?\W*",
    re.IGNORECASE,
)
_WHETHER = re.compile(
    r"(?:why )?(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would) (?!there\b|you\b|we\b|i\b)"
    r"(?:the |an? )?(?P<name>(?:(?:great|new|united|south|north|east|west|black|white|red|dead|prime|saint|mount) )?"
    r"[\w'’.-]+(?: of (?:the )?[\w'’.-]+)?) \w+",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"who (?!(?:is|was|are|were|has|had|have|will|would|can|did|does|do|else)\b)[a-z]+ (?:the )?"
    r"(?P<name>(?:(?!(?:that|which|who|when|how|if|in|on|at|to|for)\b)[\w'’.-]+ ?){1,5}?)\W*",
    re.IGNORECASE,
)
"""Asks who did something: "who won the battle of hastings"."""
LONGEST = 6
"""Words of an answer that may be what the conversation is about."""


def topic_of(history: Sequence[Exchange], word: str) -> str:
    """Return what the last three exchanges were about and ``word`` may stand for; ``""`` for nothing.

    What the last question pointed at already comes first: "it" is still the canal after "Which seas does it connect?".
    ``word`` is ``""`` for a question without a pronoun.

    >>> wife = Exchange("who was Napoleon's wife", "Joséphine.", "Joséphine")
    >>> topic_of([wife], "she"), topic_of([wife], "he")
    ('Joséphine', 'Napoleon')
    """
    kept = kept_of(history, word) if word else ""
    return kept or next((one for place in _last(history) if (one := topic(history, place, word))), "")


def _last(history: Sequence[Exchange]) -> range:
    return range(len(history) - 1, max(-1, len(history) - 4), -1)


def kept_of(history: Sequence[Exchange], word: str) -> str:
    """Return what the last question pointed at already; ``""`` where it asked about something new, or ``word`` means
    another kind of thing."""
    if len(history) < 2:
        return ""
    last = history[-1].question.strip()
    if word in _PERSONAL and (_RELATED.fullmatch(last) or _MADE_BY.match(last)):
        return ""  # "who was his wife" and "who built it" bring in another person
    found = topic(history, len(history) - 2, word)
    return found if found and found.casefold() in history[-1].question.casefold() else ""


def topic(history: Sequence[Exchange], place: int, word: str) -> str:
    """Return what one exchange of ``history`` was about and ``word`` may stand for; ``""`` for nothing, or for those
    who talk."""
    last = history[place]
    if word in _PERSONAL and (_MADE_THING.match(last.question.strip()) or _is_other_sex(last, word)):
        return ""
    if word in _PLURAL and _ONE_PERSON.match(last.question.strip()):
        return ""
    found = _related(last, word) if word in _PERSONAL else None
    if found is None:
        found = _thing(last, word) or _known(history[max(0, place - 3) : place], last.question)
    is_number = word in _PERSONAL and not re.search("[A-Za-z]", found)
    return "" if set(text.tokens(found)[:1]) <= _SPEAKERS or is_number else found


def _related(last: Exchange, word: str) -> str | None:
    """Return whom "he" or "she" stands for after "who was his wife"; ``None`` after other questions."""
    asked = _RELATED.fullmatch(last.question.strip())
    if asked is None:
        return None
    role, whose = asked["role"] or asked["part"], asked["whose"] or asked["owner"]
    is_other = (_MALE if word in _SHE else _FEMALE).search(role) is not None
    if is_other or _SEVERAL_KIN.search(role):
        return whose if _KIN.search(role) else ""
    if not (_MALE.search(role) or _FEMALE.search(role)):
        return None
    return last.final_answer if is_name(last.final_answer) else asked["phrase"]


def _is_other_sex(last: Exchange, word: str) -> bool:
    """Tell whether the reply to "who was X" speaks of a woman and ``word`` is "he", or of a man and it is "she"."""
    if not _ONE_PERSON.match(last.question.strip()):
        return False
    he, she = len(_MAN.findall(last.answer)), len(_WOMAN.findall(last.answer))
    return (he > 2 * she) if word in _SHE else (she > 2 * he)


def is_deed(question: str) -> bool:
    """Tell whether a question asks who did something to a thing: "who painted the mona lisa", "who won the cup"."""
    return _MADE_BY.match(question.strip()) is not None


def _known(before: Sequence[Exchange], question: str) -> str:
    """Return what an earlier exchange was about and ``question`` names again; ``""`` for nothing."""
    topics = (_thing(said, "") for said in reversed(before))
    return next((one for one in topics if one and text.contains(one, question)), "")


def _thing(last: Exchange, word: str) -> str:
    answer = last.final_answer.strip()
    question = last.question.strip()
    if (name := as_name(last.question)) and not is_of_something(name.thing.split()[-1]) and " of " not in name.thing:
        return name.thing
    if (asked := _DEFINED.match(question)) and not ranks(asked["thing"]):
        is_located = question.casefold().startswith("where")
        is_plain = not _NESTED.search(asked["thing"]) and not (is_located and _ACTED.search(asked["thing"]))
        if (is_plain and not (is_located and word == "there")) or not (is_located or is_name(answer)):
            part = _PART.fullmatch(asked["thing"])
            return part["whole"] if part and is_of_something(part["part"]) else asked["thing"]
    is_done = word in _IMPERSONAL and asks_for_person(question)
    is_other = (
        is_done
        or (word in _PERSONAL and asks_for_place(question))
        or (word != "there" and question.casefold().startswith("where "))
    )
    if answer and not is_other and _is_short(answer) and (word not in _PERSONAL or is_name(answer)):
        return answer
    spans = re.findall(r"(?:[A-Z][\w'’.-]*)(?:\s+(?:of|the|de|von|van|and|[A-Z][\w'’.-]*))*", question)
    named = [
        span
        for span in spans
        if text.tokens(span)
        and text.tokens(span)[0] not in text.QUESTION_WORDS
        and not set(text.tokens(span)) <= _SPEAKERS
    ]
    if not named and (small := small_name(question)):
        return small
    return max(named, key=len, default=answer if is_other and not is_done and word not in _PERSONAL else "")


def _is_short(answer: str) -> bool:
    is_label = text.tokens(answer)[:1] in (("yes",), ("no",), ("supports",), ("refutes",))
    return len(answer.split()) <= LONGEST and not text.dates(answer) and not text.numbers(answer) and not is_label


def small_name(question: str) -> str:
    """Return what a question in small letters is about; ``""`` if that is unknown.

    >>> small_name("can penguins fly"), small_name("who wrote emma"), small_name("when was napoleon born")
    ('penguins', 'emma', 'napoleon')
    """
    question = question.strip()
    if found := _SMALL.fullmatch(question):
        return str(found["acting"] or found["acted"])
    found = (
        _SIZED.fullmatch(question) or _WHEN.fullmatch(question) or _WHETHER.match(question) or _DONE.fullmatch(question)
    )
    return found["name"].strip() if found and not text.content_words(found["name"]) <= OF_SOMETHING else ""


def is_name(answer: str) -> bool:
    """Tell whether all words of an answer are those of a name: "Yuri Gagarin", not "Fifth planet from the Sun"."""
    words = [word for word in answer.split() if word.casefold() not in _JOINING]
    return any(word[:1].isupper() for word in words) and all(word[:1].isupper() or word[:1].isdigit() for word in words)
