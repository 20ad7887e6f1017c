"""Determine the end of a run (section 3.3): the short answer of the path, and whether it is supported."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from searchain.events import RunFinished
from searchain.language import text
from searchain.language.comparing import Decision
from searchain.language.same_answer import label_in
from searchain.reply.notes import is_note
from searchain.types import SETTLED, Node, Outcome, RivalAnswer, Sentence, Status, TaskKind, Verdict
from searchain.verification.judge import STANCE_RULE, label_for, truth_of

CLAIMS = {"SUPPORTS": "The claim is supported", "REFUTES": "The claim is refuted"}
"""A claim's label → the words that report it."""
LEANS = {"SUPPORTS": "The passages lean towards the claim", "REFUTES": "The passages lean against the claim"}
"""A claim's label → the words that report it if the passages do not decide it."""
SAYS = {said: label for told in (CLAIMS, LEANS) for label, said in told.items()}
"""A sentence that reports a label, without its full stop → that label."""
LABELLED = (TaskKind.YESNO, TaskKind.FACTCHECK)
"""Kinds of question that a label answers."""
NOT_SURE = "the evidence is not sure enough"
NOT_CARRIED = "no sentence of the passage says it in full"
OTHER_TIME = "the question asks for what holds now, and the cited sentence speaks of another time"


def final_answer_of(path: Sequence[Node], task: TaskKind, written: str) -> str:
    """Return the short answer: the model's if the path supports it, else the last answer of the path.

    ``written`` is the model's ``[Answer]``; ``""`` if it wrote none.
    """
    written = re.sub(r"(?<!\s)\s*[\[［【(]\s*(?:k\d+|\d+)[^\]］】)]{0,60}[\]］】)]", "", written).strip().rstrip(".")
    found = next((node.answer for node in reversed(path) if node.answer), "")
    if task in LABELLED:
        is_true = truth_of(label_in(written) or (path[-1].answer if path else None))
        return "" if is_true is None else label_for(is_true, task)
    if task is TaskKind.LONGFORM:
        return written or found
    if written and len(text.tokens(written)) <= 12 and any(_holds(node, written) for node in path):
        return written
    return found or written


def _holds(node: Node, answer: str) -> bool:
    """Return whether the answer stands in a step or its passage."""
    return text.contains(answer, f"{node.query} {node.answer or ''} {node.passage.text if node.passage else ''}")


TEXTS = (TaskKind.LONGFORM, TaskKind.COMPARE, TaskKind.DEFINE)
"""Kinds of question that several sentences answer rather than a short answer."""


def outcome_of(
    final_answer: str,
    probability: float | None = None,
    threshold: float = 1.0,
    doubt: str = "",
    sentences: Sequence[Sentence] = (),
) -> tuple[Status, Outcome]:
    """Return the status and the outcome of a run that came to its end.

    A reply is supported if its probability was measured and reaches ``threshold``, and ``doubt`` is empty.
    ``sentences`` are those of an explanation, a comparison or a definition: it is quoted if its sources carry each.
    """
    if not final_answer:
        return Status.NOT_FOUND, Outcome.NOT_FOUND
    if probability is not None and probability >= threshold and not doubt:
        return Status.ANSWERED, Outcome.SUPPORTED
    claims = [sentence for sentence in sentences if not is_note(sentence.text)]
    if claims and all(sentence.support.is_carried for sentence in claims):
        return Status.ANSWERED, Outcome.QUOTED
    is_rated = bool(doubt) or probability is not None
    return Status.PARTIAL, Outcome.UNSURE if is_rated else Outcome.UNRATED


def message_of(ending: Outcome, doubt: str) -> str:
    """Return the line that explains the outcome; ``""`` where its name says all."""
    return doubt or NOT_SURE if ending in (Outcome.UNSURE, Outcome.NOT_FOUND) else ""


def of_silence(status: Status, message: str, silence: str) -> tuple[Status, str]:
    """Return the status and the message of a run in which the model delivered nothing. ``silence`` gives the reason."""
    if status is Status.ANSWERED:
        return status, f"{silence}; the evidence alone gives the answer"
    if status is Status.PARTIAL:
        return status, f"{silence}; {message}"
    return Status.FAILED, f"{silence}, and no answer was found; ask again, or choose another model"


def doubt(path: Sequence[Node], final_answer: str, question: str = "", *, is_cut: bool = False) -> str:
    """Return why a reply is not supported, whatever its probability; ``""`` without a reason.

    Reasons: there is no answer, a step is open, the chain ended early (``is_cut``), no step shares a word with the
    question, or the model keeps its answer against a passage.
    """
    open_step = next((node for node in path if node.verdict not in SETTLED), None)
    if not final_answer:
        return _unanswered(path, open_step)
    disputed = (node for node in path if node.verdict is Verdict.DISPUTED)
    if (against := overruled(path, final_answer) or next(disputed, None)) is not None:
        where = f" {against.passage.title!r}" if against.passage else ""
        return f"the model and the passage{where} disagree on the step {against.query!r}"
    if open_step is not None:
        near = f"; the nearest passage is {open_step.passage.title!r}" if open_step.passage else ""
        return f"the step {open_step.query!r} is not confirmed{near}"
    if is_cut and path:
        return f"the rounds ended at the step {path[-1].query!r}, and more may have to follow"
    asked = text.content_words(question)
    if asked and path and not any(asked & text.content_words(node.query) for node in path):
        return "no step asks about what the question names"
    return ""


def _unanswered(path: Sequence[Node], open_step: Node | None) -> str:
    if open_step is not None:
        return f"no answer to the step {open_step.query!r} was found"
    return "the steps are known, but not what they say to the question" if path else "there was no step"


def overruled(path: Sequence[Node], final_answer: str) -> Node | None:
    """Return the last step if the passages decided its label and the final answer is the opposite label."""
    last = path[-1] if path else None
    if last is None or last.rule != STANCE_RULE or last.verdict not in SETTLED:
        return None
    truths = {truth_of(last.answer), truth_of(final_answer)}
    return last if truths == {True, False} else None


@dataclass(frozen=True, slots=True)
class KnownReply:
    """A reply whose text is already known.

    ``final`` is the short answer. ``doubt`` says why the reply is not supported; if it is empty, the probability
    decides. ``decision``: what follows from several steps together. ``conflict``: the answers that do not agree, of
    which none is rated. ``asks``: the question back, where it is open what is meant. ``is_nearby``: it quotes what is
    nearest to the question, which nothing answers.
    """

    content: str
    keys: dict[str, Node]
    final: str
    doubt: str = ""
    decision: Decision | None = None
    conflict: tuple[RivalAnswer, ...] = ()
    asks: str = ""
    is_nearby: bool = False

    def ended(self, end: RunFinished) -> RunFinished:
        """Return ``end`` as this kind of reply ends a run."""
        if self.is_nearby:
            return replace(end, status=Status.PARTIAL, outcome=Outcome.UNSURE)
        if self.asks:
            ended = replace(end, status=Status.PARTIAL, outcome=Outcome.ASKS, probability=None, message="")
            return replace(ended, asks=self.asks)
        return differing(end, self.conflict) if self.conflict else end


def differing(end: RunFinished, conflict: tuple[RivalAnswer, ...]) -> RunFinished:
    """Return ``end`` with answers that do not agree. They are not rated, and need no further message."""
    return replace(end, status=Status.PARTIAL, outcome=Outcome.UNSURE, probability=None, message="", conflict=conflict)
