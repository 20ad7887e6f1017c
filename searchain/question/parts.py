"""Split a question that asks for several things into questions that stand alone.

Each part opens with a question word of its own: "How much is the rent, and when is it due?". Later parts are completed
from the first as follow-ups are. A question whose parts depend on one another is left whole.
"""

from collections.abc import Sequence
from itertools import pairwise

from searchain.language import text
from searchain.question.follow_ups import names_one, refers, standalone
from searchain.types import Exchange

_ASKING = frozenset("who which what when where why how".split())
_RELATIVE = frozenset("who whom whose which".split())
_NESTING = _ASKING | _RELATIVE | {"that"}
"""Words that nest a clause in a part, to whose names a pronoun may refer."""
_ADVERBS = frozenset("when where why".split())
_LEAST_BEFORE_VERB = {"which": 1, "what": 0, "how": 0}
"""Fewest words between a question word and its verb: "which is" begins a clause about the name before it."""
_ANSWERS = frozenset("they them their theirs there each".split())
"""Words that may mean the answers of the first part: "what are the largest states, and what are their capitals"."""
_PERSONS = frozenset("he him his she her hers".split())
_BEING = frozenset("is are was were".split())
_NEAR = 4
"""Fewer words stand between a question word and its verb: "how many people does"."""
_FEWEST = 3
"""Fewest words of a part."""


def parts_of(question: str) -> tuple[str, ...]:
    """Return the questions that ``question`` joins, each complete; empty for a single question.

    >>> parts_of("When was Mozart born and where did he die?")
    ('When was Mozart born?', 'Where did Mozart die?')
    >>> parts_of("Who ruled when Rome fell and where did he die?"), parts_of("Who wrote War and Peace?")
    ((), ())
    """
    words = question.split()
    ends = [at for at in range(1, len(words)) if _begins(words, at)]
    cut = [words[start:end] for start, end in pairwise([0, *ends, len(words)])]
    if len(cut) < 2 or not all(_asks(part) and _NESTING.isdisjoint(map(str.casefold, _bare(part)[1:])) for part in cut):
        return ()
    first, *others = (_sentence(_bare(part)) for part in cut)
    said = (Exchange(first, ""),)
    parts = first, *(standalone(other, said) for other in others)
    are_whole = all(part == other or _may_mean(first, other) for part, other in zip(parts[1:], others, strict=True))
    leans = any(map(refers, parts)) or any(not _ANSWERS.isdisjoint(text.tokens(other)) for other in others)
    return parts if are_whole and not leans else ()


def _may_mean(first: str, other: str) -> bool:
    """Tell whether the pronoun of a later part means what ``first`` names, and not the answer to it.

    >>> _may_mean("Who wrote Hamlet?", "When was it written?"), _may_mean("Who wrote Hamlet?", "When was he born?")
    (True, False)
    """
    asked, later = text.tokens(first), set(text.tokens(other))
    is_person = asked[0] == "who" and not _PERSONS.isdisjoint(later)
    is_product = asked[0] in ("what", "which") and _BEING.isdisjoint(asked[1:_NEAR])  # "what did he write"
    is_one = names_one(first) and "or" not in asked
    return is_one and not (is_person or is_product)


def _begins(words: Sequence[str], at: int) -> bool:
    """Tell whether a part begins at a word: at "and", or behind a question mark or a comma, with a question word.

    Behind a comma "who" and "which" begin a clause about the name before it.
    """
    is_joint = words[at].casefold() == "and" or words[at - 1].endswith("?")
    is_listed = words[at - 1].endswith(",") and words[at].casefold().strip(",") not in _RELATIVE
    return (is_joint or is_listed) and _asks(words[at:])


def _bare(part: Sequence[str]) -> Sequence[str]:
    return part[1:] if part[0].casefold() == "and" else part


def _sentence(part: Sequence[str]) -> str:
    said = " ".join(part).rstrip(" ?,;.")
    return f"{said[0].upper()}{said[1:]}?"


def _asks(part: Sequence[str]) -> bool:
    """Tell whether a part opens with a question word and its verb, as only a main clause does."""
    first, *rest = (word.casefold().strip(",?;") for word in _bare(part))
    if len(rest) < _FEWEST - 1 or first not in _ASKING:
        return False
    if first == "who":
        return True
    verb = next((at for at, word in enumerate(rest[:_NEAR]) if word in text.YES_NO_OPENERS), _NEAR)
    return verb == 0 if first in _ADVERBS else _LEAST_BEFORE_VERB[first] <= verb < _NEAR
