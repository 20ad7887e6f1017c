"""Find the passage that carries a sentence, and say how far the passages that it cites carry it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from searchain.cancel import CancelToken
from searchain.chain.written import without_keys
from searchain.language import text
from searchain.language.sentences import split
from searchain.reply.citations import BoundMark
from searchain.reply.support_check import SentenceCheck
from searchain.types import Passage, Sentence, Support
from searchain.verification.held import missing

NEAR = 2
"""How many of the passages with most of a sentence's words are tried."""


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
        return next((key for key in near if self.support_of(sentence, [passages[key]]) is Support.VERIFIED), None)

    def support_of(self, said: str, passages: Sequence[Passage]) -> Support:
        """Return the support state of a sentence (without marks) that cites ``passages``."""
        if not passages:
            return Support.NONE
        known = " ".join(f"{one.title} {one.text}" for one in passages)
        if text.contains(said, known):
            return Support.VERIFIED
        beyond, wanted = missing(said, Passage("", "", known), self._question), text.content_words(said)
        if any(text.numbers(word) for word in beyond) or len(beyond) * 2 > len(wanted):
            return Support.WEAK  # a number that stands in no cited passage, or mostly other words
        if self._check is not None:
            self._cancel.check()
            return Support.VERIFIED if self._check.judge(said, passages).label == "supported" else Support.WEAK
        return Support.VERIFIED if len(beyond) * 3 <= len(wanted) else Support.WEAK

    def bound(self, reply: str, start: int, end: int, marks: Sequence[BoundMark], said: str) -> Sentence:
        """Return one sentence of a reply with its marks and its support state."""
        passages = list(dict.fromkeys(mark.node.passage for mark in marks if mark.node.passage))
        known = [mark.node.probability for mark in marks if mark.node.probability is not None]
        return Sentence(
            reply[start:end],
            start,
            end,
            tuple(dict.fromkeys(mark.mark for mark in marks)),
            self.support_of(said, passages),
            min(known) if known and len(known) == len(marks) else None,
        )
