"""Tell whether a question can be understood without the conversation before it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.language.of_something import OF_SOMETHING, is_of_something
from searchain.types import Exchange

_PRONOUN = r"(?:he|she|they|it)"
_OF_ONE = r"(?:his|her|their|its)"
_POINTING = re.compile(
    rf"\b(?:{_PRONOUN}|{_OF_ONE}|him|hers|them|theirs|this|that|these|those(?! (?:who|that|which)\b)|"
    r"the same(?! (?:\w+ )?as\b)|"
    r"the (?:other|former|latter)(?=\W*$| (?:ones?|two|three|is|are|was|were|has|have|had|called)\b)|"
    r"(?<!is )(?<!are )(?<!was )(?<!were )there(?=\W*$)|then(?=\W*$))\b",
    re.IGNORECASE,
)
"""A word that stands for something else, here or before."""
_EXPLETIVE = re.compile(
    r"\b(?:is|was|be)(?:n['’]t)? it (?:really |actually |ever |still |always )?"
    r"(?:true|possible|impossible|legal|illegal|safe|unsafe|dangerous|bad|good|ok|okay|healthy|unhealthy|easy|hard|"
    r"difficult|common|rare|normal|necessary|important|better|worse|cheaper|correct|right|wrong|rude|worth|likely|"
    r"unlikely|said|known|thought|believed) (?:to|that|for|if|when|\w+ing)\b"
    r"|\bit (?:ever |really )?(?:rain|snow|hail|thunder)s?(?= \w)|(?<=why does )it (?:rain|snow|hail|thunder)\b"
    r"|\bit (?:takes?|took) (?:(?!to\b)[\w'’-]+ ){0,6}to [a-z]+ (?:(?:to|an?|the|of|in|on|up) ){0,3}"
    r"(?!it\b|them\b|there\b)\w"
    r"|\b(?:time|day|date|year|month) is it\b|\bis it (?:raining|snowing|cold|hot|late|early)(?: |$)"
    r"|\bthey (?=[a-z]+ (?:[\w'’-]+ ){0,4}in [a-z])|(?<=where do )they (?=[a-z]+ \w)|(?<=where did )they (?=[a-z]+ \w)"
    r"|^(?:is|are) [\w'’ -]{2,60} and [\w'’ -]{2,60} the same(?: thing)?\W*$"
    r"|\bhow (?:far|long) is it (?:to|between|from (?:[\w'’-]+ ){1,4}to)\b",
    re.IGNORECASE,
)
"""An "it" that stands for nothing: "how long does it take to fly to Mars", or "the same" of two things."""
_CONTINUING = re.compile(
    r"^(?:and|but|so|also|or|what about|how about|what else|who else|why\s*\??$|when\s*\??$|where\s*\??$)\b",
    re.IGNORECASE,
)
_WHICH_ONE = re.compile(r"which one (?:is|are|was|were|has|had) ", re.IGNORECASE)
_MEANT = re.compile(r"\b(?:the|this|that) (?P<kind>[a-z]{3,})\b", re.IGNORECASE)
_OWN = re.compile(
    r"(?:[\w'’-]+ ){0,4}?(?:was|is|are|were|did|does|do|had|has|have|can|could|will|would) "
    rf"(?!(?:{_PRONOUN}|{_OF_ONE}|this|that|these|those|the same|there|you|we)\b)"
    r"(?P<owner>[\w'’.-]+(?: [\w'’.-]+){0,8}?),? "
    r"(?:(?:when|before|after|while|until|because|and|if|once|since) "
    r"(?:(?:how|when|where|why|what|who|was|is|are|were|did|does|do) ){0,2}"
    rf"(?:{_PRONOUN}|{_OF_ONE})|{_OF_ONE} (?=\w)|(?:him|her|it|them)sel(?:f|ves))\b",
    re.IGNORECASE,
)
"""A question that names who its pronoun means: "how old was mozart when he died", "do elephants bury their dead"."""
_ASKS_ABOUT_ITSELF = re.compile(
    r"(?:(?P<what>what(?:['’]?s| (?:is|are|was|were)) (?!(?:next|else|then)\b)[\w'’-]+)"
    r"|(?:who|where|when|why|how)(?:['’]?s| (?:is|are|was|were)) (?P<is>[\w'’-]+)"
    r"|who (?!else\b|exactly\b)(?P<did>[\w'’-]+ [\w'’-]+)"
    r"|what (?P<does>[a-z]+[a-rt-z]s [\w'’-]+)"
    r"|(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should) "
    r"(?!(?:the|an?) )(?P<whether>[\w'’-]+ [\w'’-]+)"
    r"|(?:define|explain|describe|list|name|summari[sz]e) (?P<told>[\w'’-]+(?: [\w'’-]+)?)"
    r"|(?P<claimed>[\w'’-]+ (?:is|are|was|were|has|have|had|can|cannot|can['’]t|isn['’]t|aren['’]t) [\w'’-]+))\W*",
    re.IGNORECASE,
)
"""Two or three words that are a question, an order or a claim of their own: "what is osmosis", "bats are birds"."""
_OF_IT = re.compile(
    r"(?:(?:and|so) )?(?:how (?:[a-z]+ ){1,3}(?:is|was|does|did) it(?: [a-z]+)?"
    r"|(?:what|which) (?!time\b)[a-z]+ (?:is|was) it|(?:is|was) it (?!true\b|right\b|correct\b|real\b)[a-z]+"
    r"|(?:what|where) (?:is|are|was|were) its [a-z ]+|how does it work"
    r"|what(?:['’]?s| is| was) it (?:about|for|like|called|made of|used for|known for|famous for))\W*",
    re.IGNORECASE,
)
"""Asks for something of a thing, where there is one."""
_NO_NAMES = frozenset(
    "the a one ones first second third fourth fifth last next other another country city year name number time place "
    "really lol ok okay yes no hm wow cool nice current youngest oldest now then again please thanks".split()
)
"""Words that may be titles of articles, and after another question mean something of it."""
FEW = 3
"""Words of a question that may be a fragment."""
MOST_WORDS = 3
"""Words of meaning in a question that means a thing by its kind alone."""


def pointing(question: str) -> re.Match[str] | None:
    """Return the first word that stands for something outside of the question; ``None`` if there is none.

    >>> pointing("how old was mozart when he died"), pointing("is it true that bats are blind")
    (None, None)
    >>> pointing("How deep is it?")[0]
    'it'
    """
    start = expletive.end() if (expletive := _EXPLETIVE.search(question)) else 0
    found = _POINTING.search(question, start)
    # "the city that hosts it": the relative pronoun points at its own noun
    if found and found[0].lower() == "that" and found.start() > 0:
        found = _POINTING.search(question, found.end())
    # what the question itself named first is pointed at inside it ("When did Disneyland open its gates?")
    if found and (text.names(question[: found.start()]) or _has_owner(question)):
        return None
    return found


def _has_owner(question: str) -> bool:
    owned = _OWN.match(question)
    return owned is not None and not is_of_something(owned["owner"])


def continues(question: str) -> re.Match[str] | None:
    """Return the words with which a question goes on with the one before: "and", "what about"."""
    return _CONTINUING.match(question.strip())


def without_continuing(question: str) -> str:
    """Return what follows the words with which a question goes on; all of it without them.

    >>> without_continuing("And Sweden?"), without_continuing("how old?"), without_continuing("why?")
    ('Sweden', 'how old', 'why')
    """
    return _CONTINUING.sub("", question.strip()).strip(" ?,")


def needs_history(question: str) -> bool:
    """Tell whether a question leans on what was said before: it points back, continues, or is a fragment.

    >>> [needs_history(one) for one in ("When was it founded?", "how big?", "what is osmosis", "bats are birds")]
    [True, True, False, False]
    """
    if pointing(question) or continues(question) or _WHICH_ONE.match(question.strip()):
        return True
    return len(question.split()) <= FEW and not text.names(question) and not is_whole(question)


def is_whole(question: str) -> bool:
    """Tell whether a few words are a question, an order or a claim of their own.

    >>> [is_whole(one) for one in ("who was caesar", "are whales fish", "explain gravity", "who was king", "how old")]
    [True, True, True, False, False]
    """
    found = _ASKS_ABOUT_ITSELF.fullmatch(question.strip())
    if found is None:
        return False
    words = next(group for group in found.groups() if group)
    said = words.split()[0] if found["claimed"] else words
    return not pointing(question) and (bool(found["what"]) or not text.content_words(said) <= OF_SOMETHING)


def is_fragment_name(question: str) -> bool:
    """Tell whether a question is nothing but a few words that may be a name: "germany", and not "population".

    >>> is_fragment_name("germany"), is_fragment_name("and germany?"), is_fragment_name("second largest")
    (True, False, False)
    """
    words = text.tokens(question)
    if is_never_name(question):
        return False
    asks = set(words) & text.QUESTION_WORDS or {word for word in words if word.endswith("est")}
    leans = pointing(question) or continues(question) or is_of_something(question)
    return 0 < len(words) <= FEW and not asks and not leans


def is_never_name(question: str) -> bool:
    """Tell whether all words mean something of what was said, although some are titles of articles: "second"."""
    return set(text.tokens(question)) <= _NO_NAMES


def leans_on(history: Sequence[Exchange], question: str) -> bool:
    """Tell whether a question can only be understood after ``history``.

    >>> leans_on([Exchange("Who were the Beatles?", "", "English rock band")], "Where was the band formed?")
    True
    >>> leans_on([Exchange("When did the Titanic sink?", "", "1912")], "how many people died?")
    True
    """
    if not history:
        return False
    return needs_history(question) or _is_bare(question) or meant(question, history[-1]) is not None


def _is_bare(question: str) -> bool:
    """Tell whether a question names nothing that has a result, a cause, a size …: "how many people died?"."""
    return not text.names(question) and text.content_words(question) <= OF_SOMETHING


def points_at_thing(question: str) -> bool:
    """Tell whether a question asks for a fact of "it" or "its": "how big is it", and not "is it true".

    >>> points_at_thing("how fast is it?"), points_at_thing("is it true?"), points_at_thing("what time is it there")
    (True, False, False)
    """
    return _OF_IT.fullmatch(question.strip()) is not None


def points_back(question: str) -> bool:
    """Tell whether a word of the question stands for something said before, which a rule can put in its place.

    >>> points_back("When was it founded?"), points_back("And Sweden?")
    (True, False)
    """
    return bool(pointing(question) or not continues(question) and _MEANT.search(question))


def meant(question: str, last: Exchange) -> re.Match[str] | None:
    """Return the words "the band" of a question that names nothing, after an answer such as "English rock band"."""
    found = _MEANT.search(question)
    if found is None or text.names(question) or len(text.content_words(question)) > MOST_WORDS:
        return None
    return found if text.stem(found["kind"].casefold()) in text.content_words(last.final_answer) else None
