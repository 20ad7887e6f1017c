"""Tell by its wording what a question asks for: its task, nested parts, a definition, or a comparison of two things.

The wording only shows what may be asked; ``reading.articles`` finds out whether an article has the name. A question
that compares values ("which is higher, X or Y") asks for neither a definition nor such a comparison. Claims become
questions.
"""

import re
from dataclasses import dataclass

from searchain.language import text
from searchain.language.answer_kinds import AnswerKind, kind_asked
from searchain.language.same_answer import label_of
from searchain.types import Step, TaskKind

_LONG = re.compile(
    r"^(?:why|how (?:do|does|did|is|are|was|were|can|could|come|should|would|has|have)|explain|describe|discuss|"
    r"summari[sz]e|tell me (?:about|how|why)|what (?:is|are) the (?:difference|reasons?|causes?|advantages?|"
    r"effects?)|"
    r"what (?:causes|happens|would happen)|eli5)\b|, (?:why|how do)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"^(?:name|give|list|find|identify|tell|state the)\b", re.IGNORECASE)
_CLAIM_LEAD = re.compile(
    r"^(?:(?:is it true that|true or false|fact[- ]?check|verify|claim)\s*[:,]?\s*)", re.IGNORECASE
)
_CLAUSE = frozenset("who whom whose which that where when".split())
_JOINING = frozenset("and or of the a an in on at for to with".split())


def choose_task(question: str) -> TaskKind:
    """Choose the task kind by the form of the question.

    >>> choose_task("Who wrote Hamlet?").value, choose_task("Is Kyoto on Honshu?").value
    ('multihop', 'yesno')
    >>> choose_task("Hamlet was written in 1700.").value, choose_task("Why is the sky blue?").value
    ('factcheck', 'longform')
    """
    question = question.strip('"“” ')
    if lead := _CLAIM_LEAD.match(question):
        return (
            TaskKind.YESNO
            if lead[0].lower().startswith("is it true") and question.endswith("?")
            else TaskKind.FACTCHECK
        )
    if _LONG.search(question):
        return TaskKind.LONGFORM
    first = re.split(r"[\s']", question.casefold(), maxsplit=1)[0]
    if first in text.YES_NO_OPENERS and "or" not in question.split():
        return TaskKind.YESNO
    asks = first in text.QUESTION_WORDS or _ORDER.match(question)
    return TaskKind.FACTCHECK if not asks and _claims(question) else TaskKind.MULTIHOP


def _claims(statement: str) -> bool:
    """Tell whether a text is a sentence with its full stop, not a question or a search phrase."""
    words = statement.split()
    has_small_words = any(word.islower() and word.strip(",.") not in _JOINING for word in words)
    return statement.endswith(".") and len(words) >= 3 and has_small_words


def wants_label(step: Step, task: TaskKind, question: str = "") -> bool:
    """Tell whether a step is answered with a label (yes, no, SUPPORTS, REFUTES), not a span.

    Such a step is a yes/no question, a claim or a comparison, or the model answered it with a label. So is the
    ``question`` of the run itself where ``task`` is ``YESNO``, whatever its form.
    """
    is_label = step.answer is not None and label_of(step.answer) is not None
    is_sentence = text.is_statement(step.query) or step.query.rstrip().endswith(".")  # "In 1994, X won."
    is_claim = task is TaskKind.FACTCHECK and is_sentence
    is_asked = task is TaskKind.YESNO and text.tokens(step.query) == text.tokens(question)
    return is_label or is_claim or is_asked or text.is_yes_no_question(step.query) or text.is_comparison(step.query)


def as_question(claim: str) -> str | None:
    """Rewrite a claim with "is", "are", "was" or "were" as a yes/no question; ``None`` for other claims.

    >>> as_question("Bats are birds."), as_question("Bats can fly.")
    ('Are Bats birds?', None)
    """
    found = re.fullmatch(r"(.+?) (is|was|are|were) (.+)", claim.strip().rstrip("."))
    return f"{found[2].capitalize()} {found[1]} {found[3]}?" if found else None


def nesting(question: str) -> tuple[int, int]:
    """Return the number of nested clauses in a question, and the number of "of" and possessives.

    >>> nesting("On which island is the city where the maker of Mario has its headquarters?")
    (1, 1)
    """
    words = [word.casefold() for word in re.findall(r"[\w'’]+", question)]
    return sum(word in _CLAUSE for word in words[2:]), sum(
        word == "of" or word.endswith(("'s", "’s")) for word in words[1:]
    )


LONGEST_NAME = 7
"""Most words of a thing that can be the name of an article."""
MOST_NAMED = 4
"""Most words of a question that may be only a name."""
FEW, MORE = 2, 5
"""How many sentences of an article a definition and a summary quote."""


@dataclass(frozen=True, slots=True)
class DefinitionAsked:
    """A question what one thing is."""

    thing: str
    """The name as it was typed, without an article before it."""
    sentences: int = FEW
    is_open: bool = False
    """Whether only the article can answer it ("tell me about X"), so that the reply says if there is none."""
    asks_who: bool = False
    """Whether it is asked with "who"."""


@dataclass(frozen=True, slots=True)
class ComparisonAsked:
    """A question that compares two things. ``ways`` are all ways to split its words into two names, the likeliest
    first, because a name may hold "and" too."""

    ways: tuple[tuple[str, str], ...]


Asked = DefinitionAsked | ComparisonAsked

_WHO = re.compile(r"(?P<wh>who|what)(?:['’]?s| is| was| are| were) (?:an? |the )?(?P<thing>.{1,120})", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:tell me (?:something )?about|what (?:do|can) you (?:know|tell me) about|describe|define|definition of"
    r"|(?:what is )?the (?:definition|meaning) of"
    r"|(?P<more>(?:tell me )?(?:something )?more about|summari[sz]e|(?:give me )?an? (?:summary|overview) of)) "
    r"(?P<thing>.{1,120})",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?P<lead>(?:compare|(?:what (?:is|are) )?(?:the )?(?:main )?(?:differences?|similarit(?:y|ies)) between) )?"
    r"(?P<one>.{1,100}?)(?P<joint> (?(lead)(?:and|with|to|vs\.?|versus)|(?:vs\.?|versus)) )(?P<other>.{1,100})",
    re.IGNORECASE,
)
_DESCRIBING = frozenset("who which that whose where when did does do used made called named known located name".split())
"""Words of a description; a phrase with one of them is not a name."""
_BARE = re.compile(r"^(?:an?|the|some|any|both) ", re.IGNORECASE)
_POINTING = frozenset("it its he she him her they them this that these those you your my me i we us there here".split())


def asked_kind(question: str) -> Asked | None:
    """Return what the wording of ``question`` asks to define or compare; ``None`` for other questions.

    >>> asked_kind("who was Ada Lovelace?").thing, asked_kind("Compare cats and dogs").ways
    ('Ada Lovelace', (('cats', 'dogs'),))
    >>> asked_kind("which is higher, Mount Everest or K2?")
    """
    question = _plain(question)
    if compared := _COMPARED.fullmatch(question):
        return _parted(compared)
    if about := _ABOUT.fullmatch(question):
        thing = _bare(about["thing"])
        return DefinitionAsked(thing, MORE if about["more"] else FEW, is_open=True) if _is_thing(thing) else None
    who = _WHO.fullmatch(question)
    if who is None or not _is_thing(who["thing"]) or not _DESCRIBING.isdisjoint(text.tokens(who["thing"])):
        return None
    if kind_asked(question) is AnswerKind.NUMBER:
        return None
    return DefinitionAsked(_bare(who["thing"]), asks_who=who["wh"].casefold() == "who")


def as_definition(question: str) -> DefinitionAsked:
    """Read any question as one for a definition; its words without those that ask name the thing."""
    asked = asked_kind(question)
    return asked if isinstance(asked, DefinitionAsked) else DefinitionAsked(_bare(_plain(question)), is_open=True)


def as_name(question: str) -> DefinitionAsked | None:
    """Read a few words without a question word as the name of a thing to define; ``None`` for other texts.

    >>> as_name("black holes").thing, as_name("how old"), as_name("what is a cell")
    ('black holes', None, None)
    """
    thing = _bare(_plain(question))
    words = text.tokens(thing)
    asks = not words or words[0] in text.QUESTION_WORDS
    return None if asks or len(words) > MOST_NAMED or not _is_thing(thing) else DefinitionAsked(thing, is_open=True)


def as_comparison(question: str) -> ComparisonAsked | None:
    """Read any question as one that compares two things; ``None`` if it does not name two."""
    asked = asked_kind(question)
    if isinstance(asked, ComparisonAsked):
        return asked
    for joint in (" or ", " and ", ", "):
        before, found, other = _plain(question).rpartition(joint)
        one = before.rpartition(", ")[2].rpartition(": ")[2]
        if found and _is_thing(_bare(one)) and _is_thing(_bare(other)):
            return ComparisonAsked(((_bare(one), _bare(other)),))
    return None


def _parted(match: re.Match[str]) -> ComparisonAsked | None:
    """Return all ways to split the words of ``match`` at its joint so that both parts can be names."""
    joint = match["joint"].strip().casefold()
    words = f"{match['one']} {joint} {match['other']}".split()
    places = [place for place, word in enumerate(words) if word.casefold() == joint]
    ways = [(_bare(" ".join(words[:place])), _bare(" ".join(words[place + 1 :]))) for place in places]
    named = [way for way in ways if all(map(_is_thing, way))]
    return ComparisonAsked(tuple(named)) if named else None


def _plain(question: str) -> str:
    """Return the question on one line, without quotes and punctuation around it."""
    return " ".join(question.split()).strip(" \"“”'").rstrip(" ?!.,;:\"“”'")


def _bare(thing: str) -> str:
    return _BARE.sub("", thing.strip(" ,.;:?!\"“”'")).strip()


def _is_thing(thing: str) -> bool:
    words = text.tokens(thing)
    return 0 < len(words) <= LONGEST_NAME and not _POINTING.issuperset(words)
