"""Complete a fragment from the conversation: "in asia?", "the second largest", "population", "why?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.language.of_something import is_of_something
from searchain.language.qualifiers import ranks
from searchain.language.topics import small_name
from searchain.types import Exchange

_RANK = re.compile(
    r"(?:\bthe )?\b(?P<rank>(?:(?:second|third|fourth|fifth|sixth|\d(?:nd|rd|th))[ -])?(?:most [a-z]+|least [a-z]+|"
    r"[a-z]{2,}est))(?: ones?\b)?(?P<noun>(?: (?!in\b|on\b|of\b|at\b)[\w'’-]+){1,3})?"
    r"(?P<where> (?:in|on|of|at) [^?]+?)?\W*$",
    re.IGNORECASE,
)
"""What is asked for by its rank: "the second largest lake in africa"."""
_ORDINAL = r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th)"
_NUMBER = re.compile(rf"(?:who (?:is|was) )?(?:the )?(?P<number>{_ORDINAL}|next)(?: one)?\W*", re.IGNORECASE)
_NUMBERED = re.compile(rf"\bthe (?:{_ORDINAL})\b(?= [a-z])", re.IGNORECASE)
_PLACED = re.compile(r"(?P<by>in|on|of|from|by|for|at) (?P<name>[^?]+)", re.IGNORECASE)
_MEASURED = re.compile(r"how (?:old|long|big|large|tall|high|deep|far|heavy|fast|wide|hot|cold|small)", re.IGNORECASE)
_COUNTED = re.compile(r"how many (?!of\b)(?P<noun>[a-z]+)", re.IGNORECASE)
_ASKING = re.compile(
    r"(?:(?:what|which|the|its|their) )?(?!(?:who|how|when|where|why)\b)(?P<noun>[a-z]+(?: [a-z]+)?)"
    r"|who (?P<deed>[a-z]+)",
    re.IGNORECASE,
)
_WHO_DID = re.compile(r"who (?P<verb>[a-z]+) (?P<what>(?:(?!that\b)[\w'’.-]+ ?){1,5}?)\W*", re.IGNORECASE)
_PARTICIPLES = {
    "wrote": "written",
    "built": "built",
    "made": "made",
    "won": "won",
    "sang": "sung",
    "fought": "fought",
    "found": "found",
}
_DID = re.compile(
    r"(?P<asked>(?:when|where|why|how) did .{2,60} )(?:start|begin|end|finish|die|open|close|fall|rise)\W*",
    re.IGNORECASE,
)
_DEED = re.compile(r"(?:start|begin|end|finish|die|open|close|fall|rise)", re.IGNORECASE)
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
_ABOUT_OTHER = re.compile(
    r"(?P<opener>is|are|was|were|does|do|did|can|could|has|have|had|will|would) "
    r"(?!(?:it|he|she|they|there|that|this|these|those|you|we)\b)(?P<name>[\w'’-]+(?: [\w'’-]+)?)",
    re.IGNORECASE,
)
_PART_OF = re.compile(
    r"(?P<asked>(?:what|which|how) .{2,30}?\bthe )(?P<part>[\w-]+(?: [\w-]+){0,2})(?P<whole> of .{2,60}?)\W*",
    re.IGNORECASE,
)
_WHICH_RANK = re.compile(
    r"(?:which|what) (?:one )?(?P<verb>is|are|was|were) (?:the )?"
    r"(?P<rank>most [a-z]+|least [a-z]+|[a-z]{2,}est)(?: one)?\W*",
    re.IGNORECASE,
)
_WHICH_THING = re.compile(
    r"(?P<which>(?:which|what) (?!(?:is|are|was|were)\b)[a-z]+) (?:is|are|was|were)\b", re.IGNORECASE
)
_RELATIVE = re.compile(
    r"(?:first |second |third )?(?:wife|wives|husbands?|sons?|daughters?|child|children|parents|mother|father|"
    r"brothers?|sisters?|siblings|president|king|queen|emperor|empress|pope|governor|chancellor|champion|commander|mayor|captain|leader|ceo|owner|founder|author|director|composer|"
    r"inventor|prime minister|winner)",
    re.IGNORECASE,
)
"""A person, or people, that somebody or something has."""
_SEVERAL = frozenset(
    "wives children parents siblings sons daughters sisters brothers moons languages types kinds sorts examples".split()
)
_OFFICE = re.compile(r"(?:who|what) (?:is|are|was|were) the (?P<office>[a-z]+(?: [a-z]+)?)", re.IGNORECASE)
_OPENED = re.compile(
    r"(?:when|where|why|how|in (?:what|which) [a-z]+)(?= (?:did|was|were|is|are|do|does)\b)", re.IGNORECASE
)
_OPENER = re.compile(r"when|where|why|how|in (?:what|which) (?:year|country|city|state)", re.IGNORECASE)
_WHY = re.compile(r"(?:and |but )?why(?: not)?\W*", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:what|who|which [\w ]{1,40}?) (?P<verb>is|are|was|were) (?P<rest>.+)", re.IGNORECASE)
_OF_BOTH = re.compile(
    r"(?<=\bbetween )(?:them|the two|these two|these|both)\b|(?<=^compare )(?:them|the two|both)\b", re.I
)
_WHICH_OF_BOTH = re.compile(
    r"(?:and |so )?(?:which|who) (?:(?:one|of (?:them|the two|these)) )?(?P<verb>is|was|are|were) "
    r"(?:the )?(?P<compared>(?:more|less) [a-z]+|[a-z]+er)(?: one)?\W*",
    re.IGNORECASE,
)


def completed(rest: str, history: Sequence[Exchange], topic: str) -> str:
    """Return the question that ``rest`` stands for in a conversation about ``topic``; ``""`` where no rule is sure.

    >>> said = [Exchange("what is the largest lake in the world", "The Caspian Sea.", "Caspian Sea")]
    >>> [completed(rest, said, "Caspian Sea") for rest in ("the second largest", "in asia")]
    ['what is the second largest lake in the world?', 'what is the largest lake in asia?']
    >>> completed("how deep", said, "Caspian Sea"), completed("sturgeon", said, "Caspian Sea")
    ('how deep is Caspian Sea?', '')
    """
    last = history[-1]
    if (opened := _OPENED.match(last.question)) and _OPENER.fullmatch(rest):
        return f"{rest}{last.question[opened.end() :]}"
    if _OPENER.fullmatch(rest) and (passive := _passive(last.question)):
        return f"{rest} was {passive}?"
    if _OPENER.fullmatch(rest) and (subject := _SUBJECT.fullmatch(last.question.strip())) and last.final_answer:
        return f"{rest} {subject['verb']} {last.final_answer} {subject['rest']}"
    if whole := _whether(rest, last.question) or _part(rest, last.question):
        return whole
    if topic and (on_topic := _on(rest, topic)):
        return on_topic
    if (did := _DID.fullmatch(last.question.strip())) and _DEED.fullmatch(rest):
        return f"{did['asked']}{rest}?"
    if _WHY.fullmatch(rest):
        return _why(last)
    of_topic = _of_topic(rest, topic) if topic else ""
    asked = [said.question for said in history[-5:]]
    return _ranked(rest, asked) or _numbered(rest, asked[-1]) or _placed(rest, last.question) or of_topic


def _passive(question: str) -> str:
    """Return what was done in a question who did it: "islam founded"; ``""`` for other questions.

    >>> _passive("who founded islam"), _passive("Who wrote the Iliad?"), _passive("who is the king")
    ('islam founded', 'the Iliad written', '')
    """
    asked = _WHO_DID.fullmatch(question.strip())
    if asked is None:
        return ""
    verb = asked["verb"].casefold()
    participle = _PARTICIPLES.get(verb, verb if verb.endswith("ed") else "")
    return f"{asked['what']} {participle}" if participle else ""


def _on(rest: str, topic: str) -> str:
    """Return the request to say more about the topic, or to name examples of it; ``""`` for other words.

    >>> _on("tell me more", "osmosis"), _on("give me an example", "mammal"), _on("how old", "Rome")
    ('summarise osmosis', 'what are examples of mammal?', '')
    """
    if _MORE.fullmatch(rest):
        return f"summarise {topic}"
    return f"what are examples of {topic}?" if _EXAMPLES.fullmatch(rest) else ""


def _whether(rest: str, question: str) -> str:
    """Return the yes/no question with another thing; ``""`` where ``rest`` does not begin as it does.

    >>> _whether("is morocco", "is spain in europe"), _whether("is it", "is spain in europe")
    ('is morocco in europe', '')
    """
    wanted, name = _ABOUT_OTHER.fullmatch(rest), small_name(question)
    if not wanted or not name or text.tokens(question)[0] != wanted["opener"].casefold():
        return ""
    at = question.find(name)
    return f"{question[:at]}{wanted['name']}{question[at + len(name) :]}"


def _part(rest: str, question: str) -> str:
    """Return the question for another part of the same thing: "freezing point" of what has a boiling point.

    >>> _part("freezing point", "what is the boiling point of water"), _part("ice", "what is the size of a cell")
    ('what is the freezing point of water', '')
    """
    asked = _PART_OF.fullmatch(question.strip())
    if not asked or len(rest.split()) < 2 or rest.split()[-1].casefold() != asked["part"].split()[-1].casefold():
        return ""
    return f"{asked['asked']}{re.sub('^the ', '', rest)}{asked['whole']}"


def of_both(question: str, things: tuple[str, str]) -> str:
    """Return the question with two things by their names; ``""`` where it does not ask about both.

    >>> of_both("difference between them", ("osmosis", "diffusion"))
    'difference between osmosis and diffusion'
    >>> of_both("which one is older?", ("Rome", "Athens")), of_both("how old is it", ("Rome", "Athens"))
    ('which is older, Rome or Athens?', '')
    """
    if asked := _WHICH_OF_BOTH.fullmatch(question.strip()):
        return f"which {asked['verb']} {asked['compared']}, {things[0]} or {things[1]}?"
    named = _OF_BOTH.sub(lambda _: " and ".join(things), question)
    return named if named != question else ""


def _why(last: Exchange) -> str:
    """Return the question why that is so; ``""`` where the last question does not lend itself to one.

    >>> _why(Exchange("is the sea salty", "Yes.", "yes")), _why(Exchange("who was the first tsar?", "Ivan.", "Ivan"))
    ('why is the sea salty', 'why was Ivan the first tsar?')
    """
    if text.is_yes_no_question(last.question):
        return f"why {last.question}"
    asked = _SUBJECT.fullmatch(last.question.strip())
    return f"why {asked['verb']} {last.final_answer} {asked['rest']}" if asked and last.final_answer else ""


def _ranked(rest: str, questions: Sequence[str]) -> str:
    """Return the last of ``questions`` that asks for a rank, with the rank that ``rest`` consists of, and its thing.

    ``rest`` alone where it names a thing, and ``""`` where it is not a rank.
    """
    if (which := _WHICH_RANK.fullmatch(rest)) and ranks(which["rank"]):
        thing = _WHICH_THING.match(questions[-1].strip())
        return f"{thing['which']} {which['verb']} the {which['rank']}?" if thing else ""
    wanted = _RANK.fullmatch(rest)
    if wanted is None or not ranks(wanted["rank"]):
        return ""
    alone = f"What is the {wanted['rank']}{wanted['noun'] or ''}{wanted['where'] or ''}?" if wanted["noun"] else ""
    question, asked = next(
        ((said, found) for said in reversed(questions) if (found := _RANK.search(said)) and ranks(found["rank"])),
        ("", None),
    )
    if asked is None or (wanted["noun"] and wanted["where"]):
        return alone
    noun = wanted["noun"] or asked["noun"] or ""
    where = wanted["where"] or asked["where"] or ""
    return f"{question[: asked.start('rank')]}{wanted['rank']}{noun}{where}?"


def _numbered(rest: str, question: str) -> str:
    """Return the question with another number in its order; ``""`` where it has none.

    >>> _numbered("the second", "who was the first king of france"), _numbered("the second", "what is osmosis")
    ('who was the second king of france', '')
    """
    wanted, asked = _NUMBER.fullmatch(rest), _NUMBERED.search(question)
    return f"{question[: asked.start()]}the {wanted['number']}{question[asked.end() :]}" if wanted and asked else ""


def _placed(rest: str, question: str) -> str:
    """Return ``question`` with another place at its end; ``""`` where it ends with none."""
    wanted = _PLACED.fullmatch(rest)
    by = wanted["by"].casefold() if wanted else ""
    same = "in|of" if by in ("in", "of") else by
    found = wanted and re.search(
        rf" (?:{same}) (?:the )?[\w'’.-]+(?: [\w'’.-]+){{0,2}}\W*$",
        question,
        re.IGNORECASE,
    )
    return f"{question[: found.start()]} {rest}?" if found else ""


def _of_topic(rest: str, topic: str) -> str:
    """Return the question that asks for something of the topic; ``""`` where ``rest`` asks for more than that.

    >>> [_of_topic(rest, "Chad") for rest in ("population", "how big", "what currency", "who ruled", "and why")]
    ['what is the population of Chad?', 'how big is Chad?', 'what is the currency of Chad?', 'who ruled Chad?', '']
    """
    if _MEASURED.fullmatch(rest):
        return f"{rest} is {topic}?"
    if office := _OFFICE.fullmatch(rest):
        return f"{rest} of {topic}?" if is_of_something(office["office"]) else ""
    if (counted := _COUNTED.fullmatch(rest)) and counted["noun"].casefold() not in ("people", "times", "years"):
        return f"{rest} does {topic} have?"
    asked = _ASKING.fullmatch(rest)
    if asked is None or not is_of_something(rest) or not text.content_words(rest):
        return ""
    if asked["deed"]:
        return f"who {asked['deed']} {topic}?"
    be = "are" if asked["noun"].casefold() in _SEVERAL else "is"
    return f"{'who' if _RELATIVE.fullmatch(asked['noun']) else 'what'} {be} the {asked['noun']} of {topic}?"
