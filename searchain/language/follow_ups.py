"""Questions that lean on what was said before, and their form without it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.language.answer_kinds import asks_for_person, asks_for_place
from searchain.language.qualifiers import ranks
from searchain.types import Exchange

_POINTING = re.compile(
    r"\b(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|this|that|these|those|the same|the other|former|"
    r"latter|there(?=\W*$)|then(?=\W*$))\b",
    re.IGNORECASE,
)
_PERSONAL = {"he", "him", "his", "she", "her", "hers"}
_IMPERSONAL = {"it", "its", "there"}
_SPEAKERS = frozenset("i me my mine myself we us our ours you your yours yourself".split())
"""Words for those who talk, whom no pronoun of a follow-up stands for."""
_CONTINUING = re.compile(
    r"^(?:and|but|so|also|or|what about|how about|what else|who else|why\s*\??$|when\s*\??$|where\s*\??$)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:and|but|so|also)[ ,]+", re.IGNORECASE)
_MEANT = re.compile(r"\b(?:the|this|that) (?P<kind>[a-z]{3,})\b", re.IGNORECASE)
_DEFINED = re.compile(
    r"^(?:(?:who|what|where)(?:['’]?s| is| was| are| were)|tell me about|describe|summari[sz]e) (?:(?:an?|the) )?"
    r"(?P<thing>[^?.!]+?)\W*$",
    re.IGNORECASE,
)
"""What asks for a description of one thing, or where it is."""
_NESTED = re.compile(r"\b(?:of|in|on|from|by|for|that|which|who|whose|with|to|name|called)\b|['’]s\b", re.IGNORECASE)
_ACTED = re.compile(r" (?:born|died|buried|made|found|located|situated|[a-z]+ed|from|live)$", re.IGNORECASE)
_LAST_NAME = re.compile(
    r"^(?P<asked>.*\b(?:of|in|from|by|for|about|is|was|are|were|painted|wrote|invented|founded|composed|discovered) "
    r"(?:the )?)(?P<name>[\w'’.-]+(?: [\w'’.-]+){0,2}?)\W*$",
    re.IGNORECASE,
)
_JOINING = frozenset("of the de von van and in la le di da del el al bin ibn".split())
_OWN = re.compile(
    r"\w+(?: \w+){0,2}? (?:was|is|were|did|does|do|had|has) "
    r"(?!(?:he|she|they|it|his|her|their|its|this|that|the|there)\b)"
    r"[\w'’.-]+(?: [\w'’.-]+){0,6}? (?:when|before|after|while|until|because|and) (?:he|she|they|it)\b",
    re.IGNORECASE,
)
"""A question that names who its pronoun means: "how old was mozart when he died"."""
_SMALL = re.compile(
    r"(?:when|where|why|how|how old|(?:in )?what year) (?:(?:did|does) (?P<acting>[\w'’.-]+(?: [\w'’.-]+){0,3}) \w+"
    r"|(?:was|were|is) (?P<acted>[\w'’.-]+(?: [\w'’.-]+){0,3}) (?:born|founded|built|created|invented|killed|married|"
    r"buried|discovered|published|released|painted|written|made))\W*",
    re.IGNORECASE,
)
"""What a question in small letters is about."""
_OF_SOMETHING = frozenset(
    text.stem(word)
    for word in (
        "people persons passengers victims soldiers years time place part reason cause causes result outcome "
        "effect winner loser author director composer founder inventor name size height length width depth "
        "weight age area population capital currency language leader president king queen members purpose "
        "meaning symptoms treatment cost year date died die dead killed survived survive happened happen won "
        "win lost lose started start began begin ended end lasted last fought fight built build designed made "
        "make wrote written painted composed directed invented discovered founded opened closed caused born "
        "married buried lived live called long old big large tall high deep far heavy fast many much first "
        "main "
    ).split()
)
"""Words of questions that ask after something of a thing, without naming the thing."""
MOST_SWAPPED = 4
"""Words of a follow-up that may be a bare name."""
MOST_WORDS = 3
"""Words of meaning in a question that means a thing by its kind alone."""


def needs_history(question: str) -> bool:
    """Whether a question leans on what was said before: it points back, or continues.

    >>> needs_history("When was it founded?"), needs_history("how old was mozart when he died")
    (True, False)
    """
    words = question.split()
    pointing = _POINTING.search(question)
    # what the question itself named first is pointed at inside it ("When did Disneyland open its gates?")
    if pointing and (text.names(question[: pointing.start()]) or _OWN.match(question)):
        pointing = None
    # "the city that hosts it": the relative pronoun points at its own noun
    if pointing and pointing[0].lower() == "that" and pointing.start() > 0:
        pointing = _POINTING.search(question, pointing.end())
    return bool(pointing or _CONTINUING.match(question.strip()) or (len(words) <= 3 and not text.names(question)))


def leans_on(history: Sequence[Exchange], question: str) -> bool:
    """Tell whether a question can only be understood after ``history``.

    >>> leans_on([Exchange("Who were the Beatles?", "", "English rock band")], "Where was the band formed?")
    True
    >>> leans_on([Exchange("When did the Titanic sink?", "", "1912")], "how many people died?")
    True
    """
    if not history:
        return False
    return needs_history(question) or _is_bare(question) or _meant(question, history[-1]) is not None


def _is_bare(question: str) -> bool:
    """Tell whether a question names nothing that has a result, a cause, a size …: "how many people died?"."""
    return not text.names(question) and text.content_words(question) <= _OF_SOMETHING


def points_back(question: str) -> bool:
    """Whether a word of the question stands for something said before, which a rule can put in its place.

    >>> points_back("When was it founded?"), points_back("And Sweden?")
    (True, False)
    """
    return bool(_POINTING.search(question) or not _CONTINUING.match(question.strip()) and _MEANT.search(question))


def standalone_by_rule(question: str, history: Sequence[Exchange]) -> str:
    """Return the follow-up with its first pointing word replaced by what the conversation was about.

    After "What is X?" that is X; else the last short answer, unless it is a date, a number or a label, or of another
    kind than the word stands for ("In which country was Kipling born?" "When did he die?"): then it is what the last
    question named.

    >>> standalone_by_rule("And Chad?", [Exchange("what is the capital of Mali", "Bamako.", "Bamako")])
    'what is the capital of Chad?'
    """
    last = history[-1] if history else Exchange("", "")
    pointing = _POINTING.search(question) or _meant(question, last)
    word = pointing[0].casefold() if pointing else ""
    topic = _kept(history, word) or next((one for said in reversed(history[-3:]) if (one := _topic(said, word))), "")
    if not topic:
        return question
    if pointing:
        ending = "'s" if word in ("its", "his", "her", "their") else ""
        lead = "in " if word == "there" and text.tokens(question[: pointing.start()])[-1:] != ("in",) else ""
        standalone = f"{question[: pointing.start()]}{lead}{topic}{ending}{question[pointing.end() :]}"
        return _capitalised(_LEADING.sub("", standalone), standalone)
    rest = _CONTINUING.sub("", question).strip(" ?,")
    if rest and len(rest.split()) <= MOST_SWAPPED and (swapped := _swapped(last.question, topic, rest)):
        return swapped
    return f"{rest[:1].upper()}{rest[1:]} ({topic})?" if rest else f"{question.rstrip('?')} {topic}?"


def _kept(history: Sequence[Exchange], word: str) -> str:
    """What the last question pointed at already, ``""`` where it asked about something new or ``word`` means another
    kind of thing: "it" is still the canal after "Which seas does it connect?"."""
    if not word or len(history) < 2 or (word in _IMPERSONAL and asks_for_person(history[-2].question)):
        return ""
    topic = _topic(history[-2], word)
    return topic if topic and topic.casefold() in history[-1].question.casefold() else ""


def _meant(question: str, last: Exchange) -> re.Match[str] | None:
    """The words "the band" of a question that names nothing, after an answer such as "English rock band"."""
    meant = _MEANT.search(question)
    if meant is None or text.names(question) or len(text.content_words(question)) > MOST_WORDS:
        return None
    return meant if text.stem(meant["kind"].casefold()) in text.content_words(last.final_answer) else None


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
    asked, points nowhere, and names only what the conversation named."""
    said = text.content_words(" ".join([question, *(f"{e.question} {e.answer} {e.final_answer}" for e in history)]))
    asked = text.content_words(question)
    kept = text.content_words(rewritten)
    return (
        5 <= len(rewritten) <= 400
        and "\n" not in rewritten
        and len(kept & asked) * 2 >= len(asked)
        and not needs_history(rewritten)
        and {text.stem(name) for name in text.names(rewritten)} <= said
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
    if (asked := _DEFINED.match(last.question.strip())) and not ranks(asked["thing"]):
        is_located = last.question.casefold().startswith("where")
        is_plain = not _NESTED.search(asked["thing"]) and not (is_located and _ACTED.search(asked["thing"]))
        if (is_plain and not (is_located and pointing == "there")) or not (is_located or _is_name(answer)):
            return asked["thing"]
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
    if not named and (small := _SMALL.fullmatch(last.question.strip())):
        return str(small["acting"] or small["acted"])
    return max(named, key=len, default=answer if is_other else "")


def _is_name(answer: str) -> bool:
    """Whether all words of an answer are those of a name: "Yuri Gagarin", not "Fifth planet from the Sun"."""
    words = [word for word in answer.split() if word.casefold() not in _JOINING]
    return bool(words) and all(word[:1].isupper() or word[:1].isdigit() for word in words)
