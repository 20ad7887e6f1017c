"""Look up the same of two things, and draw a conclusion from two such steps.

Where two values decide, the program plans both steps itself. Of the steps that a model plans, an answer that both share
answers an open question about both, and means *yes* to a question whether they have the same. Any other yes/no question
about both is looked up once for each thing. A value that only one step found does not answer "Which of them, X or Y?".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from searchain.chain.context import RunContext
from searchain.language import text
from searchain.language.comparing import Decision, compared, decide
from searchain.language.same_answer import agreement, is_about, label_of
from searchain.settings import LIKELY
from searchain.types import Evidence, Node, Passage, Step, TaskKind
from searchain.verification.judge import judge

RULE = "parallel"
_JOINTS = dict.fromkeys(("and", "and the", ", and", ", and the", "&"), False)
_JOINTS |= dict.fromkeys(("or", "or the", ", or", ", or the"), True)
"""What may stand between the two things → whether it asks for one of them."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two steps that ask the same of two things, and the question rewritten for each of the two alone."""

    nodes: tuple[Node, Node]
    things: tuple[str, str]
    each: tuple[str, str]
    is_choice: bool
    """Whether the question asks for one of the two things."""

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

    def is_value(self, answer: str) -> bool:
        """Return whether ``answer`` is what a step found of one of the things, and names neither."""
        words, none = text.content_words(answer), Passage("", "", "")
        is_found = any(agreement(answer, node.answer or "", none)[0] == "agree" for node in self.nodes)
        names_none = all(words.isdisjoint(text.content_words(thing)) for thing in self.things)
        return is_found and names_none and label_of(answer) is None


def conclusion(question: str, path: Sequence[Node]) -> Decision | None:
    """Return the answer that two steps share, or yes/no if the question asks whether it is the same; else ``None``."""
    pair = pair_of(question, path)
    if pair is None or pair.is_choice or pair.shared is None:
        return None
    if not text.is_yes_no_question_form(question):
        return Decision(pair.shared, pair.nodes, RULE) if pair.shared else None
    return Decision("yes" if pair.shared else "no", pair.nodes, RULE) if _asks_same(question) else None


def is_open(question: str, path: Sequence[Node], answer: str) -> bool:
    """Return whether the two steps leave an open question unanswered, because they share no answer.

    Where the question asks for one of the two things, ``answer`` may be its name, but not a value that a step found.
    """
    pair = pair_of(question, path)
    if pair is None or pair.shared or text.is_yes_no_question_form(question):
        return False
    return not pair.is_choice or pair.is_value(answer)


def for_each(question: str, path: Sequence[Node]) -> tuple[str, ...]:
    """Split a yes/no question about both things into two questions; empty for any other question."""
    pair = pair_of(question, path)
    is_asked = text.is_yes_no_question_form(question) and not _asks_same(question)
    return pair.each if pair and not pair.is_choice and is_asked else ()


def _asks_same(question: str) -> bool:
    return "same" in text.tokens(question)


def pair_of(question: str, path: Sequence[Node]) -> Pair | None:
    """Return the first two steps that ask the same of two things, which the question joins by "and" or "or".

    >>> path = [Node("a", None, 1, "What family is Catasetum in?"), Node("b", "a", 1, "What family is Origanum in?")]
    >>> pair_of("Are both Catasetum and Origanum in one family?", path).each
    ('Are Catasetum in one family?', 'Are Origanum in one family?')
    """
    for nodes in pairwise(path):
        things = _apart(*(node.query.rstrip(" ?").split() for node in nodes))
        if things and (pair := _joined(question, things, nodes)):
            return pair
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


def _joined(question: str, things: tuple[str, str], nodes: tuple[Node, Node]) -> Pair | None:
    places = sorted((question.casefold().find(thing.casefold()), thing) for thing in things)
    (start, first), (then, last) = places
    is_choice = _JOINTS.get(question[start + len(first) : then].strip()) if start >= 0 else None
    if is_choice is None:
        return None
    head, tail = question[:start], question[then + len(last) :]
    head, tail = (part.replace("both ", "") for part in (head, tail))
    return Pair(nodes, things, (f"{head}{first}{tail}", f"{head}{last}{tail}"), is_choice)


def comparing_steps(run: RunContext) -> tuple[Step, ...]:
    """Return the first two steps that decide the question; empty if no two steps do, so that the model plans.

    Each must have a likely answer in the article about its thing. Raises ``RetrievalError``, ``ReaderError``,
    ``Cancelled`` or ``BudgetSpent``.
    """
    asked = compared(run.question)
    if not run.strategy.helps or run.lookups is None or run.task is TaskKind.LONGFORM or asked is None or asked.others:
        return ()
    for measure in asked.measures:
        steps = [Step(measure.asks.format(thing), None) for thing in asked.things]
        futures = [run.lookups.start(step.query) for step in steps]
        found = (_answered(run, *one) for one in zip(steps, asked.things, map(run.wait, futures), strict=True))
        if decide(run.question, [node for node in found if node is not None]):
            return tuple(steps)
    return ()


def _answered(run: RunContext, step: Step, thing: str, evidence: Evidence) -> Node | None:
    """Return a step with its answer; ``None`` if it has no likely answer in the article about ``thing``."""
    judgement = judge(step, evidence, TaskKind.MULTIHOP, run.settings)
    if not judgement.answer or evidence.chosen is None or not is_about(thing, evidence.chosen.passage):
        return None
    likely = run.probability.of_step(step, evidence, judgement) if run.probability is not None else LIKELY
    if likely is None or likely < LIKELY:
        return None
    return Node("", None, 1, step.query, answer=judgement.answer, passage=evidence.chosen.passage)
