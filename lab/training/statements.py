"""Statements for training the stance model: how a fact can be said, asked and falsified."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lab.training.relations import RELATIONS
from searchain.language import text
from searchain.types import Passage, Span


@dataclass(frozen=True, slots=True)
class Fact:
    """``answer`` answers ``question`` according to ``passage``; ``sentence`` says so in words."""

    question: str
    answer: str
    passage: Passage
    span: Span | None = None
    """Where the passage has the answer; ``None``: somewhere."""
    sentence: str | None = None


_SENTENCES: Mapping[str, tuple[str, ...]] = {
    "born": ("{t} was born on {x}.",), "born-year": ("{t} was born in {x}.",), "died": ("{t} died on {x}.",),
    "died-year": ("{t} died in {x}.",), "birthplace": ("{t} was born in {x}.", "{t} is from {x}."),
    "deathplace": ("{t} died in {x}.",), "nation": ("{t} is {x}.",), "country-work": ("{t} is {x}.",),
    "occupation": ("{t} works as {x}.", "{t} is a {x}.", "{t} was a {x}."),
    "director": ("{t} was directed by {x}.", "{x} directed {t}.", "{x} is the director of {t}."),
    "directed-year": ("{t} came out in {x}.", "{t} was released in {x}."), "released": ("{t} was released in {x}.",),
    "stars": ("{t} stars {x}.", "{x} was in {t}.", "{x} appears in {t}."),
    "writer": ("{t} was written by {x}.", "{x} wrote {t}."), "performer": ("{t} was performed by {x}.",),
    "producer": ("{t} was produced by {x}.", "{x} produced {t}."), "composer": ("{t} was composed by {x}.",),
    "from-album": ("{t} is on {x}.",), "label": ("{t} was released by {x}.",), "network": ("{t} aired on {x}.",),
    "developer": ("{t} was developed by {x}.",), "founder": ("{t} was founded by {x}.", "{x} founded {t}."),
    "founded": ("{t} was founded in {x}.", "{t} was established in {x}."), "headquarters": ("{t} is based in {x}.",),
    "located": ("{t} is located in {x}.", "{t} is in {x}."), "population": ("{t} has a population of {x}.",),
    "flows": ("{t} flows through {x}.",), "parent": ("{t} is a child of {x}.",),
    "mother": ("{x} is the mother of {t}.",),
    "spouse": ("{t} married {x}.", "{x} was married to {t}."), "sibling": ("{t} and {x} are siblings.",),
    "educated": ("{t} studied at {x}.",), "plays-for": ("{t} plays for {x}.",), "position": ("{t} plays as a {x}.",),
    "award": ("{t} won the {x}.", "{t} received the {x}."), "known-for": ("{t} is known for {x}.",),
    "named-after": ("{t} is named after {x}.",), "capital": ("{t} is the capital of {x}.",),
    "also-known": ("{t} is also known as {x}.",), "based-on": ("{t} is based on {x}.",),
    "member-of": ("{t} is a member of {x}.",), "part-of": ("{t} is part of {x}.",), "family": ("{t} is in the {x}.",),
}  # fmt: skip
"""Relation → its sentences ({t} is the title, {x} the answer)."""

_BE = r"(?:is|was|are|were|has been|had been)"
_PAST = dict(
    pair.split(":")
    for pair in (
        "wrote:write won:win sang:sing became:become made:make took:take began:begin came:come went:go "
        "left:leave led:lead held:hold gave:give built:build lost:lose fought:fight grew:grow taught:teach "
        "studied:study married:marry died:die had:have played:play starred:star directed:direct worked:work "
        "appeared:appear founded:found joined:join attended:attend received:receive served:serve moved:move "
        "released:release produced:produce created:create lived:live ran:run fell:fall opened:open ended:end "
        "started:start rose:rise sold:sell wore:wear spoke:speak invented:invent discovered:discover"
    ).split()
)
_PRESENT = dict(
    pair.split(":")
    for pair in (
        "has:have plays:play contains:contain lies:lie stars:star includes:include lives:live works:work "
        "belongs:belong means:mean consists:consist makes:make uses:use produces:produce borders:border "
        "flows:flow serves:serve needs:need takes:take begins:begin comes:come grows:grow causes:cause "
        "features:feature"
    ).split()
)
_LOWERED = frozenset("The A An All Some Most Many Both Every Each No There It In He She They People".split())
_AUXILIARY = re.compile(r"(?P<s>\S+(?: \S+){0,6}?) (?P<v>is|was|are|were|can|could|will) (?P<rest>\S.+)\.")
_VERB = re.compile(rf"(?P<s>\S+(?: \S+){{0,5}}?) (?P<v>{'|'.join([*_PAST, *_PRESENT])}) (?P<rest>\S.+)\.")


def as_question(claim: str) -> str | None:
    """The yes/no question that asks whether ``claim`` holds; ``None`` where that takes more than a change of order.

    >>> as_question("Kyoto is a city on Honshu."), as_question("The band won three prizes.")
    ('Is Kyoto a city on Honshu?', 'Did the band win three prizes?')
    """
    if text.has_negation(claim):
        return None
    asked, did = _AUXILIARY.fullmatch(claim), _VERB.fullmatch(claim)
    if asked and (not did or len(asked["s"]) < len(did["s"])):
        return f"{asked['v'].capitalize()} {_subject(asked['s'])} {asked['rest']}?"
    if did and not asked:
        opener, verb = ("Did", _PAST[did["v"]]) if did["v"] in _PAST else ("Does", _PRESENT[did["v"]])
        return f"{opener} {_subject(did['s'])} {verb} {did['rest']}?"
    return None


def _subject(subject: str) -> str:
    first = subject.split()[0]
    return first.lower() + subject[len(first) :] if first in _LOWERED else subject


def negated(sentence: str) -> str | None:
    """The contrary of ``sentence``; ``None`` where it has no form of "to be" to deny.

    >>> negated("Kyoto is a city."), negated("Sony won.")
    ('Kyoto is not a city.', None)
    """
    denied = re.sub(rf"\b({_BE})\b", r"\1 not", sentence, count=1)
    return None if denied == sentence or text.has_negation(sentence) else denied


def bare_title(passage: Passage) -> str:
    return re.sub(r"(?<!\s)\s*\([^()]*\)$", "", passage.title).strip()


def relation_of(fact: Fact) -> str:
    """The relation that the question asks for, else its first word."""
    title = bare_title(fact.passage)
    for relation in RELATIONS:
        if any(ask.format(t=title) == fact.question for ask in relation.asks):
            return relation.name
    return fact.question.split()[0].casefold()


def stated(fact: Fact, answer: str, relation: str, rng: random.Random) -> str:
    """The statement that ``answer`` answers the question: the fact's own sentence, one of the relation's, or question
    and answer side by side."""
    if fact.sentence and fact.answer in fact.sentence and rng.random() < 0.6:
        return fact.sentence.replace(fact.answer, answer)
    if relation in _SENTENCES and rng.random() < 0.6:
        said = rng.choice(_SENTENCES[relation]).format(t=bare_title(fact.passage), x=answer)
        said = re.sub(r"\bin (?=\d{1,2} [A-Z]|[A-Z]\w+ \d{1,2},)", "on ", said)
        said = re.sub(r"\ba (?=[aeiouAEIO])", "an ", said)
        asked = as_question(said) if rng.random() < 0.3 else None
        return asked or said
    return f"{fact.question} {answer}"


def wrong_answer(fact: Fact, pool: Sequence[str], rng: random.Random) -> str | None:
    """An answer of the same kind that the passage contradicts: a number or date changed, another one or another name
    out of the passage, or an answer to another such question. ``None`` when none is found."""
    options = [changed(fact.answer, rng)] if re.search(r"\d", fact.answer) else []
    if not options or rng.random() < 0.3:
        near = _of_kind(fact.answer, fact.passage.text)
        rng.shuffle(near)
        options = [*near[:3], *options] if rng.random() < 0.6 else options
        alike = [other for other in pool if _shape(other) == _shape(fact.answer)]
        options += rng.sample(alike, min(4, len(alike))) + near[3:4]
    title = fact.passage.title.casefold()
    for option in options:
        if (
            option
            and option.casefold() not in title
            and not text.contains(option, fact.answer)
            and not text.contains(fact.answer, option)
            and not text.contains(option, fact.question)
        ):
            return option
    return None


def changed(answer: str, rng: random.Random) -> str | None:
    """``answer`` with one of its numbers changed a little.

    >>> changed("in 1955", random.Random(3)) == "in 1955", changed("many", random.Random(1))
    (False, None)
    """
    found = list(re.finditer(r"\d+", answer))
    if not found:
        return None
    place = rng.choice(found)
    digits = place.group()
    value = int(digits)
    if len(digits) == 4 and 1000 <= value <= 2100:
        new = str(value + rng.choice((-1, 1)) * rng.choice((1, 2, 3, 5, 8, 10, 20, 40)))
    elif len(digits) <= 2:
        new = str(max(1, value + rng.choice((-3, -2, -1, 1, 2, 3, 5))))
        new = new if new != digits else str(value + 1)
    else:
        first = rng.choice([digit for digit in "123456789" if digit != digits[0]])
        new = first + digits[1:]
    return answer[: place.start()] + new + answer[place.end() :]


def _shape(answer: str) -> tuple[bool, bool]:
    return bool(re.search(r"\d", answer)), answer[:1].isupper()


_NAME = re.compile(r"(?<=[a-z0-9,(] )[A-Z][\w'’-]+(?: (?:(?:of|the|de|van|von|and) )?[A-Z][\w'’-]+)*")
_NUMBER = re.compile(r"\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{1,2}, \d{4}|\d[\d,.]*\d|\d")


def _of_kind(answer: str, passage: str) -> list[str]:
    """Numbers or dates, or names, of the passage: what ``answer`` is itself."""
    if re.search(r"\d", answer):
        return [found for found in _NUMBER.findall(passage) if (len(found) > 4) == (len(answer) > 4)]
    if not answer[:1].isupper():
        return []
    return [found for found in _NAME.findall(passage) if abs(found.count(" ") - answer.count(" ")) < 3]


_DEFINITION = re.compile(r"\A[^.]{0,120}?\b(?P<be>is|was|are|were) (?P<what>(?:an?|the|one of the) [^.;(]{4,140})")
_REST = re.compile(
    r"[,;]? (?:by|from|in|of|for|on|at|with|to|located|directed|released|written|based|known|and|who"
    r"|which|that|formed|published|born|created|whose|where)\b.*|, (?:an?|the|as) .*"
)


def definition(passage: Passage, rng: random.Random) -> tuple[str, str] | None:
    """The verb and the words by which the first sentence says what the title is, mostly cut short: ("is", "a city")."""
    found = _DEFINITION.match(passage.text)
    if not found:
        return None
    what = found["what"].strip(" ,")
    brief = _REST.sub("", what)
    if rng.random() < 0.6 and len(brief.split()) > 1 and not _VAGUE.search(brief):
        what = brief
    return found["be"], what


_VAGUE = re.compile(r"(?:est|ly|type|kind|form|part|name|genus|species|family|group|set|series|period|member|class)$")
