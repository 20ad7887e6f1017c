"""A checker over a few passages: words decide, and "absent" is what shares none with a passage."""

from collections.abc import Sequence

from searchain.check.checker import Checker
from searchain.check.judging import ABSENT, Judged
from searchain.language import text
from searchain.types import Hit, Passage, Span, Support

LEASE = Passage("p1", "lease.txt", "The rent is 900 euros. Pets are allowed.")
RULES = Passage("p2", "rules.txt", "The gate is closed at noon.")


class Nearest:
    """Finds the passages by shared words, the nearest first."""

    def search(self, query: str, k: int) -> list[Hit]:
        asked = text.content_words(query)
        ranked = sorted((LEASE, RULES), key=lambda one: -len(asked & text.content_words(one.text)))
        return [Hit(passage, 1.0, rank) for rank, passage in enumerate(ranked[:k], 1)]


class ByWords:
    """A number that no passage has is contradicted; other sentences are supported where their words stand.

    Neither questions nor exclamations claim anything.
    """

    def judge(self, sentence: str, passages: Sequence[Passage]) -> Judged:
        wanted = text.content_words(sentence)
        for passage in passages:
            held = text.content_words(passage.text)
            strange = [word for word in sentence.split() if word.isdigit() and word not in passage.text]
            if strange and wanted & held:
                at = sentence.index(strange[0])
                return Judged(Support.CONTRADICTED, passage, Span(12, 21), (Span(at, at + len(strange[0])),))
            if wanted <= held:
                return Judged(Support.SUPPORTED, passage, Span(0, 22))
        return ABSENT

    def is_claim(self, sentence: str) -> bool:
        return not sentence.endswith(("?", "!"))


def checker(index: str = "default") -> Checker:
    return Checker(Nearest(), ByWords(), ByWords(), index=index)
