"""Questions that lean on what was said before, and their form without it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from searchain.language import fragments, leaning, text, topics
from searchain.language.of_topic import asked_of_topic, topic_for
from searchain.language.two_topics import of_both
from searchain.types import Exchange

_ARTICLE = re.compile(r"^(?:an?|the) ", re.IGNORECASE)
_ARTICLE_BEFORE = re.compile(r"\b(?:an?|the) $", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|them)\b", re.IGNORECASE)
_PEOPLE = {"he", "she", "they"}
_LEADING = re.compile(r"^(?:and|but|so|also)[ ,]+", re.IGNORECASE)
_LAST_NAME = re.compile(
    r"^(?P<asked>.*\b(?:of|in|from|by|for|about|is|was|are|were|painted|wrote|invented|founded|composed|discovered) )"
    r"(?:the )?(?P<name>[\w'’.-]+(?: [\w'’.-]+){0,2}?)\W*$",
    re.IGNORECASE,
)
_CITED = re.compile(r"\[\d+\]")
_WHICH = frozenset("who whom whose which what".split())
MOST_SWAPPED = 4
"""Words of a follow-up that may be a bare name."""
MOST_ADDED = 200
"""Characters that a rewriting in other words may be longer than the follow-up: a long name or two."""


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
    topic = topics.topic_of(history, pointing[0].casefold() if pointing else "")
    if not topic:
        return question
    if pointing:
        word = pointing[0].casefold()
        ending = "'s" if word in ("its", "his", "her", "their") else ""
        lead = "in " if word == "there" and text.tokens(question[: pointing.start()])[-1:] != ("in",) else ""
        behind = _and_thing(question[pointing.end() :], word, topic, history)
        standalone = f"{question[: pointing.start()]}{lead}{topic}{ending}{behind}"
        return _capitalised(_LEADING.sub("", standalone), standalone)
    rest = leaning.without_continuing(question)
    if not rest:
        return f"{question.rstrip('?')} {topic}?"
    asks = text.tokens(rest)[0] in text.QUESTION_WORDS
    is_name = not asks and len(rest.split()) <= MOST_SWAPPED and not leaning.is_never_name(rest)
    swapped = "" if not is_name else _swapped(last.question, topic, rest)
    return swapped or f"{rest[:1].upper()}{rest[1:]} ({topic})?"


def by_rule(question: str, history: Sequence[Exchange]) -> str:
    """Return a follow-up that is a fragment, or asks about two things at once, in whole; ``""`` for other follow-ups.

    >>> said = [Exchange("what is osmosis", "", "A movement"), Exchange("what is diffusion", "", "A transport")]
    >>> by_rule("difference between them", said), by_rule("how does it work", said)
    ('difference between osmosis and diffusion', '')
    """
    if not history:
        return ""
    places = range(max(0, len(history) - 4), len(history))
    things = list(dict.fromkeys(topic for place in places if (topic := topics.topic(history, place, ""))))
    if len(things) > 1 and (both := of_both(question, (things[-2], things[-1]))):
        return both
    if _pointing(question, history) or leaning.is_whole(question):
        return ""
    rest = leaning.without_continuing(question) or question.strip(" ?")  # "where?" continues and is all there is
    return fragments.completed(rest, history) or asked_of_topic(rest, history)


def aspect(question: str, history: Sequence[Exchange]) -> str:
    """Return a question for something of what the conversation is about, such as "plot"; ``""`` without a topic.

    >>> aspect("and the plot?", [Exchange("who wrote hamlet", "", "Shakespeare")])
    'plot of hamlet'
    """
    topic = topic_for("", history)
    return f"{_ARTICLE.sub('', leaning.without_continuing(question))} of {topic}" if topic else ""


def _pointing(question: str, history: Sequence[Exchange]) -> re.Match[str] | None:
    return leaning.pointing(question) or leaning.meant(question, history[-1] if history else Exchange("", ""))


def _and_thing(words: str, first: str, topic: str, history: Sequence[Exchange]) -> str:
    """Return what stands behind "he" with the "it" in it replaced: "when did he paint it" means two things."""
    found = _IT.search(words)
    if first not in _PEOPLE or found is None:
        return words
    thing = topics.topic_of(history, "it")
    return f"{words[: found.start()]}{thing}{words[found.end() :]}" if thing and thing != topic else words


def swaps(question: str, history: Sequence[Exchange]) -> bool:
    """Tell whether a question continues with a name that takes the place of one in the last question: "and saturn?".

    >>> swaps("and saturn?", [Exchange("how far is jupiter", "", "5 AU")]), swaps("and then?", [Exchange("a", "")])
    (True, False)
    """
    rest = leaning.without_continuing(question)
    is_name = leaning.continues(question) is not None and leaning.is_fragment_name(_ARTICLE.sub("", rest))
    return bool(is_name and history and replaceable(history[-1]))


def replaceable(last: Exchange) -> tuple[str, ...]:
    """Return the names in the last question whose place a bare name may take.

    >>> replaceable(Exchange("what is the capital of france", "Paris.", "Paris"))
    ('france',)
    """
    question = last.question.strip()
    topic = topics.topic([last], 0, "")
    names = [topic] if topic and topic.casefold() in question.casefold() else []
    if small := topics.small_name(question):
        names.append(small)
    if found := _LAST_NAME.match(question):
        names.append(found["name"])
    return tuple(dict.fromkeys(names))


def _swapped(question: str, topic: str, name: str) -> str:
    """``question`` with ``name`` in the place of the topic, else of what follows its last preposition or verb; ``""``
    without either."""
    if text.contains(topic, question) and topic.casefold() in question.casefold():
        at = question.casefold().index(topic.casefold())
        name = _ARTICLE.sub("", name) if _ARTICLE_BEFORE.search(question[:at]) else name
        return question[:at] + name + question[at + len(topic) :]
    found = _LAST_NAME.match(question.strip())
    return f"{found['asked']}{name}?" if found else ""


def _capitalised(words: str, like: str) -> str:
    return words[:1].upper() + words[1:] if like[:1].isupper() else words


def is_usable_rewrite(
    rewritten: str, question: str, history: Sequence[Exchange], *, in_other_words: bool = False
) -> bool:
    """Whether a model's standalone question may replace ``question``: one line of sane length that keeps what was
    asked, points nowhere, and names only what the conversation named, as it is spelt there.

    Args:
        in_other_words: only the names and numbers must have been said, for a model that keeps to what was meant.
    """
    said = " ".join([question, *(f"{e.question} {_CITED.sub('', e.answer)} {e.final_answer}" for e in history)])
    return (
        5 <= len(rewritten) <= 400
        and "\n" not in rewritten
        and not leaning.needs_history(rewritten)
        and "[" not in rewritten
        and not (history and text.contains(history[-1].question, rewritten))  # a question glued to the one before
        and (_keeps_names if in_other_words else _keeps_words)(rewritten, question, said)
    )


def _keeps_words(rewritten: str, question: str, said: str) -> bool:
    """Whether half of the words of ``question`` and only words of ``said`` are in ``rewritten``."""
    asked, kept = text.content_words(question), text.content_words(rewritten)
    return len(kept & asked) * 2 >= len(asked) and kept <= text.content_words(said)  # "when" is not "when did he die"


def _keeps_names(rewritten: str, question: str, said: str) -> bool:
    """Whether ``rewritten`` is one question, with the names and numbers of ``question`` and no others than ``said``."""
    rest = leaning.without_continuing(question)
    asked = text.content_words(rest) if leaning.is_fragment_name(rest) else _stems(text.names(rest))
    words = text.tokens(rewritten)
    opens = words[:1] if set(words[1:2]) & _WHICH else ()  # "During which war …?": no name, but for its capital
    named = _stems(text.names(rewritten)) - _stems(opens)
    return (
        not text.is_statement(rewritten)
        and "?" not in rewritten[:-1]
        and len(rewritten) <= len(question) + MOST_ADDED
        and asked <= _stems(words)
        and named <= _stems(text.tokens(said))
        and _numbers(question) <= _numbers(rewritten) <= _numbers(said)
        and not text.content_words(rewritten).isdisjoint(text.content_words(said))
    )


def _stems(words: Iterable[str]) -> set[str]:
    return {text.stem(word) for word in words}


def _numbers(words: str) -> set[float]:
    return set(text.numbers(words)) - {1.0}  # "which one"


def told(history: Sequence[Exchange]) -> str:
    """The last three exchanges, for the prompt that makes a question standalone."""
    return "\n".join(f"Question: {said.question}\nAnswer: {said.final_answer or said.answer}" for said in history[-3:])
