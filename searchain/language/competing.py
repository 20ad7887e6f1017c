"""Read which two things a question lets compete, and tell whether an answer is one of them."""

from __future__ import annotations

import re

from searchain.language import text
from searchain.language.same_answer import label_of

LOW_DATE = frozenset("first earlier earliest older oldest before sooner eldest elder longest".split())
HIGH_DATE = frozenset("later latest last younger youngest newer newest after recent recently".split())
HIGH_NUMBER = frozenset(
    "more most larger largest bigger biggest higher highest taller tallest longer longest greater greatest farther "
    "further heavier heaviest deeper deepest wider older oldest faster fastest richer majority hotter hottest warmer "
    "warmest".split()
)
LOW_NUMBER = frozenset(
    "less least fewer fewest smaller smallest lower lowest shorter shortest younger youngest lighter slower closer "
    "nearer minority colder coldest cooler coolest".split()
)
COMPARING = LOW_DATE | HIGH_DATE | HIGH_NUMBER | LOW_NUMBER | {"than"}


def alternatives(question: str) -> tuple[str, str] | None:
    """Return the two things that a question lets compete with "or", as they are written; ``None`` without such.

    >>> alternatives("which is longer the nile or the amazon"), alternatives("Was Puma or Adidas founded first?")
    (('nile', 'amazon'), ('Puma', 'Adidas'))
    """
    words = question.strip().rstrip("?!. ")
    ors = list(re.finditer(r",? or ", words))
    if len(ors) != 1 or not text.is_comparison(question):
        return None
    before, after = words[: ors[0].start()], words[ors[0].end() :]
    leads = [match for match in _LEAD.finditer(before)]
    leads = [match for match in leads if match[0][0] in ",:;–—"] or leads  # "…, The Greatest Game or …"
    if not leads:
        return None
    tail = _TAIL.search(after)
    parts = before[leads[-1].end() :], after[: tail.start()] if tail else after
    one, other = (re.sub(r"^(?:the|a|an) ", "", part.strip(' ,:;–—"“”'), flags=re.IGNORECASE) for part in parts)
    is_named = all(re.search(r"[A-Z0-9]", part) for part in (one, other))
    is_measured = not COMPARING.isdisjoint(set(text.tokens(words)) - {"than"})
    return (one, other) if one and other and (is_named or is_measured) else None


_ASKS_WHICH = r"(?:which|who|what)(?: one)?(?:['’]?s| is| was| has| had| came| died| lived| happened| began| started)\b"
_BEHIND = re.compile(
    rf"(?P<one>(?!(?:which|who|what|is|was|are|were|did|does|do)\b)[^,;:]{{2,60}}?) or (?P<other>[^,;:]{{2,60}}?)[,:]? "
    rf"(?P<asks>{_ASKS_WHICH}.{{2,60}})",
    re.IGNORECASE,
)
"""“Mars or Venus, which is bigger”."""
_OUT_OF = re.compile(
    rf"(?:of|between|out of|among) (?P<one>[^,;:]{{2,60}}?) (?:and|or) (?P<other>[^,;:]{{2,60}}?)[,:]? "
    rf"(?P<asks>{_ASKS_WHICH}.{{2,60}})",
    re.IGNORECASE,
)
_AMONG = re.compile(
    r"(?:(?i:of|out of|among) (?:the )?(?:two )?(?:[a-z][\w-]* ){0,3}[a-z][\w-]*s (?=[A-Z])|(?i:out of|among) )"
    r"(?P<one>[^,;:]{2,60}?) (?:and|or) (?P<other>[^,;:]{2,60}?)[,:]? (?P<asks>(?i:which|who|what)\b.{2,120})"
)
"""“of the painters Monet and Manet, which one painted Olympia”: anything may be asked of two that have names."""
_WHICH_OF = re.compile(
    r"(?P<which>which|who)(?: one)? (?:of|between|out of) (?P<one>(?!these\b|those\b)[^,;:]{2,60}?) (?:and|or) "
    r"(?P<other>[^,;:]{2,60}?)[,:]? (?P<rest>(?:is|was|has|had|came|died|lived|happened|began|started)\b.{2,60})",
    re.IGNORECASE,
)


def reordered(question: str) -> str:
    """Return a comparison with its two things at the end; any other question as it is.

    >>> reordered("of mars and venus, which is bigger"), reordered("which of the nile and the danube is longer?")
    ('which is bigger, mars or venus?', 'which is longer, the nile or the danube?')
    """
    bare = question.strip().rstrip("?!. ")
    if (among := _AMONG.fullmatch(bare)) is not None and all(map(_is_named, among.group("one", "other"))):
        return f"{among['asks']}, {among['one']} or {among['other']}?"
    found = _BEHIND.fullmatch(bare) or _OUT_OF.fullmatch(bare) or _WHICH_OF.fullmatch(bare)
    if found is None:
        return question
    said = found.groupdict()
    asks = said.get("asks") or f"{said['which']} {said['rest']}"
    is_clear = not COMPARING.isdisjoint(text.tokens(asks)) and len(re.findall(r"\b(?:and|or)\b", bare)) == 1
    return f"{asks}, {said['one']} or {said['other']}?" if is_clear else question


def _is_named(thing: str) -> bool:
    """Tell whether a thing is written as one name, with a capital."""
    return re.match(r"(?:the )?[^\Wa-z]", thing) is not None and re.search(r"\b(?:and|or)\b", thing) is None


_THAN = re.compile(
    r"(?:is|are|was|were|does|do|has|have) (?P<one>[^,;]{2,60}?) (?:(?:have|has|a|an|the|much|far|any) )*"
    r"(?:more|fewer|less|greater|\w{2,12}er)\b(?! \w{2,12}er than )(?: (?:in )?\w+)? than "
    r"(?:(?:is|was|does|that of) )?(?P<other>[^,;]{2,60})",
    re.IGNORECASE,
)


IN_TIME = re.compile(
    r"(?:was|were|is|did) (?P<one>[^,;]{2,60}?) "
    r"(?P<event>born|die|happen|occur|start|begin|end|founded|established|built|completed|created|released|published) "
    r"(?:before|after|earlier than|later than) (?P<other>[^,;]{2,60})",
    re.IGNORECASE,
)
_NO_THING = re.compile(
    r"['’]s?$|^(?:in|on|at|it|usual|this|that|expected)\b|\b(?:and|or|not)\b|\b\d{3,4}$", re.IGNORECASE
)
"""What is compared in words that need the rest of the sentence."""


def beside_than(question: str) -> tuple[str, str] | None:
    """Return the two things that a yes/no question compares with "than" or in time; ``None`` without such.

    They are as they are written.

    >>> beside_than("is the danube longer than the rhine?"), beside_than("Is France larger than Spain or Italy?")
    (('the danube', 'the rhine'), None)
    >>> beside_than("was lincoln born before darwin"), beside_than("was lincoln born before 1810")
    (('lincoln', 'darwin'), None)
    """
    asked = question.strip().rstrip("?!. ")
    found = _THAN.fullmatch(asked) or IN_TIME.fullmatch(asked)
    if found is None or not text.is_yes_no_question_form(question) or text.has_negation(question):
        return None
    things = found["one"], found["other"]
    return None if any(_NO_THING.search(thing) for thing in things) else things


_TAIL = re.compile(
    r"\s(?:is|was|are|were|has|have|had|born|founded|built|established|come|came|die|died|live|lived|start|started)\b"
    rf"|\s(?:the )?(?:further )?(?:{'|'.join(sorted(COMPARING))})\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:[,:;–—] ?(?:is|was|are|were|it|between)?|\b(?:"
    + "|".join(sorted(COMPARING))
    + r")(?: (?:population|area|coastline|people|inhabitants|mountain|born|founded|built|established|in \w+))*"
    r"|^(?:is|was|are|were|did|does|do|has|have|had))\s+(?:in |on |at )?",
    re.IGNORECASE,
)


_CHOOSE = re.compile(
    r"(?i:which|who)\b.{2,160}?[,:] "
    r"(?P<one>(?:the )?[A-Z0-9][^,;:]{0,60}?),? or (?P<other>(?:the )?[A-Z0-9][^,;:]{0,60})"
)
_CHOICE = re.compile(r"(?:is|are|was|were) (?!there\b|it\b)[^,;]{2,60}? an? [^,;]{2,40}? or an? ", re.IGNORECASE)
"""Lets two classes compete: "is light a wave or a particle"."""


def can_be_asked_for(question: str, answer: str) -> bool:
    """Whether an answer is one of the things that a question offers; true for a question that offers none.

    >>> can_be_asked_for("Which is higher, Mount Everest or K2?", "8,849 metres")
    False
    >>> can_be_asked_for("which is higher, the Ural Mountains or K2", "Mountain range in Russia")
    False
    >>> can_be_asked_for("is light a wave or a particle", "yes")
    False
    >>> can_be_asked_for("Who composed Fidelio, Mozart or Beethoven?", "Monteverdi")
    False
    """
    if label_of(answer) and _CHOICE.match(question):
        return False
    offered = alternatives(question) or _named_last(question)
    words = text.content_words(answer)
    return offered is None or not words or any(_is_named_in(words, text.content_words(one)) for one in offered)


def _named_last(question: str) -> tuple[str, str] | None:
    """Return the two names between which "Which …, A or B?" lets one choose; ``None`` for another question."""
    found = _CHOOSE.fullmatch(question.strip().rstrip("?!. "))
    return (found["one"], found["other"]) if found else None


def _is_named_in(words: set[str], thing: set[str]) -> bool:
    """Tell whether an answer is a thing: most words of the shorter one are also in the other."""
    return 2 * len(words & thing) > min(len(words), len(thing))
