"""The icon, the word and the help for every state a reader can meet: no state is shown by colour alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from searchain.events import ReplyReviewed, Turn, sentence_is_supported
from searchain.language.text import plural
from searchain.reply.about_documents import RULE as ABOUT_DOCUMENTS
from searchain.reply.template import NOTHING_FOUND, SILENT
from searchain.types import JOINT, WEB, Node, Outcome, Sentence, Status, Support, TaskKind, Verdict, is_own


@dataclass(frozen=True, slots=True)
class Label:
    icon: str
    word: str
    name: str
    """For CSS classes."""
    help: str = ""


VERDICTS = {
    Verdict.AGREED: Label("=", "agreed", "agreed", "the passage says the same as the model"),
    Verdict.CORRECTED: Label("↻", "corrected", "corrected", "the passage contradicts the model and was followed"),
    Verdict.COMPLETED: Label("+", "completed", "completed", "the model left it open and the passage answers it"),
    Verdict.DISPUTED: Label(
        "≠", "disputed", "disputed", "the passage contradicts the model, which keeps to its answer"
    ),
    Verdict.UNCONFIRMED: Label("?", "unconfirmed", "unconfirmed", "no passage settles it"),
}

BACKINGS = {
    Support.VERIFIED: "the cited passage agrees with the model",
    Support.CORRECTED: "the model erred here; the sentence follows the passage",
    Support.COMPLETED: "the model did not know; the passage did",
    Support.WEAK: "the cited passage does not settle it",
    Support.NONE: "the model’s own knowledge; no passage was found for it",
}
"""What a sentence rests on: a detail."""

_SUPPORTED = Label("✓", "supported", "supported", "its sources carry it, and it is very likely right")
_UNSURE = Label("?", "not sure", "unsure", "it may be wrong: read what it cites")
_UNRATED = Label("–", "not rated", "unrated", "how likely it is right was never measured")
_ABOUT_THE_SEARCH = Label("–", "about the search", "search", "it says how the search went, and claims nothing else")

_OUTCOMES = {
    Outcome.SUPPORTED: Label("✓", "Supported", "supported"),
    Outcome.UNSURE: Label("?", "Not sure", "unsure"),
    Outcome.NOT_FOUND: Label("–", "Not found", "not-found"),
    Outcome.NO_SEARCH: None,
}
_UNFINISHED = {
    Status.STOPPED: Label("■", "Stopped", "stopped"),
    Status.FAILED: Label("!", "Could not go on", "failed"),
    Status.INTERRUPTED: Label("■", "Interrupted", "interrupted"),
}
_NOT_RATED = Label("–", "Not rated", "unrated")

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
    "second-reading": "the careful model read it",
    "statement-found": "the passage states it",
    "undecided": "the passages decide it neither way",
    "in-passage": "the model’s answer stands in the passage",
    "asked-before": "the same was asked before",
    "documents": "looked through and counted, passage by passage",
    "rounds-used-up": "no round was left to check it",
    "not-reached": "the run ended before it was checked",
    "verification-off": "answers are not checked",
    "completion-off": "open steps are not completed",
}


def rule(node: Node) -> str:
    """The rule that gave ``node`` its verdict, in words; ``""`` without one."""
    return _RULES.get(node.rule or "", node.rule or "")


def rated(turn: Turn, sentence: Sentence) -> Label | None:
    """How far ``sentence`` can be believed; ``None`` until the run is over, and where nothing was searched."""
    if turn.status is None or turn.outcome is Outcome.NO_SEARCH:
        return None
    is_count = not sentence.marks and any(node.rule == ABOUT_DOCUMENTS for node in turn.nodes)
    if is_count or sentence.text.strip() in (NOTHING_FOUND, SILENT):
        return _ABOUT_THE_SEARCH
    if sentence_is_supported(turn, sentence):
        return _SUPPORTED
    return _UNRATED if turn.outcome is None else _UNSURE


def ratings(turn: Turn) -> list[Label]:
    """How far the sentences of ``turn`` can be believed, each label once, the best first."""
    used = {rated(turn, sentence) for sentence in turn.sentences}
    return [label for label in (_SUPPORTED, _UNSURE, _UNRATED, _ABOUT_THE_SEARCH) if label in used]


def backing(sentence: Sentence, label: Label) -> str:
    """What ``sentence`` rests on, after the word of its ``label``: for those who ask."""
    return f"{label.word}: {label.help if label is _ABOUT_THE_SEARCH else BACKINGS[sentence.support]}"


def ending(status: Status | None, outcome: Outcome | None) -> Label | None:
    """Return what people see of how a turn ended; ``None`` while it goes on, and where nothing was searched.

    This is the one place that decides it. The tick stands for ``supported`` and for nothing else.
    """
    if outcome is not None:
        return _OUTCOMES[outcome]
    return _UNFINISHED.get(status, _NOT_RATED) if status is not None else None


def outcome(turn: Turn) -> str:
    """How the run ended, with the short answer: ``Supported: Honshu``; ``""`` where there is nothing to say.

    An explanation is not told again.
    """
    label = ending(turn.status, turn.outcome)
    answer = "" if turn.task is TaskKind.LONGFORM else _CLAIMS.get(turn.final_answer, turn.final_answer)
    return "" if label is None else f"{label.word}: {answer}" if answer else label.word


_CLAIMS = {"SUPPORTS": "the claim is supported", "REFUTES": "the claim is refuted"}


def searched(turn: Turn) -> str:
    """What was searched, by the names that people gave."""
    others = (name_of(name) for name in turn.index.split(JOINT) if not is_own(name))
    return ", ".join((*turn.collections, *others))


def is_of_the_web(turn: Turn) -> bool:
    """Whether what is searched is the web."""
    return turn.index.startswith(WEB)


def name_of(index: str) -> str:
    """What an index is called before people: ``the web (SearXNG at HOST)`` where it is the web."""
    return f"the web (SearXNG at {urlsplit(index.removeprefix(WEB)).netloc})" if index.startswith(WEB) else index


def likely(probability: float | None) -> str:
    """``87 % likely right``; ``""`` where that was never measured. Nothing is said to be certain."""
    return "" if probability is None else f"{_percent(probability)} likely right"


def weighed(turn: Turn) -> str:
    """The answers that were weighed, in one line, the chosen one first; ``""`` where none were."""
    told = ", ".join(
        f"{one.answer} {'' if one.probability is None else f'({_percent(one.probability)}) '}{_ORIGINS[one.origin]}"
        for one in turn.candidates
    )
    count = len(turn.candidates)
    what = "one answer was" if count == 1 else f"{_NUMBERS.get(count, count)} answers were"
    return told and f"{what} weighed: {told}"


def reviewed(review: ReplyReviewed) -> str:
    """What the second reading made of the reply, in one line: ``withdrawn by …: it reads “Kyushu”, not “Honshu”``."""
    if review.outcome == "confirmed":
        found = f"it reads “{review.second}”" if review.second else "it finds no answer either"
    else:
        read = f"it reads “{review.second}”" if review.second else "it finds no answer in the passages"
        found = f"{read}, not “{review.first}”" if review.first and review.second else read
    return f"{review.outcome} by {review.model}: {found} ({review.seconds:.1f} s)"


_ORIGINS = {"question": "from the question itself", "chain": "from the chain"}
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


def _percent(probability: float) -> str:
    percent = round(100 * probability)
    return "over 99 %" if percent > 99 else "under 1 %" if percent < 1 else f"{percent} %"


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


def waiting(ahead: int) -> str:
    """How long the queue before a run is: ``waiting, 12 before you``."""
    return f"waiting, {ahead} before you" if ahead else "waiting, you are next"


def summary(turn: Turn) -> str:
    """The run in one line: ``2 rounds · 5 queries · 3.2 s``, after a word where the web was searched."""
    return " · ".join(
        (
            *(["the web was searched"] if is_of_the_web(turn) and turn.hits else []),
            plural(turn.round, "round"),
            plural(len(turn.hits), "query", "queries"),
            f"{turn.usage.seconds:.1f} s",
        )
    )


def other_system(name: str, model: str) -> str:
    """The method's name where it is another than SearChain, whose profile says the rest, and no other program's."""
    return "" if name == model or (name.startswith("searchain") and name != "searchain-few-shot") else name


def provenance(turn: Turn, asked: str) -> Iterator[str]:
    """Yield when the turn was asked, and its model, index and profile as far as they are known."""
    index = turn.index and f"index {searched(turn)}"
    system = other_system(turn.system, turn.model)
    yield from filter(None, (f"{asked[:16].replace('T', ' ')} UTC", turn.model, index, turn.profile, system))
