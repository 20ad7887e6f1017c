"""Choose the sentences of a passage that a reply quotes: those that best carry a question together with its answer.

A logistic model scores each sentence by how near it is to question and answer, and which of their words it holds.
``lab.training.quotation`` fitted it. The sentence that the Reader chose has an advantage. A label (yes, no, SUPPORTS,
REFUTES) is carried by the sentences by which the stance model decides.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from searchain.files.weights import read_weights
from searchain.language import text
from searchain.language.descriptions import LABEL, after_description, bare_title
from searchain.language.same_answer import label_of
from searchain.language.same_query import Similarity
from searchain.language.sentences import split
from searchain.reading.stance import Stance
from searchain.types import Node, Passage, Span
from searchain.verification.features import Prepares
from searchain.verification.judge import truth_of
from searchain.verification.probability import Logistic

WEIGHTS = Path(__file__).parent.parent / "weights" / "quotation" / "quotation.json"
FEATURES = ("together", "asked", "answer")
FAR = 0.2
"""What is added to the cosine of a question and a sentence, so that one that is unlike it still counts."""


def sentences_in(passage: Passage) -> list[Span]:
    """Return the sentences of a passage; a short description is one, without its label."""
    lead = after_description(passage.text)
    return [Span(start + len(LABEL) * (not start and lead > 0), end) for start, end in split(passage.text)]


def features(
    question: str, answer: str, passage: Passage, sentences: Sequence[Span], similarity: Similarity
) -> list[tuple[float, ...]]:
    """Return the values of ``FEATURES`` for each sentence with the title before it.

    They are the cosine with question and answer, and the shares of the question's and of the answer's words. An answer
    that names the article's subject belongs to every sentence about it.
    """
    statement = f"{question} {answer}"
    titled = [f"{passage.title}: {passage.text[one.start : one.end]}" for one in sentences]
    if isinstance(similarity, Prepares):
        similarity.prepare([statement, *titled])
    asked, wanted = text.content_words(question), text.tokens(answer)
    if set(text.tokens(bare_title(passage.title))) <= set(wanted):
        wanted = ()
    return [
        (similarity(statement, one), _share(asked, text.content_words(one)), _share(wanted, text.tokens(one)))
        for one in titled
    ]


def overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _share(wanted: Collection[str], held: Collection[str]) -> float:
    return sum(one in held for one in wanted) / len(wanted) if wanted else 1.0


@dataclass(frozen=True, slots=True)
class Weights:
    """The fitted model and its thresholds."""

    sentence: Logistic
    read: float
    """The advantage of the sentence with the Reader's span, in probability."""
    least: float
    """From this score on, a sentence carries a question with a short answer."""
    least_label: float
    """From this probability of the stance model on, sentences carry a label."""


def stored_weights(file: Path = WEIGHTS) -> Weights:
    """Read the weights in ``file``. Raises ``SetupError`` if the file is missing or damaged."""

    def built(stored: dict[str, Any]) -> Weights:
        thresholds = (float(stored[name]) for name in ("read", "least", "least_label"))
        return Weights(Logistic.from_json(stored, FEATURES), *thresholds)

    return read_weights(file, built)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A step, its span moved into the sentence to quote, and whether that carries the step's question and answer."""

    node: Node
    score: float
    is_carried: bool


@dataclass(frozen=True, slots=True)
class Carrier:
    """The sentence by which a label is given."""

    span: Span | None
    score: float
    """How surely the stance model gives the label by it."""
    weight: float
    """``score``, at least the threshold, smaller for a sentence that is less like the question."""
    greatest: float = 0.0
    """The greatest ``score`` of all sentences that it was compared with."""
    place: int = 0
    """The number of its passage."""


class Quoter:
    """Chooses the sentence to quote. Thread-safe if ``stance`` and ``similarity`` are."""

    def __init__(self, stance: Stance, similarity: Similarity, weights: Weights | None = None) -> None:
        self._stance, self._similarity, self._weights = stance, similarity, weights or stored_weights()

    def quoted(self, node: Node, among: Sequence[Span] | None = None) -> Quoted:
        """Return the step with the sentence of its passage, or of those ``among`` it, that carries it best.

        A step without a passage or an answer stays as it is, and is not carried.
        """
        sentences = among if among is not None or node.passage is None else sentences_in(node.passage)
        if node.passage is None or not node.answer or not sentences:
            return Quoted(node, 0.0, is_carried=False)
        if label_of(node.answer):
            return self._of_label(node, node.passage, sentences)
        described = after_description(node.passage.text)
        values = features(node.query, node.answer, node.passage, sentences, self._similarity)
        scores = list(map(self._weights.sentence.probability, values))
        is_read = [node.span is not None and overlap(one, node.span) for one in sentences]
        # a short description is hardly a sentence, but may be what the Reader chose
        may_be = [place for place, one in enumerate(sentences) if is_read[place] or one.start >= described]
        best = max(may_be, key=lambda place: scores[place] + self._weights.read * is_read[place], default=0)
        moved = node if is_read[best] else replace(node, span=sentences[best])
        return Quoted(moved, scores[best], scores[best] >= self._weights.least)

    def _of_label(self, node: Node, passage: Passage, sentences: Sequence[Span]) -> Quoted:
        label = node.answer or ""
        carrier = self.for_labels(node.query, [label], passage, sentences)[label]
        moved = node if carrier.span is None else replace(node, span=carrier.span)
        return Quoted(moved, carrier.score, carrier.score >= self._weights.least_label)

    def for_labels(
        self, query: str, labels: Sequence[str], passage: Passage, among: Sequence[Span] | None = None
    ) -> dict[str, Carrier]:
        """Return for each label the sentence, or else the two neighbours, that the stance model gives it by.

        Of those that carry it, the one nearest to the query counts: the model gives "no" by any prohibition. A short
        description is not read, because it is hardly a statement, nor is a mere "Yes.", which shows nothing.
        """
        every, lead = sentences_in(passage) if among is None else among, after_description(passage.text)
        sentences = [one for one in every if one.start >= lead and not _is_bare(passage.text[one.start : one.end])]
        pairs = [Span(one.start, other.end) for one, other in pairwise(sentences)]
        found = dict.fromkeys(labels, Carrier(None, 0.0, 0.0))
        for spans in (sentences, pairs):
            left = [label for label in labels if found[label].score < self._weights.least_label]
            if not left:
                break
            parts = [replace(passage, text=passage.text[one.start : one.end]) for one in spans]
            if isinstance(self._similarity, Prepares):
                self._similarity.prepare([query, *(part.text for part in parts)])
            for span, part, opinion in zip(spans, parts, self._stance.judge(query, parts), strict=False):
                near = max(self._similarity(query, part.text), 0.0) + FAR
                for label in left:
                    score = opinion.supports if truth_of(label) else opinion.refutes
                    weight = near * max(score, self._weights.least_label)  # of those that do not carry it, the nearest
                    found[label] = self.better(found[label], Carrier(span, score, weight, score))
        return found

    def better(self, one: Carrier, other: Carrier) -> Carrier:
        """Return the one that carries the label if only one does, else the one with the greater weight."""
        least = self._weights.least_label
        best = max(one, other, key=lambda carrier: (carrier.score >= least, carrier.weight, carrier.score))
        return replace(best, greatest=max(one.greatest, other.greatest))


def _is_bare(sentence: str) -> bool:
    return len(text.tokens(sentence)) == 1 and label_of(sentence) is not None
