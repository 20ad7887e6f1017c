"""Make a follow-up standalone, so that it can be asked without the conversation before it.

A pronoun stands for the topic, a fragment takes the place of its like in the last question, and a question word alone
takes the rest of it. Anything else stays as it is: a wrong name is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from searchain.language import text
from searchain.language.same_query import Similarity
from searchain.types import Exchange

_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
_LEAD = re.compile(r"\A(?:(?:and|but|or)\b[ ,]*)?(?:(?:what|how) about\b)?\s*", re.IGNORECASE)
_CITED = re.compile(r"\[\d+\]")
_SENTENCES = re.compile(r"[.?!;]\s+\S")
_WHICH = frozenset("what which whose how".split())
_WH = _WHICH | frozenset("who whom when where why".split())
_BE = frozenset("is are was were".split())
_AUXILIARY = _BE | frozenset("do does did can could will would should may might must has have had".split())
_PREPOSITIONS = frozenset("in on at of from to by for with about during after before since until into under".split())
_JOINTS = frozenset("when while after before because and if once since until than but or".split())
_PERSONAL = frozenset("he she him her his hers".split())
_POSSESSIVE = frozenset("its his her hers their theirs".split())
_THIS = frozenset("this that these those".split())
_PRONOUNS = _PERSONAL | _POSSESSIVE | _THIS | frozenset("it they them there".split())
_ACTING = frozenset("who he she it they i we you to".split())  # a verb is behind them
_SPEAKERS = frozenset("i me my we us our you your yes no supports refutes".split())  # and labels: no topics
_ORDERS = frozenset("tell give list name describe explain define summarise".split())
_ARTICLES = frozenset("a an the".split())
_OTHERS = frozenset("not be been as much many else now then again too please thanks people between".split())
_FUNCTION = _ARTICLES | _WH | _AUXILIARY | _PREPOSITIONS | _PRONOUNS | _JOINTS | _SPEAKERS | _ORDERS | _OTHERS
_OPENING = _WH | _AUXILIARY | _PREPOSITIONS | _POSSESSIVE | _ORDERS  # a question, or a fragment of one
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
    """Return a follow-up with what it leaves out; the question as it stands where that is not plain.

    ``alike`` finds the name that a fragment takes the place of; without it that is the last one.

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
    if whole == asked and (_WH.isdisjoint(_lower(asked)) or not _names(asked)):
        return question
    return whole[:1].upper() + whole[1:] if question[:1].isupper() else whole


def leans(question: str, history: Sequence[Exchange]) -> bool:
    """Tell whether a question may need what was said before: it points back, goes on, is short or names nothing."""
    is_bare = all(name.said.islower() and name.said.startswith("the ") for name in _names(question))
    is_whole = len(question.split()) > 2 and _LEAD.sub("", question) == question and not any(_pointing(question))
    return bool(history) and (is_bare or not is_whole)


def topic(history: Sequence[Exchange], pronoun: str) -> str:
    """Return what ``pronoun`` stands for: a name of the last question, or its short answer; ``""`` if unknown."""
    *before, last = history[-3:] or (Exchange("", ""),)
    words, names, kind = _lower(last.question) or ("this",), _names(last.question), _asked_for(last.question)
    answer, is_person = last.final_answer.strip(), pronoun in _PERSONAL
    if _SENTENCES.search(last.question) or {"between", "or"} & set(words) or words[0] in _SPEAKERS | _THIS:
        return ""
    if is_person and kind == "who" and _is_short(answer, is_name=True):
        return answer
    kept = topic(before, pronoun) if before else ""
    if kept and text.contains(kept, last.question):
        return kept
    is_asked = kind == "which" or (pronoun == "there" and words[0] == "where")
    if is_asked and not is_person and _is_short(answer, is_name=True):
        return answer
    made = " ".join(said.question for said in before if is_person and _asked_for(said.question) == "who")
    asked = [name for name in names if not (text.contains(name.said, made) or any(_pointing(last.question)))]
    asked = [name for name in asked if not name.said.islower()] or asked
    for one, other in zip(names, names[1:], strict=False):
        if asked and asked[0] in (one, other) and last.question[one.end : other.start] in (" of ", " for "):
            return other.said if words[1] in _BE and not is_person else last.question[one.start : other.end]
    return asked[0].said if asked else answer if _is_short(answer) and kind != "who" and not made else kept


def is_usable_rewrite(rewritten: str, question: str, history: Sequence[Exchange]) -> bool:
    """Tell whether a model's rewriting may be asked: one question, without a name or number that nobody said."""
    said = " ".join([question, *(f"{e.question} {_CITED.sub('', e.answer)} {e.final_answer}" for e in history)])
    rest, (opener, *others) = _LEAD.sub("", question), _lower(rewritten) or ("",)
    is_name = _WH.isdisjoint(_lower(rest)) and len(rest.split()) < 4 and not any(_pointing(rest))
    new = text.names(rewritten) - ({opener} if set(others[:1]) & _WH else set())  # "During which year …?"
    asked, kept, known = (text.content_words(one) for one in (rest, rewritten, said))
    return (
        5 <= len(rewritten) <= len(question) + MOST_ADDED
        and not (set("\n[") & set(rewritten) or "?" in rewritten[:-1] or text.is_statement(rewritten))
        and not (_LEAD.sub("", rewritten) != rewritten or any(_pointing(rewritten)))
        and not (text.contains(history[-1].question, rewritten) or kept.isdisjoint(known))
        and (asked if is_name else text.content_words(" ".join(text.names(rest)))) <= kept
        and text.content_words(" ".join(new)) <= known
    )


def _resolved(question: str, history: Sequence[Exchange]) -> str:
    """Return the question with what its first "he" and its first "it", or "the band", stand for."""
    about, last = topic(history, "it"), history[-1]
    if _OPENING.isdisjoint(_lower(question)[:1]):
        return question
    answer = _names(last.final_answer)[:1] if _asked_for(last.question) == "itself" else []
    known = text.content_words(" ".join([about, _KINDS, *(name.said for name in answer)]))
    stands: dict[bool, tuple[_Part, str]] = {}
    for part in _pointing(question, known):
        stands.setdefault(part.said in _PERSONAL, (part, topic(history, part.said)))
    for part, about in reversed(stands.values()):
        if about and not text.contains(about, question):
            before, after = question[: part.start], question[part.end :]
            is_owner = part.said in _POSSESSIVE and (part.said != "her" or _lower(after))
            is_in = part.said == "there" and _PREPOSITIONS.isdisjoint(_lower(before)[-1:])
            question = f"{before}{'in ' * is_in}{about}{chr(39) + 's' if is_owner else ''}{after}"
    return question


def _pointing(question: str, known: Set[str] | None = None) -> Iterator[_Part]:
    """Yield where a question points outside of itself, ``said`` as a pronoun; "the" and a ``known`` noun do."""
    words, names, said = _parts(question), _names(question), _lower(question)
    for i, (word, start, end) in enumerate(words):
        before, after = "".join(said[i - 1 : i]), "".join(said[i + 1 : i + 2])
        own = max((name.end for name in names if name.end <= start), default=0)
        is_own = own and (word in _POSSESSIVE or not _JOINTS.isdisjoint(_lower(question[own:start])))
        is_relative = word in _THIS and before and before not in _FUNCTION and not (i == 2 and said[0] == "who")
        if is_own or before == "between" or is_relative:
            continue
        if word in _THIS or word == "the":
            noun = next((name for name in names if name.start == start), _Part("", start, end))
            is_known = text.content_words(noun.said) <= known if known is not None else word in _THIS
            is_bare = (not after or after in _AUXILIARY) and _SPEAKERS.isdisjoint(said)
            if is_known and (len(names) == 1 if word == "the" else noun.said or is_bare):
                yield _Part("it", start, noun.end)
        elif word in _PRONOUNS:
            is_nothing = (
                said[0] in _WH and "in" in said if word == "they" else word == "there" and (after or before in _BE)
            )
            is_time = word == "it" and (_EXPLETIVE & set(said[i + 1 : -1]) or "time" in said and after in ("", "in"))
            if not (is_nothing or is_time):
                yield _Part(word, start, end)


def _completed(rest: str, history: Sequence[Exchange], alike: Similarity | None, *, is_led: bool) -> str:
    """Return the question that a fragment stands for after the last one; ``""`` for what is not a fragment."""
    words, asked, about = _lower(rest), history[-1].question.strip(" ?.!"), topic(history, "it")
    if not 0 < len(words) <= LONGEST or _SENTENCES.search(asked) or (_WH | _AUXILIARY).isdisjoint(_lower(asked)[:2]):
        return ""
    is_size = words[0] == "how" and len(words) == 2
    if (len(words) == 1 or is_size or (words[0] in _PREPOSITIONS and len(words) < 4)) and _WH & set(words[:2]):
        return f"{rest} is {about}?" if is_size and about else _asked_again(rest, asked)
    if words[0] in _PREPOSITIONS and (_WH | _AUXILIARY).isdisjoint(words):
        return _placed(rest, asked)
    names = {name: alike(rest, name.said) if alike else float(is_led) for name in reversed(_names(asked))}
    if not (names and _names(rest) and (_WH | _AUXILIARY).isdisjoint(words)) or words[0] in _FUNCTION - _ARTICLES:
        return ""
    place = max(names, key=names.__getitem__)
    if is_led and rest.islower() and not place.said.islower() and names[place] < SIMILAR:
        return f"What is {rest} of {about}?"
    is_other = names[place] >= ALIKE and text.content_words(rest).isdisjoint(text.content_words(asked))
    return f"{asked[: place.start]}{rest}{asked[place.end :]}?" if is_led or is_other else ""


def _asked_again(opener: str, asked: str) -> str:
    """Return a question with another question word: "when was islam founded" after "who founded islam"."""
    words = _parts(asked)
    if len(words) > 2 and words[0].said == "who" and words[1].said.endswith("ed"):
        return f"{opener} was {asked[words[2].start :]} {words[1].said}?"
    at = next((part for part in words[:5] if part.said in _AUXILIARY), None)
    is_role = words[0].said in ("who", "what") and words[1:2] == [at]
    return f"{opener} {at.said}{asked[at.end :]}?" if at and not is_role else ""


def _placed(rest: str, asked: str) -> str:
    """Return a question with another place or time: in the place of one with the same preposition, or at its end."""
    by = _lower(rest)[0]
    for same in (by, "of" if by == "in" else by):
        head, found, tail = asked.rpartition(f" {same} ")
        end = next((part.start - 1 for part in _parts(tail) if part.said in _PREPOSITIONS), len(tail))
        if found and bool(text.numbers(tail[:end])) == bool(text.numbers(rest)):
            return f"{head} {by}{rest[len(by) :]}{tail[end:]}?"
    return f"{asked} {by}{rest[len(by) :]}?"


def _names(question: str) -> list[_Part]:
    """Return the names in a question: groups of words that carry meaning, with their article, in capitals or not."""
    words, skips = _parts(question), False
    is_big = [question[part.start].isupper() for part in words]
    groups: list[list[int]] = []
    for i, part in enumerate(words):
        before = words[i - 1] if i else _Part("", 0, 0)
        is_next = bool(groups) and groups[-1][-1] == i - 1 and question[before.end : part.start] in (" ", ". ")
        is_joint = part.said == "i" or (part.said in _JOINING and any(is_big[i + 1 : i + 2]))
        is_inside = is_joint and is_next and is_big[i - 1]
        if part.said in _FUNCTION and not is_inside:
            skips = part.said in _WHICH or (skips and part.said in ("many", "much", "people"))
        elif (i and is_big[i]) or not (skips or before.said in _ACTING):
            groups[-1:] = [[*groups[-1], i]] if is_next else [*groups[-1:], [i]]
    return [_name(question, group, words, is_big) for group in groups]


def _name(question: str, group: list[int], words: Sequence[_Part], is_big: Sequence[bool]) -> _Part:
    """Return a group of words without the verb behind it, and without what stands before its capitals."""
    article = group[0] > 0 and words[group[0] - 1].said in _ARTICLES | _THIS
    first = group[0] - article
    opener, last = words[first - 1].said if first else "", words[group[-1]].said
    is_verb = opener in _AUXILIARY - _BE or (opener in _BE and (last in _PARTICIPLES or last.endswith("ed")))
    is_verb = is_verb or (first == 1 and opener in _BE and group[-1] == len(words) - 1)
    if len(group) > 1 and is_verb and not is_big[group[-1]]:
        group = group[:-1]
    if not article:
        first = next((i for i in group if is_big[i]), first)
    return _Part(question[words[first].start : words[group[-1]].end], words[first].start, words[group[-1]].end)


def _asked_for(question: str) -> str:
    """Return "itself" for "what is the nile" and "who was Caesar", else "who", "which" or ``""``."""
    words, names = _lower(question), _names(question)
    name = names[0].said.replace("’", "'") if len(names) == 1 else ""
    is_role = "est " in f"{name} " or "'s " in name or (words[:1] == ("who",) and name.islower() and name[:4] == "the ")
    if name and not is_role and words[0] in ("who", "what", "where") and words[1:2] and words[1] in _BE:
        return "itself"
    return "who" if words[:1] == ("who",) else "which" if _WHICH & set(words[:2]) else ""


def _is_short(answer: str, *, is_name: bool = False) -> bool:
    """Tell whether an answer may be a topic: a few words that are not a label, a number or a date."""
    words = _lower(answer) or ("no",)
    is_big = all(word[0].isupper() or word[0].isdigit() or word in _JOINING for word in answer.split())
    is_thing = len(words) <= LONGEST and words[0] not in _SPEAKERS and not (words[0].isdigit() or text.dates(answer))
    return is_thing and (is_big or not is_name)


def _parts(words: str) -> list[_Part]:
    return [_Part(w[0].casefold().removesuffix("n't"), *w.span()) for w in _WORD.finditer(words.replace("’", "'"))]


def _lower(words: str) -> tuple[str, ...]:
    return tuple(part.said for part in _parts(words))
