"""Complete a fragment from the conversation: "in asia?", "the second largest", "why?", "is morocco?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.language.qualifiers import ranks
from searchain.language.topics import is_name, small_name
from searchain.types import Exchange

_GEOGRAPHIC = re.compile(
    r"\b(?:city|cities|towns?|villages?|countr(?:y|ies)|states?|rivers?|lakes?|mountains?|peaks?|volcano(?:es)?|islands?|"
    r"deserts?|forests?|waterfalls?|buildings?|bridges?|airports?|ports?|parks?|universit(?:y|ies))$",
    re.IGNORECASE,
)
"""What a place has, so that the place of the last question counts for it as well."""
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
_SUPERLATIVE = re.compile(rf"\b(?:(?:{_ORDINAL})[ -])?(?P<rank>most [a-z]+|[a-z]{{2,}}est)\b", re.IGNORECASE)
_PLACED = re.compile(r"(?P<by>in|on|of|from|by|for|at) (?P<name>[^?]+)", re.IGNORECASE)
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
_ABOUT_OTHER = re.compile(
    r"(?P<opener>is|are|was|were|does|do|did|can|could|has|have|had|will|would) "
    r"(?!(?:it|he|she|they|there|that|this|these|those|you|we)\b)(?P<article>(?:the|an?) )?(?P<name>[\w'’-]+)",
    re.IGNORECASE,
)
_ARTICLE_BEFORE = re.compile(r"\b(?:an?|the) $", re.IGNORECASE)
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
_OPENED = re.compile(
    r"(?:when|where|why|how|in (?:what|which) [a-z]+)(?= (?:did|was|were|is|are|do|does)\b)", re.IGNORECASE
)
_OPENER = re.compile(r"when|where|why|how|in (?:what|which) (?:year|country|city|state)", re.IGNORECASE)
_WHY = re.compile(r"(?:and |but )?why(?P<negated> not)?\W*", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:what|who|which [\w ]{1,40}?) (?P<verb>is|are|was|were) (?P<rest>the .+)", re.IGNORECASE)


def completed(rest: str, history: Sequence[Exchange]) -> str:
    """Return the question that ``rest`` stands for behind the last questions; ``""`` where no rule is sure.

    >>> said = [Exchange("what is the largest lake in the world", "The Caspian Sea.", "Caspian Sea")]
    >>> [completed(rest, said) for rest in ("the second largest", "second", "in asia")]
    ['what is the second largest lake in the world?', 'what is the second largest lake in the world', \
'what is the largest lake in asia?']
    >>> completed("sturgeon", said)
    ''
    """
    last = history[-1]
    if _OPENER.fullmatch(rest) and (whole := _opened(rest, last)):
        return whole
    if whole := _whether(rest, last.question) or _part(rest, last.question):
        return whole
    if (did := _DID.fullmatch(last.question.strip())) and _DEED.fullmatch(rest):
        return f"{did['asked']}{rest}?"
    if why := _WHY.fullmatch(rest):
        return _why(last, is_negated=why["negated"] is not None)
    asked = [said.question for said in history[-5:]]
    return _ranked(rest, asked) or _numbered(rest, asked) or _placed(rest, last.question)


def _opened(opener: str, last: Exchange) -> str:
    """Return the last question with another question word: "when" after "who founded islam".

    >>> _opened("where", Exchange("when did the titanic sink", "", "1912"))
    'where did the titanic sink'
    >>> _opened("when", Exchange("who founded islam", "", "Muhammad"))
    'when was islam founded?'
    >>> _opened("when", Exchange("who was the first man on the moon", "", "Neil Armstrong"))
    'when was Neil Armstrong the first man on the moon'
    """
    if opened := _OPENED.match(last.question):
        return f"{opener}{last.question[opened.end() :]}"
    if passive := _passive(last.question):
        return f"{opener} was {passive}?"
    subject = _SUBJECT.fullmatch(last.question.strip())
    if opener.casefold() in ("why", "how") or subject is None or not is_name(last.final_answer):
        return ""
    return f"{opener} {subject['verb']} {last.final_answer} {subject['rest']}"


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


def _whether(rest: str, question: str) -> str:
    """Return the yes/no question with another thing; ``""`` where ``rest`` does not begin as it does.

    >>> _whether("is morocco", "is spain in europe"), _whether("is a banana", "is a tomato a fruit")
    ('is morocco in europe', 'is a banana a fruit')
    """
    wanted, name = _ABOUT_OTHER.fullmatch(rest), small_name(question)
    if not wanted or not name or text.tokens(question)[0] != wanted["opener"].casefold():
        return ""
    at = question.find(name)
    before = _ARTICLE_BEFORE.sub("", question[:at])
    return f"{before}{wanted['article'] or ''}{wanted['name']}{question[at + len(name) :]}"


def _part(rest: str, question: str) -> str:
    """Return the question for another part of the same thing: "freezing point" of what has a boiling point.

    >>> _part("freezing point", "what is the boiling point of water"), _part("ice", "what is the size of a cell")
    ('what is the freezing point of water', '')
    """
    asked = _PART_OF.fullmatch(question.strip())
    if not asked or len(rest.split()) < 2 or rest.split()[-1].casefold() != asked["part"].split()[-1].casefold():
        return ""
    return f"{asked['asked']}{re.sub('^the ', '', rest)}{asked['whole']}"


def _why(last: Exchange, *, is_negated: bool) -> str:
    """Return the question why that is so; ``""`` where the last question does not lend itself to one.

    >>> _why(Exchange("is the sea salty", "Yes.", "yes"), is_negated=False)
    'why is the sea salty'
    >>> _why(Exchange("can penguins fly", "No.", "no"), is_negated=True)
    'why can penguins not fly'
    >>> _why(Exchange("who was the first tsar?", "Ivan.", "Ivan"), is_negated=False)
    'why was Ivan the first tsar?'
    """
    question = last.question.strip()
    if text.is_yes_no_question(question):
        name = small_name(question) if is_negated else ""
        return f"why {question.replace(name, f'{name} not', 1) if name else question}"
    if opened := _OPENED.match(question):
        return f"why{question[opened.end() :]}"
    asked = _SUBJECT.fullmatch(question)
    is_sure = asked is not None and is_name(last.final_answer)
    return f"why {asked['verb']} {last.final_answer} {asked['rest']}" if asked and is_sure else ""


def _ranked(rest: str, questions: Sequence[str]) -> str:
    """Return the last of ``questions`` that asks for a rank, with the rank that ``rest`` consists of, and its thing.

    ``rest`` alone where it names a thing, and ``""`` where it is not a rank. The place of the last question counts for
    what a place has: after "longest river in africa" for "largest lake", and not for "fastest animal".
    """
    if (which := _WHICH_RANK.fullmatch(rest)) and ranks(which["rank"]):
        thing = _WHICH_THING.match(questions[-1].strip())
        return f"{thing['which']} {which['verb']} the {which['rank']}?" if thing else ""
    wanted = _RANK.fullmatch(rest)
    if wanted is None or not ranks(wanted["rank"]):
        return ""
    noun = (wanted["noun"] or "").strip()
    alone = f"What is the {wanted['rank']}{wanted['noun'] or ''}{wanted['where'] or ''}?" if noun else ""
    question, asked = next(
        ((said, found) for said in reversed(questions) if (found := _RANK.search(said)) and ranks(found["rank"])),
        ("", None),
    )
    if (
        noun
        and not wanted["where"]
        and _GEOGRAPHIC.search(noun)
        and (owned := _PART_OF.fullmatch(questions[-1].strip()))
    ):
        return f"what is the {wanted['rank']} {noun}{re.sub('^ of ', ' in ', owned['whole'])}?"
    if asked is None or wanted["where"] or (noun and not _GEOGRAPHIC.search(noun)):
        return alone
    where = asked["where"] or ""
    return f"{question[: asked.start('rank')]}{wanted['rank']} {noun or (asked['noun'] or '').strip()}{where}?"


def _numbered(rest: str, questions: Sequence[str]) -> str:
    """Return the last of ``questions`` with another number in its order; ``""`` where none has one.

    >>> _numbered("the second", ["who was the first king of france"]), _numbered("the second", ["what is osmosis"])
    ('who was the second king of france', '')
    """
    wanted = _NUMBER.fullmatch(rest)
    if wanted is None:
        return ""
    for question in reversed(questions):
        if asked := _NUMBERED.search(question):
            return f"{question[: asked.start()]}the {wanted['number']}{question[asked.end() :]}"
        if (best := _SUPERLATIVE.search(question)) and ranks(best["rank"]):
            return f"{question[: best.start()]}{wanted['number']} {question[best.start('rank') :]}"
    return ""


def _placed(rest: str, question: str) -> str:
    """Return ``question`` with another place at its end; ``""`` where it ends with none."""
    wanted = _PLACED.fullmatch(rest)
    by = wanted["by"].casefold() if wanted else ""
    same = "in|of" if by in ("in", "of") else by
    found = wanted and re.search(rf" (?:{same}) (?:the )?[\w'’.-]+(?: [\w'’.-]+){{0,2}}\W*$", question, re.IGNORECASE)
    return f"{question[: found.start()]} {rest}?" if found else ""
