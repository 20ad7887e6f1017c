"""Judge a node again when the model, having seen its evidence, gives it a new answer."""

from dataclasses import replace

from searchain.language.same_answer import label_of
from searchain.settings import Settings
from searchain.types import Judgement, Node, TaskKind, Verdict
from searchain.verification.judge import IN_PASSAGE, agrees, place_in, truth_of

_OTHER_LABEL = {"yes": "no", "no": "yes", "supports": "REFUTES", "refutes": "SUPPORTS"}


def second_answer(
    settled: Node, answer: str | None, task: TaskKind, settings: Settings, *, keeps_word: bool
) -> Judgement:
    """Judge the model's new ``answer`` to a node with a verdict.

    An answer that agrees with the passage keeps the verdict. Any other one is rejected, unless ``keeps_word``: then it
    is the node's answer, disputed where the reading was confident. An answer that the passage confirmed is not replaced
    by a later one, because no feedback asked for it.
    """
    assert settled.verdict is not None
    before = Judgement(settled.verdict, settled.rule or "", settled.answer, probability=settled.probability)
    found = _reading_of(settled)
    if settled.verdict is Verdict.UNCONFIRMED:
        return replace(before, answer=answer or settled.answer)
    if answer is None or found is None or settled.passage is None:
        return before
    verdict = Verdict.CORRECTED if settled.verdict is Verdict.DISPUTED else settled.verdict
    if agrees(answer, found, settled.passage, task, settings):
        return replace(before, verdict=verdict, answer=answer)
    is_label = truth_of(settled.answer) is not None and not settings.follows_paper
    if settled.verdict is Verdict.AGREED and not (keeps_word and is_label):
        return replace(before, verdict=Verdict.CORRECTED)
    if not keeps_word:
        return before
    return _kept(replace(settled, verdict=verdict), answer, task, settings, is_label=is_label)


def _kept(settled: Node, answer: str, task: TaskKind, settings: Settings, *, is_label: bool) -> Judgement:
    """Judge an answer that the model keeps although the reading differs.

    It agrees if its passage contains it, is unconfirmed if the reading of a completed node was not sure, else disputed.
    """
    assert settled.passage is not None
    assert settled.verdict is not None
    is_short = task is not TaskKind.LONGFORM and not settings.follows_paper
    if is_short and not is_label and (place := place_in(settled.passage, settled.query, answer)):
        return Judgement(settled.verdict, IN_PASSAGE, answer, quote=place)
    is_decided = is_label or settled.verdict is not Verdict.COMPLETED
    if is_decided or settings.is_sure(settled.confidence or 0.0, settled.probability):
        return Judgement(Verdict.DISPUTED, settled.rule or "", answer)
    return Judgement(Verdict.UNCONFIRMED, "low-confidence", answer)


def _reading_of(settled: Node) -> str | None:
    """Return the answer that the passage gives to the node's query."""
    if settled.verdict is not Verdict.DISPUTED:
        return settled.answer
    return _OTHER_LABEL.get(label_of(settled.answer or "") or "") or settled.reader_answer
