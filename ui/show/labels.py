"""The icon, the word and the help for every state a reader can meet: no state is shown by colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from searchain.events import Turn
from searchain.language.text import plural
from searchain.reply.template import NOTHING_FOUND
from searchain.types import Node, Sentence, Status, Support, TaskKind, Verdict


@dataclass(frozen=True, slots=True)
class Label:
    icon: str
    word: str
    name: str
    """For CSS classes."""
    help: str = ""


VERDICTS = {
    Verdict.AGREED: Label("✓", "agreed", "agreed", "the passage says the same as the model"),
    Verdict.CORRECTED: Label("↻", "corrected", "corrected", "the passage contradicts the model and was followed"),
    Verdict.COMPLETED: Label("+", "completed", "completed", "the model left it open and the passage answers it"),
    Verdict.UNCONFIRMED: Label("?", "unconfirmed", "unconfirmed", "no passage settles it"),
}

SUPPORTS = {
    Support.VERIFIED: Label("✓", "verified", "verified", "the cited passage agrees with the model"),
    Support.CORRECTED: Label("↻", "corrected", "corrected", "the model erred here; the sentence follows the passage"),
    Support.COMPLETED: Label("+", "completed", "completed", "the model did not know; the passage did"),
    Support.WEAK: Label("?", "weak evidence", "weak", "the cited passage does not settle it"),
    Support.NONE: Label("○", "model’s own knowledge", "none", "no passage was found for this sentence"),
}

_ABOUT_THE_SEARCH = Label("–", "about the search", "search", "it says how the search went, and claims nothing else")

STATUSES = {
    Status.ANSWERED: Label("✓", "Answer", "answered"),
    Status.PARTIAL: Label("?", "Partial answer", "partial"),
    Status.NOT_FOUND: Label("?", "No answer found", "not-found"),
    Status.STOPPED: Label("■", "Stopped", "stopped"),
    Status.FAILED: Label("!", "Could not go on", "failed"),
    Status.INTERRUPTED: Label("■", "Interrupted", "interrupted"),
}

_SEARCHING = Label("…", "searching", "busy")
_READING = Label("…", "reading", "busy")
_NOT_CHECKED = Label("–", "not checked", "unchecked")


_RULES = {
    "exact": "the same words",
    "alias": "another name of the same",
    "contained": "one is a part of the other",
    "token-f1": "nearly the same words",
    "date": "the dates were compared",
    "number": "the numbers were compared",
    "negation": "one denies what the other says",
    "different": "they name different things",
    "not-comparable": "the two cannot be compared",
    "low-confidence": "the Reader is too unsure to judge",
    "below-floor": "the Reader is too unsure to answer",
    "no-span": "the Reader found no answer in it",
    "nothing-found": "no passage was found",
    "read": "the Reader is sure of it",
    "read-below-threshold": "the Reader is not sure of it",
    "window": "the sentences nearest to the query",
    "rouge-l": "the overlap of words",
    "reading-in-answer": "the answer holds what was read",
    "reading-not-in-answer": "the answer does not hold what was read",
    "stance": "the passages, for and against",
    "statement-found": "the passage states it",
    "undecided": "the passages decide it neither way",
    "asked-before": "the same was asked before",
    "rounds-used-up": "no round was left to check it",
    "not-reached": "the run ended before it was checked",
    "verification-off": "answers are not checked",
    "completion-off": "open steps are not completed",
}


def rule(node: Node) -> str:
    """The rule that gave ``node`` its verdict, in words; ``""`` without one."""
    return _RULES.get(node.rule or "", node.rule or "")


def support(sentence: Sentence) -> Label:
    """What backs ``sentence``."""
    return _ABOUT_THE_SEARCH if sentence.text.strip() == NOTHING_FOUND else SUPPORTS[sentence.support]


def supports(sentences: Iterable[Sentence]) -> list[Label]:
    """What backs ``sentences``, each label once, the best first."""
    used = {support(sentence) for sentence in sentences}
    return [label for label in (*SUPPORTS.values(), _ABOUT_THE_SEARCH) if label in used]


def ending(turn: Turn) -> Label:
    """Return the word for how the run of a finished turn ended."""
    assert turn.status is not None
    return STATUSES[turn.status]


def outcome(turn: Turn) -> str:
    """How the run ended, with the short answer: ``Answer: Honshu``. An explanation is not told again.

    The turn is over.
    """
    answer = "" if turn.task is TaskKind.LONGFORM else _LABELS.get(turn.final_answer, turn.final_answer)
    word = ending(turn).word
    if answer:
        return f"{word}: {answer}"
    return "Answered" if turn.status is Status.ANSWERED else word


_LABELS = {"SUPPORTS": "supported", "REFUTES": "refuted"}


def state(turn: Turn, node: Node) -> Label:
    """What is happening to ``node``, or what became of it."""
    if node.verdict is not None:
        return VERDICTS[node.verdict]
    if turn.status is not None or turn.writer is not None or any(other.round > node.round for other in turn.nodes):
        return _NOT_CHECKED
    return _READING if node.id in turn.hits else _SEARCHING


def old_answer(turn: Turn, node: Node) -> str | None:
    """The model's answer that evidence replaced at ``node`` (or at the node that it mends), or ``None``."""
    if node.verdict is not Verdict.CORRECTED:
        return None
    wrote = turn.node(node.mends).model_answer if node.mends is not None else node.model_answer
    return wrote if wrote != node.answer else None


def summary(turn: Turn) -> str:
    """The run in one line: ``2 rounds · 5 queries · 3.2 s``."""
    return " · ".join(
        (
            plural(turn.round, "round"),
            plural(len(turn.hits), "query", "queries"),
            f"{turn.usage.seconds:.1f} s",
        )
    )


def provenance(turn: Turn, asked: str) -> Iterator[str]:
    """Yield when the turn was asked, and its model, index and profile as far as they are known."""
    index = turn.index and f"index {turn.index}"
    yield from filter(None, (f"{asked[:16].replace('T', ' ')} UTC", turn.model, index, turn.profile))
