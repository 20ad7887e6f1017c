"""The scores as others compute them, beside ours: cover-EM of the paper, EM and F1 of HotpotQA.

Their normal form is that of SQuAD's script, which HotpotQA, 2WikiMultihopQA, MuSiQue, KILT and the paper's server
share. Ours (``metrics.tokens``) reads "$5", "C++" and "2010–2012" otherwise.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_CLOSED = frozenset({"yes", "no", "noanswer"})


def normal(text: str) -> str:
    """Lower case, without ASCII punctuation and articles, single spaces.

    >>> normal("The U.S.  Army ($5)")
    'us army 5'
    """
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text.lower().translate(_PUNCTUATION)).split())


def cover_em_paper(reply: str, answers: Iterable[str]) -> float:
    """1 where an answer is a substring of the whole reply: “no” is one of “Nobel”.

    >>> cover_em_paper("She won the Nobel Prize.", ["no"])
    1.0
    """
    said = normal(reply)
    return float(any(normal(answer) in said for answer in answers if normal(answer)))


def em_official(final_answer: str, answers: Iterable[str]) -> float:
    """1 where the short answer is one of ``answers``."""
    return float(any(normal(final_answer) == normal(answer) for answer in answers))


def f1_official(final_answer: str, answers: Iterable[str]) -> float:
    """The best F1 of tokens; 0 where one side alone is yes, no or noanswer.

    >>> f1_official("yes", ["yes"]), f1_official("no one", ["no"]), f1_official("Henry VIII", ["King Henry VIII"])
    (1.0, 0.0, 0.8)
    """
    return max((_f1(normal(final_answer), normal(answer)) for answer in answers), default=0.0)


def _f1(said: str, wanted: str) -> float:
    if said != wanted and (said in _CLOSED or wanted in _CLOSED):
        return 0.0
    words, gold = said.split(), wanted.split()
    same = (Counter(words) & Counter(gold)).total()
    return 2 * same / (len(words) + len(gold)) if same else 0.0
