"""Make a question standalone: without the conversation before it, and without polite phrases around it.

A pronoun is replaced by the topic, a fragment replaces the part of the last question most like it, and a question word
alone is completed from it. Any other question stays as it is, because a wrong name is worse than no name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from searchain.language import text
from searchain.language.same_query import Similarity
from searchain.types import Exchange

_WORD = re.compile(r"\b(?:who|what|where|when|how)(?=['’]s\b)|\w+(?:['’.-]\w+)*", re.IGNORECASE)
_LEAD = re.compile(r"\A(?:(?:and|but|or)\b[ ,]*)?(?:(?:what|how) about\b)?\s*", re.IGNORECASE)
_SENTENCES = re.compile(r"[.?!;]\s+\S")
_WHICH = frozenset("what which whose how".split())
WH = _WHICH | frozenset("who whom when where why".split())
_BE = frozenset("is are was were".split())
_AUXILIARY = _BE | frozenset("do does did can could will would should may might must has have had".split())
_PREPOSITIONS = frozenset("in on at of from to by for with about during after before since until into under".split())
_JOINTS = frozenset("when while after before because and if once since until than but or".split())
PERSONAL = frozenset("he she him her his hers".split())
_POSSESSIVE = frozenset("its his her hers their theirs".split())
_PLURAL = frozenset("they them".split())
_THIS = frozenset("this that these those".split())
_PRONOUNS = PERSONAL | _POSSESSIVE | _PLURAL | _THIS | frozenset("it there".split())
_ACTING = frozenset("who he she it they i we you to".split())  # a verb is behind them
_SPEAKERS = frozenset("i me my we us our you your yes no supports refutes".split())  # and labels: no topics
_ORDERS = frozenset("tell give list name describe explain define summarise".split())
_ARTICLES = frozenset("a an the".split())
_OTHERS = frozenset("not be been as much many else now then again too please thanks people between".split())
ASKING = WH | _AUXILIARY
_FUNCTION = _ARTICLES | ASKING | _PREPOSITIONS | _PRONOUNS | _JOINTS | _SPEAKERS | _ORDERS | _OTHERS
_OPENING = WH | _AUXILIARY | _PREPOSITIONS | _POSSESSIVE | _ORDERS  # a question, or a fragment of one
_JOINING = frozenset("of and de da di du del la von van der den al el bin ibn".split())  # "War and Peace"
_PARTICIPLES = frozenset("born built made found written open closed held sung won known spoken buried".split())
_KINDS = "city country town place river island religion company band book film war language planet building document"
_EXPLETIVE = frozenset("rain raining snow snowing to that for".split())  # "how long does it take to fly to Mars"
LONGEST, MOST_ADDED = 6, 200  # words of a fragment or a topic; characters that a model may add: a long name or two
SIMILAR, ALIKE = 0.45, 0.6  # cosines after "and" and alone: "Sunday", "Tuesday" have 0.77, "the plot", "Hamlet" 0.41


class _Part(NamedTuple):
    """A word or a name in a question."""

    said: str
    start: int
    end: int


def standalone(question: str, history: Sequence[Exchange], alike: Similarity | None = None) -> str:
    """Complete a follow-up from the conversation; if it is unclear how, return the question unchanged.

    ``alike`` finds the name that a fragment replaces; without it the last name is replaced.

    >>> standalone("And Chad?", [Exchange("What is the capital of Mali?", "Bamako.", "Bamako")])
    'What is the capital of Chad?'
    """
    if not history or _SENTENCES.search(question):
        return question
    if _lower(question) in {("more",), ("tell", "me", "more")}:
        return f"summarise {about}" if (about := topic(history, "it")) else question
    asked = _LEAD.sub("", question.strip())
    resolved = _resolved(asked, history)
    whole = _completed(resolved.strip(" ?.!"), history, alike, is_led=asked != question.strip()) or resolved
    if whole == asked and (WH.isdisjoint(_lower(asked)) or not _names(asked)):
        return question
    return whole[:1].upper() + whole[1:] if question[:1].isupper() else whole


def leans(question: str, history: Sequence[Exchange]) -> bool:
    """Tell whether a question may need the conversation: it refers back, begins with "and", is short or has no name."""
    is_bare = all(name.said.islower() and name.said.startswith("the ") for name in _names(question))
    is_whole = len(question.split()) > 2 and _LEAD.sub("", question) == question and not any(_pointing(question))
    return bool(history) and (is_bare or not is_whole)


def led_by(history: Sequence[Exchange]) -> str:
    """Return the last question of a conversation, behind at most two that it refers to itself."""
    *before, last = history[-3:]
    return " ".join(filter(None, (led_by(before) if leans(last.question, before) else "", last.question)))


def topic(history: Sequence[Exchange], pronoun: str) -> str:
    """Return the name that ``pronoun`` refers to, from recent questions and answers; ``""`` if unknown."""
    *before, last = history[-3:] or (Exchange("", ""),)
    answer = last.final_answer.strip() if _is_name(last.final_answer.strip()) else ""
    kept = topic(before, pronoun) if before else ""
    kind, is_person = _asked_for(last.question), pronoun in PERSONAL
    if is_person or text.contains(kept, last.question):
        found = answer if is_person and kind == "who" else kept
    else:
        found = answer if kind == "which" else ""
    return found or _named(last.question, is_person=is_person) or answer or kept


def _named(question: str, *, is_person: bool) -> str:
    """Return the name that a question is about: "Mali" in "what is the capital of Mali"."""
    names = [] if any(_pointing(question)) else _names(question)
    about = next((name for name in names if not name.said.islower()), names[0] if names else None)
    for one, other in pairwise(names):
        if about in (one, other) and question[one.end : other.start] in (" of ", " for "):
            is_part = _lower(question)[1] in _BE and not is_person
            return other.said if is_part else question[one.start : other.end]
    return about.said if about else ""


def is_usable_rewrite(rewritten: str, question: str, history: Sequence[Exchange]) -> bool:
    """Tell whether a model's rewriting is usable: one question, with names and numbers from the conversation only."""
    said = " ".join([question, *(f"{e.question} {e.answer} {e.final_answer}" for e in history)])
    rest, (opener, *others) = _LEAD.sub("", question), _lower(rewritten) or ("",)
    is_name = WH.isdisjoint(_lower(rest)) and len(rest.split()) < 4 and not any(_pointing(rest))
    new = text.names(rewritten) - ({opener} if set(others[:1]) & WH else set())  # "During which year …?"
    asked, kept, known = (text.content_words(one) for one in (rest, rewritten, re.sub(r"\[\d+\]", "", said)))
    return (
        5 <= len(rewritten) <= len(question) + MOST_ADDED
        and _is_whole(rewritten)
        and not (text.contains(history[-1].question, rewritten) or kept.isdisjoint(known))
        and (asked if is_name else text.content_words(" ".join(text.names(rest)))) <= kept
        and text.content_words(" ".join(new)) <= known
    )


def _is_whole(question: str) -> bool:
    """Tell whether a text is a single question without references to earlier ones."""
    is_one = not (set("\n[") & set(question) or "?" in question[:-1] or text.is_statement(question))
    return is_one and _LEAD.sub("", question) == question and not any(_pointing(question))


def _resolved(question: str, history: Sequence[Exchange]) -> str:
    """Replace the question's first "he" and its first "it" (or "the band") by the names that they refer to."""
    if _OPENING.isdisjoint(_lower(question)[:1]):
        return question
    answer = _names(history[-1].final_answer)[:1] if _asked_for(history[-1].question) == "itself" else []
    known = text.content_words(" ".join([topic(history, "it"), _KINDS, *(name.said for name in answer)]))
    first: dict[bool, _Part] = {}
    for part in _pointing(question, known):
        first.setdefault(part.said in PERSONAL, part)
    for part in reversed(first.values()):
        about = topic(history, part.said)
        if about and not text.contains(about, question):
            before, after = question[: part.start], question[part.end :]
            is_owner = part.said in _POSSESSIVE and (part.said != "her" or _lower(after))
            is_in = part.said == "there" and _PREPOSITIONS.isdisjoint(_lower(before)[-1:])
            question = f"{before}{'in ' * is_in}{about}{chr(39) + 's' if is_owner else ''}{after}"
    return question


def _pointing(question: str, known: Set[str] | None = None) -> Iterator[_Part]:
    """Yield the words that refer outside the question, each as a pronoun; also "the" before a ``known`` noun."""
    names, said = _names(question), _lower(question)
    for i, part in enumerate(_parts(question)):
        own = max((name.end for name in names if name.end <= part.start), default=0)
        has_own = own and (part.said in _POSSESSIVE or not _JOINTS.isdisjoint(_lower(question[own : part.start])))
        if has_own or _stands_inside(said, i):  # "how old was Mozart when he died"
            continue
        if part.said in _PRONOUNS - _THIS:
            yield part
        elif part.said in _THIS or (part.said == "the" and known is not None and len(names) == 1):
            yield from _with_noun(part, said[i + 1 : i + 2], names, known, speaks=not _SPEAKERS.isdisjoint(said))


def _with_noun(
    part: _Part, after: Sequence[str], names: Sequence[_Part], known: Set[str] | None, *, speaks: bool
) -> Iterator[_Part]:
    """Yield "that band" or a bare "that" as "it", if it may refer to the conversation."""
    noun = next((name for name in names if name.start == part.start), None)
    is_bare = part.said != "the" and not speaks and _AUXILIARY.issuperset(after)
    is_known = known is None or text.content_words(noun.said if noun else "") <= known
    if is_known and (noun or is_bare):
        yield _Part("it", part.start, noun.end if noun else part.end)


def _stands_inside(said: Sequence[str], i: int) -> bool:
    """Tell whether a pronoun refers to nothing earlier: "what time is it", "the city that grew"."""
    word, before, after = said[i], "".join(said[i - 1 : i]), "".join(said[i + 1 : i + 2])
    match word:
        case "it":
            return bool(_EXPLETIVE & set(said[i + 1 : -1])) or ("time" in said and after in ("", "in"))
        case "they":
            return said[0] in WH and "in" in said
        case "there":
            return bool(after) or before in _BE
    is_relative = word in _THIS and before and before not in _FUNCTION and not (i == 2 and said[0] == "who")
    return before == "between" or bool(is_relative)


def _completed(rest: str, history: Sequence[Exchange], alike: Similarity | None, *, is_led: bool) -> str:
    """Complete a fragment from the last question; return ``""`` for a text that is not a fragment."""
    words, asked = _lower(rest), history[-1].question.strip(" ?.!")
    if not 0 < len(words) <= LONGEST or _SENTENCES.search(asked) or ASKING.isdisjoint(_lower(asked)[:2]):
        return ""
    is_opener = (
        len(words) == 1 or (words[0] == "how" and len(words) == 2) or (words[0] in _PREPOSITIONS and len(words) < 4)
    )
    if is_opener and WH & set(words[:2]):
        return _asked_again(rest, asked)
    if not ASKING.isdisjoint(words):
        return ""
    return _placed(rest, asked) if words[0] in _PREPOSITIONS else _replaced(rest, history, alike, is_led=is_led)


def _replaced(rest: str, history: Sequence[Exchange], alike: Similarity | None, *, is_led: bool) -> str:
    """Return the last question with ``rest`` in place of the name most like it, or of its last name."""
    asked = history[-1].question.strip(" ?.!")
    names = {name: alike(rest, name.said) if alike else float(is_led) for name in reversed(_names(asked))}
    if not names or not _names(rest) or _lower(rest)[0] in _FUNCTION - _ARTICLES:
        return ""
    place = max(names, key=names.__getitem__)
    if is_led and rest.islower() and not place.said.islower() and names[place] < SIMILAR:
        return f"What is {rest} of {topic(history, 'it')}?"
    is_other = names[place] >= ALIKE and text.content_words(rest).isdisjoint(text.content_words(asked))
    return f"{asked[: place.start]}{rest}{asked[place.end :]}?" if is_led or is_other else ""


def _asked_again(opener: str, asked: str) -> str:
    """Ask the last question with another question word: "where was Mozart born" after "when was Mozart born"."""
    at = next((part for part in _parts(asked)[:5] if part.said in _AUXILIARY), None)
    return f"{opener} {at.said}{asked[at.end :]}?" if at else ""


def _placed(rest: str, asked: str) -> str:
    """Ask the last question for another place or time, which replaces one with the same preposition or is appended."""
    by = _lower(rest)[0]
    head, found, tail = asked.rpartition(f" {by} ")
    end = next((part.start - 1 for part in _parts(tail) if part.said in _PREPOSITIONS), len(tail))
    if found and bool(text.numbers(tail[:end])) == bool(text.numbers(rest)):
        return f"{head} {by}{rest[len(by) :]}{tail[end:]}?"
    return f"{asked} {by}{rest[len(by) :]}?"


def _names(question: str) -> list[_Part]:
    """Return the names in a question: groups of content words with their article, with or without capitals."""
    words = _parts(question)
    is_big = [question[part.start].isupper() for part in words]
    return [_name(question, group, words, is_big) for group in _groups(question, words, is_big)]


def _groups(question: str, words: Sequence[_Part], is_big: Sequence[bool]) -> list[list[int]]:
    """Return for each name the indices of its words."""
    skips, groups = False, list[list[int]]()
    for i, part in enumerate(words):
        is_next = bool(groups) and groups[-1][-1] == i - 1 and question[words[i - 1].end : part.start] in (" ", ". ")
        if part.said in _FUNCTION and not (is_next and _is_inside(words, is_big, i)):
            skips = part.said in _WHICH or (skips and part.said in ("many", "much", "people"))
        elif (i and is_big[i]) or not (skips or (i and words[i - 1].said in _ACTING)):
            groups[-1:] = [[*groups[-1], i]] if is_next else [*groups[-1:], [i]]
    return groups


def _is_inside(words: Sequence[_Part], is_big: Sequence[bool], i: int) -> bool:
    """Tell whether word ``i``, after a name, is still part of it: "and" in "War and Peace", "I" in "World War I"."""
    return is_big[i - 1] and (words[i].said == "i" or (words[i].said in _JOINING and any(is_big[i + 1 : i + 2])))


def _name(question: str, group: list[int], words: Sequence[_Part], is_big: Sequence[bool]) -> _Part:
    """Return a group of words as a name, without a verb after it and without small words before its capitals."""
    article = group[0] > 0 and words[group[0] - 1].said in _ARTICLES | _THIS
    first = group[0] - article
    opener, last = words[first - 1].said if first else "", words[group[-1]].said
    is_verb = opener in _AUXILIARY - _BE or (opener in _BE and (last in _PARTICIPLES or last.endswith("ed")))
    if len(group) > 1 and is_verb and not is_big[group[-1]]:
        group = group[:-1]
    if not article:
        first = next((i for i in group if is_big[i]), first)
    return _Part(question[words[first].start : words[group[-1]].end], words[first].start, words[group[-1]].end)


def _asked_for(question: str) -> str:
    """Return the kind of question: "itself" ("what is the nile", "who was Caesar"), "who", "which" or ``""``."""
    words, names = _lower(question), _names(question)
    name = names[0].said.replace("’", "'") if len(names) == 1 else ""
    is_role = "est " in f"{name} " or "'s " in name or (words[:1] == ("who",) and name.islower() and name[:4] == "the ")
    if name and not is_role and words[0] in ("who", "what", "where") and words[1:2] and words[1] in _BE:
        return "itself"
    return "who" if words[:1] == ("who",) else "which" if _WHICH & set(words[:2]) else ""


def _is_name(answer: str) -> bool:
    """Tell whether an answer may be a topic: a few words with capitals, but not a label or a number."""
    words = _lower(answer) or ("no",)
    is_big = all(word[0].isupper() or word[0].isdigit() or word in _JOINING for word in answer.split())
    return is_big and len(words) <= LONGEST and words[0] not in _SPEAKERS and not words[0].isdigit()


def _parts(words: str) -> list[_Part]:
    """Return the words of a question; of "what's" the second is "is"."""
    plain = words.replace("’", "'")
    found = [(w, w[0].casefold()) for w in _WORD.finditer(plain)]
    return [
        _Part("is" if word == "s" and plain[w.start() - 1 : w.start()] == "'" else word.removesuffix("n't"), *w.span())
        for w, word in found
    ]


def _lower(words: str) -> tuple[str, ...]:
    return tuple(part.said for part in _parts(words))


_ASKING = r"(?:(?:and|but|so)\s+)*(?:who|whom|whose|what|which|when|where|why|how)\b"
_ORDER = r"(?:tell|explain|describe|name|list|give|summari[sz]e)\b"
_YOU = r"(?:can|could|would|will|do)\s+(?:you|u)\s+(?:please\s+|pls\s+|kindly\s+)?"
_TELLING = re.compile(
    rf"(?:(?:please,?\s+)?(?:{_YOU})?(?:(?:tell|let)\s+me\s+(?:know\s+)?|say\s+|know\s+|find\s+out\s+|look\s+up\s+)"
    rf"(?:please,?\s+)?(?={_ASKING})|{_YOU}(?={_ORDER})|please,?\s+(?={_ORDER}|{_ASKING})"
    rf"|i\s+(?:(?:want|need|would\s+like)\s+to\s+know|wonder),?\s+(?={_ASKING}))",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"(?:(?:hi|hello|hey|good\s+(?:morning|afternoon|evening|day))(?:\s+there)?|thanks|thank\s+you|thx|ok|okay|well)"
    rf"(?:\s*[,.!:;–-]+\s+(?={_ASKING}|{_TELLING.pattern}|(?:is|are|was|were|do|does|did|can)\b|{_ORDER})"
    rf"|\s+(?={_ASKING}|{_TELLING.pattern}))",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"(?:,\s+|(?<!\s)\s+)(?:please|pls|plz|exactly)(?=\W*$)", re.IGNORECASE)


def bare_question(question: str) -> str:
    """Return the question without a greeting, thanks or a polite frame around it.

    >>> bare_question("hi, could you please tell me who wrote Hamlet?")
    'who wrote Hamlet?'
    >>> bare_question("Hello, Dolly! is set in which city?"), bare_question("Can you tell me about Rome?")
    ('Hello, Dolly! is set in which city?', 'tell me about Rome?')
    """
    rest = question.strip()
    rest = rest[greeting.end() :] if (greeting := _LEADING.match(rest)) else rest
    rest = rest[frame.end() :] if (frame := _TELLING.match(rest)) else rest
    return _TRAILING.sub("", rest) or question
