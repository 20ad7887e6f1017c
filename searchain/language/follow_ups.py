"""Questions that lean on what was said before, and their form without it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from searchain.language import fragments, leaning, text
from searchain.language.answer_kinds import asks_for_person, asks_for_place
from searchain.language.kinds import as_name
from searchain.language.of_something import is_of_something
from searchain.language.qualifiers import ranks
from searchain.types import Exchange

_PERSONAL = {"he", "him", "his", "she", "her", "hers"}
_IMPERSONAL = {"it", "its", "there"}
_SPEAKERS = frozenset("i me my mine myself we us our ours you your yours yourself".split())
"""Words for those who talk, whom no pronoun of a follow-up stands for."""
_LEADING = re.compile(r"^(?:and|but|so|also)[ ,]+", re.IGNORECASE)
_DEFINED = re.compile(
    r"^(?:(?:who|what|where)(?:['’]?s| is| was| are| were)|tell me about|describe|summari[sz]e) (?:(?:an?|the) )?"
    r"(?P<thing>[^?.!]+?)\W*$",
    re.IGNORECASE,
)
"""What asks for a description of one thing, or where it is."""
_NESTED = re.compile(r"\b(?:of|in|on|from|by|for|that|which|who|whose|with|to|name|called)\b|['’]s\b", re.IGNORECASE)
_PART = re.compile(r"(?P<part>[a-z ]+?) of (?:the )?(?P<whole>.+)", re.IGNORECASE)
_ACTED = re.compile(r" (?:born|died|buried|made|found|located|situated|[a-z]+ed|from|live)$", re.IGNORECASE)
_LAST_NAME = re.compile(
    r"^(?P<asked>.*\b(?:of|in|from|by|for|about|is|was|are|were|painted|wrote|invented|founded|composed|discovered) )"
    r"(?:the )?(?P<name>[\w'’.-]+(?: [\w'’.-]+){0,2}?)\W*$",
    re.IGNORECASE,
)
_JOINING = frozenset("of the de von van and in la le di da del el al bin ibn".split())
_SMALL = re.compile(
    r"(?:when|where|why|how|how old|(?:in )?what year) (?:(?:did|does) (?P<acting>[\w'’.-]+(?: [\w'’.-]+){0,3}) \w+"
    r"|(?:was|were|is) (?P<acted>[\w'’.-]+(?: [\w'’.-]+){0,3}) (?:born|founded|built|created|invented|killed|married|"
    r"buried|discovered|published|released|painted|written|made))\W*",
    re.IGNORECASE,
)
"""What a question in small letters is about."""
_WHETHER = re.compile(
    r"(?:why )?(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would) (?!there\b|you\b|we\b|i\b)"
    r"(?:the |an? )?(?P<name>(?:(?:great|new|united|south|north|east|west|black|white|red|dead|prime|saint|mount) )?"
    r"[\w'’.-]+(?: of (?:the )?[\w'’.-]+)?) \w+",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"who (?:wrote|painted|composed|directed|built|designed|made|created|founded|invented|discovered) "
    r"(?P<name>[\w'’.-]+(?: [\w'’.-]+){0,4}?)\W*",
    re.IGNORECASE,
)
MISSPELT = 0.85
"""Similarity of a model's word to a word of the conversation from which on it is that word misspelt."""
MOST_SWAPPED = 4
"""Words of a follow-up that may be a bare name."""


def standalone_by_rule(question: str, history: Sequence[Exchange]) -> str:
    """Return the follow-up with its first pointing word replaced by what the conversation was about.

    After "What is X?" that is X; else the last short answer, unless it is a date, a number or a label, or of another
    kind than the word stands for ("In which country was Kipling born?" "When did he die?"): then it is what the last
    question named.

    >>> standalone_by_rule("And Chad?", [Exchange("what is the capital of Mali", "Bamako.", "Bamako")])
    'what is the capital of Chad?'
    """
    if sure := by_rule(question, history):
        return sure
    last = history[-1] if history else Exchange("", "")
    pointing = _pointing(question, history)
    topic = _topic_of(history, pointing)
    if not topic:
        return question
    if pointing:
        word = pointing[0].casefold()
        ending = "'s" if word in ("its", "his", "her", "their") else ""
        lead = "in " if word == "there" and text.tokens(question[: pointing.start()])[-1:] != ("in",) else ""
        standalone = f"{question[: pointing.start()]}{lead}{topic}{ending}{question[pointing.end() :]}"
        return _capitalised(_LEADING.sub("", standalone), standalone)
    rest = leaning.without_continuing(question)
    if not rest:
        return f"{question.rstrip('?')} {topic}?"
    asks = text.tokens(rest)[0] in text.QUESTION_WORDS
    swapped = "" if asks or len(rest.split()) > MOST_SWAPPED else _swapped(last.question, topic, rest)
    return swapped or f"{rest[:1].upper()}{rest[1:]} ({topic})?"


def by_rule(question: str, history: Sequence[Exchange]) -> str:
    """Return a follow-up that is a fragment, or asks about two things at once, in whole; ``""`` for other follow-ups.

    >>> said = [Exchange("what is osmosis", "", "A movement"), Exchange("what is diffusion", "", "A transport")]
    >>> by_rule("difference between them", said), by_rule("how does it work", said)
    ('difference between osmosis and diffusion', '')
    """
    if not history:
        return ""
    things = list(dict.fromkeys(topic for said in history[-4:] if (topic := _topic(said, ""))))
    if len(things) > 1 and (both := fragments.of_both(question, (things[-2], things[-1]))):
        return both
    if _pointing(question, history):
        return ""
    topic = _kept(history, "it") or _topic_of(history, None)
    rest = leaning.without_continuing(question) or question.strip(" ?")  # "where?" continues and is all there is
    return fragments.completed(rest, history, topic)


def _pointing(question: str, history: Sequence[Exchange]) -> re.Match[str] | None:
    return leaning.pointing(question) or leaning.meant(question, history[-1] if history else Exchange("", ""))


def _topic_of(history: Sequence[Exchange], pointing: re.Match[str] | None) -> str:
    """Return what the last three exchanges were about and the pointing word may stand for."""
    word = pointing[0].casefold() if pointing else ""
    return _kept(history, word) or next((one for said in reversed(history[-3:]) if (one := _topic(said, word))), "")


def replaceable(last: Exchange) -> tuple[str, ...]:
    """Return the names in the last question whose place a bare name may take.

    >>> replaceable(Exchange("what is the capital of france", "Paris.", "Paris"))
    ('france',)
    """
    question = last.question.strip()
    topic = _topic(last, "")
    names = [topic] if topic and topic.casefold() in question.casefold() else []
    if small := _SMALL.fullmatch(question):
        names.append(small["acting"] or small["acted"])
    if found := _LAST_NAME.match(question):
        names.append(found["name"])
    return tuple(dict.fromkeys(names))


def _kept(history: Sequence[Exchange], word: str) -> str:
    """What the last question pointed at already, ``""`` where it asked about something new or ``word`` means another
    kind of thing: "it" is still the canal after "Which seas does it connect?"."""
    if not word or len(history) < 2 or (word in _IMPERSONAL and asks_for_person(history[-2].question)):
        return ""
    topic = _topic(history[-2], word)
    return topic if topic and topic.casefold() in history[-1].question.casefold() else ""


def _swapped(question: str, topic: str, name: str) -> str:
    """``question`` with ``name`` in the place of the topic, else of what follows its last preposition or verb; ``""``
    without either."""
    if text.contains(topic, question) and topic.casefold() in question.casefold():
        at = question.casefold().index(topic.casefold())
        return question[:at] + name + question[at + len(topic) :]
    found = _LAST_NAME.match(question.strip())
    return f"{found['asked']}{name}?" if found else ""


def _capitalised(words: str, like: str) -> str:
    return words[:1].upper() + words[1:] if like[:1].isupper() else words


def is_usable_rewrite(rewritten: str, question: str, history: Sequence[Exchange]) -> bool:
    """Whether a model's standalone question may replace ``question``: one line of sane length that keeps what was
    asked, points nowhere, and names only what the conversation named, as it is spelt there."""
    said = text.content_words(" ".join([question, *(f"{e.question} {e.answer} {e.final_answer}" for e in history)]))
    asked = text.content_words(question)
    kept = text.content_words(rewritten)
    return (
        5 <= len(rewritten) <= 400
        and "\n" not in rewritten
        and len(kept & asked) * 2 >= len(asked)
        and not leaning.needs_history(rewritten)
        and {text.stem(name) for name in text.names(rewritten)} <= said
        and not any(difflib.get_close_matches(word, said, n=1, cutoff=MISSPELT) for word in kept - said)
    )


def told(history: Sequence[Exchange]) -> str:
    """The last three exchanges, for the prompt that makes a question standalone."""
    return "\n".join(f"Question: {said.question}\nAnswer: {said.final_answer or said.answer}" for said in history[-3:])


def _topic(last: Exchange, pointing: str) -> str:
    """Return what ``last`` was about and ``pointing`` may stand for; ``""`` for nothing, or for those who talk."""
    topic = _thing(last, pointing)
    return "" if set(text.tokens(topic)) <= _SPEAKERS else topic


def _thing(last: Exchange, pointing: str) -> str:
    answer = last.final_answer.strip()
    if (name := as_name(last.question)) and not is_of_something(name.thing.split()[-1]) and " of " not in name.thing:
        return name.thing
    if (asked := _DEFINED.match(last.question.strip())) and not ranks(asked["thing"]):
        is_located = last.question.casefold().startswith("where")
        is_plain = not _NESTED.search(asked["thing"]) and not (is_located and _ACTED.search(asked["thing"]))
        if (is_plain and not (is_located and pointing == "there")) or not (is_located or _is_name(answer)):
            part = _PART.fullmatch(asked["thing"])
            return part["whole"] if part and is_of_something(part["part"]) else asked["thing"]
    is_other = (
        (pointing in _PERSONAL and asks_for_place(last.question))
        or (pointing in _IMPERSONAL and asks_for_person(last.question))
        or (pointing != "there" and last.question.casefold().startswith("where "))
    )
    is_short = (
        answer
        and not is_other
        and len(answer.split()) <= 6
        and not text.dates(answer)
        and not text.numbers(answer)
        and (text.tokens(answer)[:1] not in (("yes",), ("no",), ("supports",), ("refutes",)))
    )
    if is_short:
        return answer
    spans = re.findall(r"(?:[A-Z][\w'’.-]*)(?:\s+(?:of|the|de|von|van|and|[A-Z][\w'’.-]*))*", last.question)
    named = [
        span
        for span in spans
        if text.tokens(span)
        and text.tokens(span)[0] not in text.QUESTION_WORDS
        and not set(text.tokens(span)) <= _SPEAKERS
    ]
    if not named and (small := _small_name(last.question.strip())):
        return small
    return max(named, key=len, default=answer if is_other else "")


def _small_name(question: str) -> str:
    """Return what a question in small letters is about: "can penguins fly", "who wrote emma"; ``""`` if unknown."""
    if found := _SMALL.fullmatch(question):
        return str(found["acting"] or found["acted"])
    found = _WHETHER.match(question) or (_MADE.fullmatch(question) if question.casefold().startswith("who ") else None)
    return found["name"] if found and not is_of_something(found["name"]) else ""


def _is_name(answer: str) -> bool:
    """Whether all words of an answer are those of a name: "Yuri Gagarin", not "Fifth planet from the Sun"."""
    words = [word for word in answer.split() if word.casefold() not in _JOINING]
    return bool(words) and all(word[:1].isupper() or word[:1].isdigit() for word in words)
