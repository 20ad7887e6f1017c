"""Say how far the passages that a sentence cites carry it, and find a passage that carries a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from searchain.cancel import CancelToken
from searchain.chain.written import without_keys
from searchain.language import text
from searchain.language.sentences import split
from searchain.reply.subjects import bare_title
from searchain.reply.support_check import SentenceCheck
from searchain.types import Passage, Span, Support
from searchain.verification.held import missing

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
        if _is_quoted(said, passages):
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


def _is_quoted(said: str, passages: Sequence[Passage]) -> bool:
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
