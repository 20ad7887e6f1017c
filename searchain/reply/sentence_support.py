"""Decide the support state of each sentence of a reply from the nodes it cites (section 3.3).

The state can never exceed the weakest of these nodes. Replies of the model and of the template go through the same
``bind_sentences``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from searchain.language import text
from searchain.language.comparing import Decision
from searchain.language.descriptions import bare_title
from searchain.language.same_answer import label_in, label_of
from searchain.language.sentences import split
from searchain.reply.citations import BoundMark
from searchain.reply.outcome import CLAIMS, SAYS
from searchain.settings import Settings
from searchain.types import Node, Passage, Sentence, Support, Verdict
from searchain.verification.judge import truth_of

_ORDER = list(Support)  # Support is declared from none to verified


def bind_sentences(
    reply: str,
    marks: Sequence[BoundMark],
    settings: Settings,
    decision: Decision | None = None,
    is_carried: Callable[[str, Sequence[Passage]], bool] | None = None,
    threshold: float | None = None,
) -> tuple[Sentence, ...]:
    """Return the reply's sentences with their marks and their support state.

    A completed step with a probability below ``threshold`` supports a sentence only weakly.

    The sentence with the answer of ``decision`` need not state the answers of its steps, because it follows from them.
    ``is_carried`` gets a sentence and its cited passages, and may lower the state; quotations are not checked.
    """
    sentences = []
    for start, end, inside, said in parts_of(reply, marks):
        nodes = [bound.node for bound in inside]
        concluded = () if decision is None else (decision.answer, CLAIMS.get(decision.answer, ""))
        follows = nodes and text.tokens(said) in [text.tokens(conclusion) for conclusion in concluded]
        state = _weakest(nodes, settings, threshold) if follows else support_of(said, nodes, settings, threshold)
        if is_carried and state not in (Support.NONE, Support.WEAK) and not follows and not _is_label(said):
            cited = list(dict.fromkeys(node.passage for node in nodes if node.passage))
            if not _is_quoted(said, cited) and not is_carried(said, cited):
                state = Support.WEAK
        own_marks = tuple(dict.fromkeys(bound.mark for bound in inside))
        sentences.append(Sentence(reply[start:end], start, end, own_marks, state, _least(nodes)))
    return tuple(sentences)


def _least(nodes: Sequence[Node]) -> float | None:
    """Return the lowest probability of the nodes; ``None`` if one of them was not measured."""
    known = [node.probability for node in nodes if node.probability is not None]
    return min(known) if known and len(known) == len(nodes) else None


def support_of(sentence: str, nodes: Sequence[Node], settings: Settings, threshold: float | None = None) -> Support:
    """Return the support state of a sentence (without marks): the weakest state of the ``nodes`` that it cites.

    It is at most ``weak`` if the sentence says something that the nodes and their passages do not.
    """
    if not nodes:
        return Support.NONE
    return _weakest(nodes, settings, threshold) if _is_stated(sentence, nodes) else Support.WEAK


def problem_of(reply: str, marks: Sequence[BoundMark], keys: Mapping[str, Node]) -> str | None:
    """Return what is wrong with the model's reply; ``None`` if it can be used."""
    if not reply.strip():
        return "it is empty"
    if keys and not marks:
        return "it cites no step"
    if any(re.search(rf"\b{key}\b", reply, re.IGNORECASE) for key in keys):
        return "it writes a key as if it were a word"
    parts = [(said, inside) for _, _, inside, said in parts_of(reply, marks)]
    if len(parts) >= 4 and len({words for words, _ in parts}) * 2 <= len(parts):
        return "it repeats itself"
    if keys and not any(_is_stated(words, [bound.node for bound in inside]) for words, inside in parts if inside):
        return "no sentence says what its source says"
    return None


def restates(reply: str, marks: Sequence[BoundMark], claim: str) -> str | None:
    """Return what is wrong with a reply that states the claim as a fact; ``None`` if it does not."""
    wanted = text.content_words(claim)
    for _, _, _, said in parts_of(reply, marks):
        if text.content_words(said) == wanted:
            return "it tells the claim as a fact"
    return None


def parts_of(reply: str, marks: Sequence[BoundMark]) -> list[tuple[int, int, list[BoundMark], str]]:
    """Return start, end and marks of each sentence, and its text without the marks."""
    limits: list[list[int]] = []
    for start, end in split(reply):
        # marks in front of a sentence belong to the one before it ("… Kyoto. [1] It …")
        lead = re.match(r"(?:\[\d+\]\s*)+", reply[start:end])
        if limits and lead and any(mark.mark.start == start for mark in marks):
            limits[-1][1] = start + len(lead[0].rstrip())
            start += lead.end()
        if start < end:
            limits.append([start, end])
    parts = []
    for start, end in limits:
        inside = [bound for bound in marks if start <= bound.mark.start < end]
        parts.append((start, end, inside, _without_marks(reply, start, end, inside)))
    return parts


def _without_marks(reply: str, start: int, end: int, marks: Sequence[BoundMark]) -> str:
    kept, at = [], start
    for bound in marks:
        kept.append(reply[at : max(at, bound.mark.start)])
        at = bound.mark.end
    return "".join([*kept, reply[at:end]]).strip()


def _is_label(sentence: str) -> bool:
    return label_of(sentence) is not None or sentence.rstrip(" .") in SAYS


def _is_quoted(sentence: str, passages: Sequence[Passage]) -> bool:
    """Return whether a passage has the sentence word for word, but for its title in brackets after a pronoun."""
    return any(
        text.contains(sentence.replace("…", "").replace(f" ({bare_title(passage.title)})", ""), passage.text)
        for passage in passages
    )


def _weakest(nodes: Sequence[Node], settings: Settings, threshold: float | None) -> Support:
    return min((_state_of(node, settings, threshold) for node in nodes), key=_ORDER.index)


def _state_of(node: Node, settings: Settings, threshold: float | None) -> Support:
    match node.verdict:
        case Verdict.AGREED:
            return Support.VERIFIED
        case Verdict.CORRECTED:
            return Support.CORRECTED
        case Verdict.COMPLETED if _is_likely(node, settings, threshold):
            return Support.COMPLETED
        case _:
            return Support.WEAK


def _is_likely(node: Node, settings: Settings, threshold: float | None) -> bool:
    if threshold is not None and node.probability is not None:
        return node.probability >= threshold
    return node.confidence is not None and settings.is_sure(node.confidence)


def _is_stated(sentence: str, nodes: Sequence[Node]) -> bool:
    """Return whether the sentence quotes a passage, or states the answer of each cited step and adds little to the
    passages."""
    if label := label_of(sentence) or label_in(SAYS.get(sentence.rstrip(" ."), "")):
        return any(truth_of(node.answer) is truth_of(label) for node in nodes)
    words = text.content_words(sentence)
    passages = [node.passage for node in nodes if node.passage]
    if not words or _is_quoted(sentence, passages):
        return bool(words)
    known = text.content_words(" ".join(f"{node.query} {node.answer or ''}" for node in nodes))
    known |= text.content_words(" ".join(f"{passage.title} {passage.text}" for passage in passages))
    is_denied = text.has_negation(sentence) and not any(text.has_negation(one.text) for one in passages)
    return _gives_answers(sentence, nodes) and not is_denied and len(words & known) / len(words) >= 0.6


def _gives_answers(sentence: str, nodes: Sequence[Node]) -> bool:
    """Return whether the sentence states the short answers of the steps."""
    answers = [node.answer or "" for node in nodes]
    short = [one for one in answers if len(text.tokens(one)) <= 12 and not label_of(one)]
    return all(text.contains(answer, sentence) for answer in short)
