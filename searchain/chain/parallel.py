"""Draw a conclusion from two steps that ask the same of two things.

The model's steps give the two things. An answer that both steps share answers an open question about both, and means
*yes* to a question whether they have the same. Any other yes/no question about both is looked up once for each thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from searchain.language import text
from searchain.language.comparing import Decision
from searchain.language.same_answer import agreement
from searchain.settings import LIKELY
from searchain.types import Node, Passage

RULE = "parallel"
_JOINTS = frozenset(("and", "and the", ", and", ", and the", "&"))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two steps that ask the same of two things, and the question rewritten for each of the two alone."""

    nodes: tuple[Node, Node]
    each: tuple[str, str]

    @property
    def shared(self) -> str | None:
        """The answer that both steps share; ``""`` if they likely differ, ``None`` if that is not clear."""
        one, other = (node.answer or "" for node in self.nodes)
        is_likely = all((node.probability or 0.0) >= LIKELY for node in self.nodes)
        match agreement(one, other, Passage("", "", ""))[0]:
            case "agree":
                return min(one, other, key=len)
            case "disagree" if is_likely:
                return ""
        return None


def conclusion(question: str, path: Sequence[Node]) -> Decision | None:
    """Return the answer that two steps share, or yes/no if the question asks whether it is the same; else ``None``."""
    pair = pair_of(question, path)
    if pair is None or pair.shared is None:
        return None
    if not text.is_yes_no_question_form(question):
        return Decision(pair.shared, pair.nodes, RULE) if pair.shared else None
    return Decision("yes" if pair.shared else "no", pair.nodes, RULE) if _asks_same(question) else None


def is_open(question: str, path: Sequence[Node]) -> bool:
    """Return whether an open question about both things stays open because the two steps share no answer."""
    pair = pair_of(question, path)
    return pair is not None and not pair.shared and not text.is_yes_no_question_form(question)


def for_each(question: str, path: Sequence[Node]) -> tuple[str, ...]:
    """Split a yes/no question about both things into two questions; empty for any other question."""
    pair = pair_of(question, path)
    is_asked = pair is not None and text.is_yes_no_question_form(question) and not _asks_same(question)
    return pair.each if pair and is_asked else ()


def _asks_same(question: str) -> bool:
    return "same" in text.tokens(question)


def pair_of(question: str, path: Sequence[Node]) -> Pair | None:
    """Return the first two steps that ask the same of two things, which the question joins by "and".

    >>> path = [Node("a", None, 1, "What family is Catasetum in?"), Node("b", "a", 1, "What family is Origanum in?")]
    >>> pair_of("Are both Catasetum and Origanum in one family?", path).each
    ('Are Catasetum in one family?', 'Are Origanum in one family?')
    """
    for nodes in pairwise(path):
        things = _apart(*(node.query.rstrip(" ?").split() for node in nodes))
        if things and (each := _for_each(question, things)):
            return Pair(nodes, each)
    return None


def _apart(one: Sequence[str], other: Sequence[str]) -> tuple[str, str] | None:
    """Return the differing middle parts of two queries that begin or end alike; ``None`` if they do not."""
    shortest = min(len(one), len(other))
    head = next((at for at in range(shortest) if one[at] != other[at]), shortest)
    tail = next((at for at in range(shortest - head) if one[-1 - at] != other[-1 - at]), shortest - head)
    while head > 1 and one[head - 1][:1].isupper():  # a shared word of both names
        head -= 1
    while tail and one[-tail][:1].isupper():
        tail -= 1
    things = " ".join(one[head : len(one) - tail]), " ".join(other[head : len(other) - tail])
    return things if head + tail and all(map(text.content_words, things)) else None


def _for_each(question: str, things: tuple[str, str]) -> tuple[str, str] | None:
    places = sorted((question.casefold().find(thing.casefold()), thing) for thing in things)
    (start, first), (then, last) = places
    if start < 0 or question[start + len(first) : then].strip() not in _JOINTS:
        return None
    head, tail = question[:start], question[then + len(last) :]
    head, tail = (part.replace("both ", "") for part in (head, tail))
    return f"{head}{first}{tail}", f"{head}{last}{tail}"
