"""Ask something of what the conversation is about: "population", "how long", "wife", "tell me more"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import kin, text, topics
from searchain.language.of_something import is_of_something
from searchain.types import Exchange

_MEASURED = re.compile(r"how (?:old|long|big|large|tall|high|deep|far|heavy|fast|wide|hot|cold|small)", re.IGNORECASE)
_VERBS = frozenset(
    "is are was were be do does did has have had can could will would causes caused cause died die born lived live "
    "survived survive killed left made happened happen won lost started ended began begin became called named ruled "
    "founded built wrote painted discovered invented".split()
)
"""Words that ask nothing of a thing as nouns do."""
_COUNTED = re.compile(r"how many (?!of\b)(?P<noun>[a-z]+)", re.IGNORECASE)
_ASKING = re.compile(
    r"(?:(?:what|which|the|its|his|her|their) )?(?!(?:who|how|when|where|why)\b)(?P<noun>[a-z]+(?: (?:of )?[a-z]+)?)"
    r"|who (?P<deed>[a-z]+)",
    re.IGNORECASE,
)
_RULERS = "president|king|queen|emperor|empress|pope|governor|chancellor|mayor|prime minister|leader"
_RELATIVE = re.compile(
    rf"(?:first |second |third )?(?:{kin.ANY}|{_RULERS}|champion|commander|captain|ceo|owner|founder|author|director|"
    r"composer|inventor|winner)",
    re.IGNORECASE,
)
"""A person, or people, that somebody or something has."""
_OF_PERSON = re.compile(
    rf"(?:{kin.ANY}|age|nationality|birthplace|born|died|death|family|religion|how old)", re.IGNORECASE
)
_OF_COUNTRY = re.compile(rf"(?:{_RULERS}|capital|currency|language|flag|anthem)", re.IGNORECASE)
_SEVERAL = re.compile(
    rf"(?:{kin.SEVERAL}|moons|languages|types|kinds|sorts|examples|symptoms|causes|effects)", re.IGNORECASE
)
_OFFICE = re.compile(r"(?:who|what) (?:is|are|was|were) the (?P<office>[a-z]+(?: [a-z]+)?)", re.IGNORECASE)
_ROLE_OF = re.compile(
    r"(?:who|what) (?:is|was|are|were) (?:the )?[a-z]+(?: [a-z]+)? of "
    r"(?:the )?(?P<whose>[\w'’.-]+(?: [\w'’.-]+){0,2})\W*",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"(?:(?:please )?(?:tell me|say|explain|give me|i want to know) (?:some |a bit |a little )?more(?: details?)?"
    r"|(?:some )?more(?: details?| info(?:rmation)?)?|more please|go on|continue|elaborate|in more detail|"
    r"keep going)\W*",
    re.IGNORECASE,
)
_EXAMPLES = re.compile(
    r"(?:(?:please )?(?:give|show|tell|name|list)(?: me)? )?"
    r"(?:an |some |a few |two |three |four |five |more )?examples?(?: please)?"
    r"|(?:name|list) (?:some|a few|two|three|four|five|\d)(?: of them)?|for example|such as",
    re.IGNORECASE,
)


def asks_for_more(question: str) -> bool:
    """Tell whether a question asks for more about the last thing, without naming it.

    >>> asks_for_more("tell me more"), asks_for_more("tell me more about rome")
    (True, False)
    """
    return _MORE.fullmatch(question.strip()) is not None


def asked_of_topic(rest: str, history: Sequence[Exchange]) -> str:
    """Return the question that asks for something of what the conversation is about; ``""`` for other words.

    >>> chad, mona = [Exchange("what is chad", "", "A state")], [Exchange("who painted the mona lisa", "", "Leonardo")]
    >>> [asked_of_topic(rest, chad) for rest in ("population", "how big", "what currency", "who ruled", "and why")]
    ['what is the population of chad?', 'how big is chad?', 'what is the currency of chad?', 'who ruled chad?', '']
    >>> [asked_of_topic(rest, mona) for rest in ("size", "wife", "tell me more")]
    ['what is the size of mona lisa?', 'who is the wife of Leonardo?', 'summarise Leonardo']
    """
    topic = topic_for(rest, history)
    if not topic:
        return ""
    if asks_for_more(rest):
        return f"summarise {topic}"
    if _EXAMPLES.fullmatch(rest):
        return f"what are examples of {topic}?"
    if rest.casefold() in ("born", "died"):
        return f"when was {topic} born?" if rest.casefold() == "born" else f"when did {topic} die?"
    if _MEASURED.fullmatch(rest):
        return f"{rest} is {topic}?"
    if office := _OFFICE.fullmatch(rest):
        return f"{rest} of {topic}?" if is_of_something(office["office"]) else ""
    if counted := _COUNTED.fullmatch(rest):
        is_thing = counted["noun"].casefold() not in _VERBS | {"people", "times", "years"}
        return f"{rest} does {topic} have?" if is_thing else ""
    return _aspect(rest, topic)


def _aspect(rest: str, topic: str) -> str:
    asked = _ASKING.fullmatch(rest)
    if asked is None or not is_of_something(rest) or not text.content_words(rest):
        return ""
    if asked["deed"]:
        return f"who {asked['deed']} {topic}?"
    if _VERBS & set(text.tokens(asked["noun"])):
        return ""
    be = "are" if _SEVERAL.fullmatch(asked["noun"]) else "is"
    return f"{'who' if _RELATIVE.fullmatch(asked['noun']) else 'what'} {be} the {asked['noun']} of {topic}?"


def topic_for(rest: str, history: Sequence[Exchange]) -> str:
    """Return whose population, age or wife is meant: the thing that somebody made, or the country of a president."""
    last = history[-1].question.strip()
    noun = re.sub(r"^(?:(?:what|which|who)(?: (?:is|are|was|were))? )?(?:the |its |his |her )?", "", rest)
    if topics.is_deed(last):
        is_person = _OF_PERSON.fullmatch(noun) or _MORE.fullmatch(rest)
        if not is_person and (thing := topics.topic_of(history, "it")):
            return thing
    if (owned := _ROLE_OF.fullmatch(last)) and _OF_COUNTRY.fullmatch(noun):
        return owned["whose"]
    return topics.kept_of(history, "") or topics.topic_of(history, "")
