"""The scores of one answer, each between 0 and 1.

``cover_em`` is stricter than the paper's, which is ``cover_em_reply``: it looks at the short answer alone, and at none
of more than 12 words, so that a reply that lists every candidate does not score.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from searchain.types import Hit

MOST_WORDS = 12
"""A longer answer does not count as a short answer."""
LABELS = frozenset({"yes", "no", "supports", "refutes"})
_ARTICLES = frozenset({"a", "an", "the"})


def tokens(text: str) -> list[str]:
    """``text`` as answers are compared (Rajpurkar et al. 2016): lower case, no punctuation, no articles.

    >>> tokens("The U.S. Army (1775–)")
    ['us', 'army', '1775']
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    bare = "".join(letter for letter in folded if not unicodedata.category(letter).startswith("P"))
    return [word for word in bare.split() if word not in _ARTICLES]


def covers(text: str, answer: str) -> bool:
    """Whether ``answer`` occurs in ``text`` at token boundaries; one without any token occurs nowhere.

    >>> covers("born in Paris, France", "paris"), covers("1989", "89"), covers("anything", "the")
    (True, False, False)
    """
    wanted, words = tokens(answer), tokens(text)
    return bool(wanted) and any(
        words[place : place + len(wanted)] == wanted for place in range(len(words) - len(wanted) + 1)
    )


def is_label(answer: str) -> bool:
    """Whether a gold answer is yes, no, SUPPORTS or REFUTES."""
    return answer.strip().casefold() in LABELS


def cover_em(final_answer: str, answers: Iterable[str]) -> float:
    """1 when one of ``answers`` occurs in the short answer; a label must be all of it. Where no answer is accepted, as
    to a greeting, 1 when there is none.

    >>> cover_em("in Kyoto, Japan", ["Kyoto"]), cover_em("yes, it is", ["yes"]), cover_em("Yes", ["yes"])
    (1.0, 0.0, 1.0)
    """

    answers = list(answers)
    if not answers:
        return float(not final_answer.strip())

    def is_right(answer: str) -> bool:
        if is_label(answer):
            return final_answer.strip().casefold() == answer.strip().casefold()
        return covers(final_answer, answer)

    return float(len(final_answer.split()) <= MOST_WORDS and any(map(is_right, answers)))


def cover_em_reply(reply: str, answers: Iterable[str]) -> float:
    """1 when one of ``answers`` occurs anywhere in the reply: cover-EM as in the paper."""
    return float(any(covers(reply, answer) for answer in answers))


def f1(final_answer: str, answers: Iterable[str]) -> float:
    """The best F1 of tokens, as bags, of the short answer and one of ``answers``.

    >>> f1("King Henry VIII", ["Henry VIII"])
    0.8
    """
    return max((_f1(tokens(final_answer), tokens(answer)) for answer in answers), default=0.0)


def _f1(words: Sequence[str], wanted: Sequence[str]) -> float:
    if not words or not wanted:
        return 0.0
    return 2 * (Counter(words) & Counter(wanted)).total() / (len(words) + len(wanted))


def rouge_l(reply: str, answers: Iterable[str]) -> float:
    """The best ROUGE-L F of the reply and one of ``answers``."""
    return max((_rouge().score(answer, reply)["rougeL"].fmeasure for answer in answers), default=0.0)


@cache
def _rouge() -> Any:
    from rouge_score.rouge_scorer import RougeScorer  # here: it imports nltk, half a second

    return RougeScorer(["rougeL"], use_stemmer=True)


def recall(searches: Iterable[Sequence[Hit]], titles: Sequence[str], k: int) -> float | None:
    """The share of the supporting ``titles`` that stand among the first ``k`` hits of any search; ``None`` without
    titles."""
    if not titles:
        return None
    found = {same_title(hit.passage.title) for hits in searches for hit in hits[:k]}
    return sum(same_title(title) in found for title in titles) / len(titles)


def area(values: ArrayLike, positive: ArrayLike) -> float:
    """The chance that a positive has a greater value than a negative (ties count half)."""
    scores, labels = np.asarray(values), np.asarray(positive, dtype=bool)
    negatives = np.sort(scores[~labels])
    below, not_above = (np.searchsorted(negatives, scores[labels], side) for side in ("left", "right"))
    return float((below + not_above).mean() / (2 * len(negatives)))


def same_title(title: str) -> str:
    """What titles are compared by."""
    return " ".join(unicodedata.normalize("NFKC", title).casefold().split())


def without_marks(reply: str, marks: Iterable[dict[str, int]]) -> str:
    """The reply without its ``[n]``; ``marks`` as in the JSON of a turn."""
    kept, at = [], 0
    for start, end in sorted({(mark["start"], mark["end"]) for mark in marks}):
        kept.append(reply[at:start])
        at = end
    return re.sub(r"(?<!\s)\s+([.,;:!?])", r"\1", "".join([*kept, reply[at:]]))
