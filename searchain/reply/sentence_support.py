"""Bind the sentences of a reply to the steps they cite, and say whether their sources say them (section 3.3).

Replies of the model and of the template go through the same ``bind_sentences``. ``Carrying`` says how far the passages
that a sentence cites carry it, and finds a passage that carries a sentence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from searchain.cancel import CancelToken
from searchain.chain.written import without_keys
from searchain.language import text
from searchain.language.comparing import Decision
from searchain.language.same_answer import label_in, label_of
from searchain.language.sentences import split
from searchain.reply.citations import BoundMark
from searchain.reply.notes import is_note
from searchain.reply.outcome import CLAIMS, SAYS
from searchain.reply.subjects import bare_title
from searchain.reply.support_check import SentenceCheck
from searchain.types import SETTLED, Node, Passage, Sentence, Span, Support
from searchain.verification.held import missing
from searchain.verification.judge import truth_of

NEAR = 2
"""How many of the passages with most of a sentence's words are tried."""
MOST_MISSING = 1 / 3
"""The greatest share of a sentence's words that its passages may lack where there is no support check."""
_STATES = {"supported": Support.SUPPORTED, "partial": Support.PARTLY}


@dataclass(frozen=True, slots=True)
class Carried:
    """How far passages carry a sentence."""

    state: Support
    uncarried: tuple[Span, ...] = ()
    """The words that no passage says, as places in the sentence."""


class Carrying:
    """Decides by words and by the support check; without a check by words alone. ``question`` gives known words."""

    def __init__(self, question: str, check: SentenceCheck | None, cancel: CancelToken) -> None:
        self._question, self._check, self._cancel = question, check, cancel

    def keyed(self, content: str, passages: Mapping[str, Passage]) -> Iterator[str]:
        """Yield ``content`` by sentences; one without a key gets that of the passage that carries it, if one does.

        ``passages`` maps keys to passages.
        """
        at = 0
        for start, end in split(content):
            sentence = content[start:end]
            bare, keys = without_keys(sentence)
            if not keys and bare and (key := self.carrier(bare, passages)):
                sentence = f"{bare[:-1]} [{key}]{bare[-1]}" if bare[-1] in ".!?" else f"{bare} [{key}]"
            yield content[at:start] + sentence
            at = end
        yield content[at:]

    def carrier(self, sentence: str, passages: Mapping[str, Passage]) -> str | None:
        """Return the key of the passage that carries a sentence; ``None`` if none does."""
        near = sorted(passages, key=lambda key: len(missing(sentence, passages[key], self._question)))[:NEAR]
        return next((key for key in near if self.carried(sentence, [passages[key]]).state.is_carried), None)

    def carried(self, said: str, passages: Sequence[Passage]) -> Carried:
        """Return how far ``passages`` carry a sentence (without marks)."""
        if not passages:
            return Carried(Support.OWN)
        if is_quoted(said, passages):
            return Carried(Support.QUOTED)
        if self._check is None:
            return self._by_words(said, passages)
        self._cancel.check()
        finding = self._check.judge(said, passages)
        state = _STATES.get(finding.label, Support.UNSUPPORTED)
        return Carried(state, finding.uncarried if state is Support.PARTLY else ())

    def _by_words(self, said: str, passages: Sequence[Passage]) -> Carried:
        known = " ".join(f"{one.title} {one.text}" for one in passages)
        beyond, wanted = missing(said, Passage("", "", known), self._question), text.content_words(said)
        if len(beyond) > MOST_MISSING * len(wanted) or (text.has_negation(said) and not text.has_negation(known)):
            return Carried(Support.UNSUPPORTED)
        if any(text.numbers(word) for word in beyond):
            return Carried(Support.PARTLY, tuple(_places(said, beyond)))
        return Carried(Support.SUPPORTED)


def is_quoted(said: str, passages: Sequence[Passage]) -> bool:
    """Return whether a passage holds the sentence word for word, but for its title before it or behind a pronoun."""
    words = said.replace("…", "")
    return any(
        text.contains(
            words.removeprefix(f"{passage.title}:").replace(f" ({bare_title(passage.title)})", ""), passage.text
        )
        for passage in passages
    )


def _places(said: str, words: set[str]) -> Iterator[Span]:
    """Yield where the sentence has one of ``words``, which are stems."""
    at = 0
    for word in said.split():
        at = said.index(word, at)
        bare = word.strip(".,;:!?()“”\"'")
        start = at + word.index(bare)
        if text.content_words(bare) & words:
            yield Span(start, start + len(bare))
        at += len(word)


def bind_sentences(
    reply: str, marks: Sequence[BoundMark], carrying: Carrying, decision: Decision | None = None
) -> tuple[Sentence, ...]:
    """Return the reply's sentences with their marks and their support state.

    The sentence with the answer of ``decision`` follows from the answers of the steps that it cites.
    """
    concluded = () if decision is None else (decision.answer, CLAIMS.get(decision.answer, ""))
    conclusions = [text.tokens(conclusion) for conclusion in concluded]
    sentences = []
    for start, end, inside, said in parts_of(reply, marks):
        nodes = [bound.node for bound in inside]
        if text.tokens(said) in conclusions:
            is_settled = all(node.verdict in SETTLED for node in nodes)
            carried = Carried(Support.SUPPORTED if nodes and is_settled else Support.UNSUPPORTED)
        else:
            carried = carried_by(said, nodes, carrying)
        own_marks = tuple(dict.fromkeys(bound.mark for bound in inside))
        uncarried = tuple(_in_reply(span, reply, start, inside) for span in carried.uncarried)
        sentences.append(Sentence(reply[start:end], start, end, own_marks, carried.state, _least(nodes), uncarried))
    return tuple(sentences)


def carried_by(said: str, nodes: Sequence[Node], carrying: Carrying) -> Carried:
    """Return how far the sources of a sentence (without marks) carry it. ``nodes`` are the steps that it cites.

    A label is carried if a step that the evidence settled has it.
    """
    if not nodes or is_note(said):
        return Carried(Support.OWN)
    if label := label_of(said) or label_in(SAYS.get(said.rstrip(" ."), "")):
        same = [node for node in nodes if truth_of(node.answer) is truth_of(label)]
        is_settled = any(node.verdict in SETTLED for node in same)
        return Carried(Support.SUPPORTED if is_settled else Support.PARTLY if same else Support.UNSUPPORTED)
    return carrying.carried(said, list(dict.fromkeys(node.passage for node in nodes if node.passage)))


def _least(nodes: Sequence[Node]) -> float | None:
    """Return the lowest probability of the nodes; ``None`` if one of them was not measured."""
    known = [node.probability for node in nodes if node.probability is not None]
    return min(known) if known and len(known) == len(nodes) else None


def _in_reply(span: Span, reply: str, start: int, marks: Sequence[BoundMark]) -> Span:
    """Return where a part of a sentence without its marks stands in the reply; the sentence begins at ``start``."""
    start += len(reply[start:]) - len(reply[start:].lstrip())

    def at(place: int) -> int:
        place += start
        for bound in marks:
            place += bound.mark.end - bound.mark.start if bound.mark.start <= place else 0
        return place

    return Span(at(span.start), at(span.end - 1) + 1)


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


def _is_stated(said: str, nodes: Sequence[Node]) -> bool:
    """Return whether the sentence states the answer of each step, or quotes a passage."""
    state = carried_by(said, nodes, _BY_WORDS).state
    return state is Support.QUOTED or (state.is_carried and _gives_answers(said, nodes))


def _gives_answers(sentence: str, nodes: Sequence[Node]) -> bool:
    """Return whether the sentence states the short answers of the steps."""
    answers = [node.answer or "" for node in nodes]
    short = [one for one in answers if len(text.tokens(one)) <= 12 and not label_of(one)]
    return all(text.contains(answer, sentence) for answer in short)


_BY_WORDS = Carrying("", None, CancelToken())
