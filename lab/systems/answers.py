"""The short answer in what a compared system wrote, and the vote among several."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.language.sentences import split
from searchain.reply.outcome import final_answer_of
from searchain.types import TaskKind
from searchain.verification.judge import rouge_l

_MARKER = re.compile(r"\banswer (?:is|would be)\b[:\s]*", re.IGNORECASE)
CLOSING = "So the final answer is {}."


def after_marker(written: str) -> str:
    """What follows the last “the answer is” on its line; ``""`` where nobody says so.

    >>> after_marker("Kyoto is on Honshu. So the final answer is: Honshu.")
    'Honshu'
    """
    found = list(_MARKER.finditer(written))
    if not found:
        return ""
    line = written[found[-1].end() :].strip().partition("\n")[0]
    return line.strip().strip('"“”*').removesuffix(".").strip()


def before_marker(written: str) -> str:
    """``written`` without the sentences that say what the answer is.

    >>> before_marker("Kyoto is on Honshu. So the final answer is: Honshu.")
    'Kyoto is on Honshu.'
    """
    limits = [one for one in split(written) if not _MARKER.search(written, *one)]
    return " ".join(written[slice(*one)] for one in limits)


def short(written: str, kind: TaskKind) -> str:
    """``written`` as an answer of a kind: a label for those that want one, else as it is."""
    if kind in (TaskKind.YESNO, TaskKind.FACTCHECK):
        return final_answer_of((), kind, written)
    return written.strip().strip('"“”').removesuffix(".").strip()


def closed(said: str, final: str) -> str:
    """``said``, ended with the sentence that gives the final answer where it does not end so.

    >>> closed("Kyoto is on Honshu.", "Honshu")
    'Kyoto is on Honshu. So the final answer is Honshu.'
    """
    said = said.strip()
    if not final or (after_marker(said) and text.contains(final, after_marker(said))):
        return said
    return f"{said} {CLOSING.format(final)}".strip()


def vote(said: Sequence[str], kind: TaskKind) -> tuple[list[int], int]:
    """How many give the same answer as each, and the place of the first with most; an empty answer has no vote.

    Long answers cannot be the same: the one nearest to the others by ROUGE-L is taken, and has the only vote.
    """
    if kind is TaskKind.LONGFORM:
        near = [sum(rouge_l(one, other) for other in said if other is not one) if one else -1.0 for one in said]
        chosen = near.index(max(near))
        return [int(place == chosen and bool(said[chosen])) for place in range(len(said))], chosen
    normal = [text.tokens(one) for one in said]
    votes = [normal.count(one) if one else 0 for one in normal]
    return votes, votes.index(max(votes))
