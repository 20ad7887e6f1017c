"""Choose the sentences of own documents that explain what is asked.

The documents found speak of different things, so that often one sentence alone helps (``explanation`` chooses those of
an encyclopedia's articles). A logistic regression says of each sentence how likely it explains what is asked: by how
near it is to the question, by what was read in its passage, and by what the large Reader finds in it alone.
``lab.training.own_explanation`` fitted it. The likeliest are taken, up to a length, unless they say again what was
taken before.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from searchain.files.weights import read_weights
from searchain.language import text
from searchain.language.same_query import Similarity
from searchain.reply.explanation import WORDS, overlap, statements
from searchain.types import Node, Passage
from searchain.verification.features import Prepares
from searchain.verification.large_reading import LargeRead
from searchain.verification.probability import Logistic

WEIGHTS = Path(__file__).parent.parent / "weights" / "own_explanation" / "own_explanation.json"
FEATURES = ("near", "behind", "asked", "relevant", "is_read", "alone", "alone_behind")
"""The cosine of the question with title and sentence, what that lacks to the greatest one, the share of the question's
words that they hold, how relevant the Reader finds the passage (f), whether its span lies in the sentence, how relevant
the large Reader finds the sentence alone, and what that lacks to the greatest one."""
READ_ALONE = 14
"""Most sentences that the large Reader reads: those nearest to the question."""
LEAST, SHARE = 0.1, 0.4
"""The least probability of a sentence that explains something, and its least share of that of the likeliest one."""
GAP = 2
"""Most statements between two chosen ones of a passage that come along, such as the step between two steps."""
ALIKE = 0.9
"""A sentence whose cosine with a chosen one is as great says nothing new."""


def explain_by_documents(
    question: str,
    nodes: Sequence[Node],
    similarity: Similarity,
    read: LargeRead | None = None,
    *,
    words: int = WORDS,
    least: float = LEAST,
) -> list[Node]:
    """Return the chosen sentences as nodes, each narrowed to its sentence (``span``, ``answer``).

    The passage of the likeliest comes first, the others in the order of ``nodes``; sentences of one passage stand in
    its order, as the steps of an instruction do, with those in small gaps between them. No other is less likely than
    ``least``. A sentence such as "It is pale blue" comes with the sentence before it or with a name
    (``subjects.said``). Each passage counts only for its first node. Without the large Reader ``read`` both of its
    features are 0. Raises ``SetupError`` if the weights are missing or damaged.
    """
    all_found = statements(nodes)
    found, likely = _rated(question, all_found, similarity, read)
    chosen: list[int] = []
    length = 0
    for place in sorted(range(len(found)), key=lambda place: -likely[place]):
        if likely[place] < max(least, SHARE * max(likely)) or length >= words:
            break
        if all(_is_new(found[place][1], found[one][1], similarity) for one in chosen):
            chosen.append(place)
            length += len((found[place][1].answer or "").split())
    return _in_order(all_found, [all_found.index(found[place]) for place in chosen])


def likeliest_sentence(
    question: str, nodes: Sequence[Node], similarity: Similarity, read: LargeRead | None = None
) -> tuple[list[Node], float]:
    """Return the likeliest sentence, as ``explain_by_documents`` does, and how likely it is; none without a sentence.

    Raises ``SetupError`` if the weights are missing or damaged.
    """
    all_found = statements(nodes)
    found, likely = _rated(question, all_found, similarity, read)
    if not likely:
        return [], 0.0
    best = max(likely)
    return _in_order(all_found, [all_found.index(found[likely.index(best)])]), best


def _rated(
    question: str, found: Sequence[tuple[Node, Node]], similarity: Similarity, read: LargeRead | None
) -> tuple[list[tuple[Node, Node]], list[float]]:
    """Return the nearest statements, and how likely each explains."""
    nearest, rows = features(question, found, similarity, read)
    return nearest, [_weights().probability(row) for row in rows]


def _in_order(found: Sequence[tuple[Node, Node]], chosen: Sequence[int]) -> list[Node]:
    """Return the chosen statements and those in small gaps between them, the passage of the first one before others."""
    places = sorted(chosen)
    between = [
        place
        for low, high in pairwise(places)
        if high - low <= GAP + 1 and found[low][0] is found[high][0]
        for place in range(low + 1, high)
        if not any(overlap(found[place][1], found[one][1]) for one in (low, high))
        and found[place][1].answer not in [found[one][1].answer for one in chosen]
    ]
    kept = sorted({*places, *between}, key=lambda place: (found[place][0] is not found[chosen[0]][0], place))
    return [found[place][1] for place in kept]


def features(
    question: str, found: Sequence[tuple[Node, Node]], similarity: Similarity, read: LargeRead | None
) -> tuple[list[tuple[Node, Node]], list[tuple[float, ...]]]:
    """Return the ``READ_ALONE`` statements nearest to the question, and the values of ``FEATURES`` for each."""
    titled = [f"{node.passage.title if node.passage else ''}: {one.answer}" for node, one in found]
    if isinstance(similarity, Prepares):
        similarity.prepare([question, *titled])
    near = [similarity(question, one) for one in titled]
    nearest = sorted(sorted(range(len(found)), key=lambda place: -near[place])[:READ_ALONE])
    sentences = [Passage(str(place), "", found[place][1].answer or "") for place in nearest]
    alone = [one.confidence for one in read(question, sentences)] if read and sentences else [0.0] * len(nearest)
    asked = text.content_words(question)
    rows: list[tuple[float, ...]] = [
        (
            near[place],
            max(near) - near[place],
            len(asked & text.content_words(titled[place])) / len(asked) if asked else 1.0,
            found[place][0].confidence or 0.0,
            float(found[place][0].span is not None and overlap(*found[place])),
            relevance,
            max(alone) - relevance,
        )
        for place, relevance in zip(nearest, alone, strict=True)
    ]
    return [found[place] for place in nearest], rows


@cache
def _weights() -> Logistic:
    return read_weights(WEIGHTS, lambda stored: Logistic.from_json(stored, FEATURES))


def _is_new(one: Node, other: Node, similarity: Similarity) -> bool:
    return not overlap(one, other) and similarity(one.answer or "", other.answer or "") < ALIKE


def are_own(nodes: Sequence[Node]) -> bool:
    """Tell whether all passages that were found are of own documents."""
    return all(node.passage is None or node.passage.place is not None for node in nodes)
