"""Made-up articles, and what a rule of ``searchain.reading.stated`` answers from them."""

from collections.abc import Callable, Sequence

from searchain.types import Hit, Passage, Reading

NOTHING = Reading("", None, -2.0)
Rule = Callable[[str, Sequence[Hit], Sequence[Reading]], tuple[Hit, Reading] | None]


def article(title: str, lead: str, description: str = "") -> Passage:
    """An article, with a short description if one is given."""
    return Passage(title, title, f"Short description: {description}.\n{lead}" if description else lead)


def answer_of(rule: Rule, question: str, *passages: Passage, probability: float) -> str | None:
    """What the rule reads as the answer, which must stand where it says, with this probability."""
    hits = [Hit(passage, 1.0, rank) for rank, passage in enumerate(passages, start=1)]
    found = rule(question, hits, [NOTHING] * len(hits))
    if found is None:
        return None
    hit, reading = found
    assert hit.passage.text[reading.span.start : reading.span.end] == reading.answer
    assert reading.probability == probability
    return reading.answer
