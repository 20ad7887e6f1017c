"""Exclusions of a study: annotators, replies and systems that its report leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from searchain.annotation.protocol import Origin
from searchain.annotation.study import Exclusions
from storage.annotation.history import Judgement
from storage.annotation.pseudonyms import Names


@dataclass(frozen=True, slots=True)
class Excluded:
    """The excluded annotators, replies and systems."""

    annotators: Mapping[str, str]
    """Casefolded name → reason."""
    items: frozenset[str]
    systems: frozenset[str]
    counts: Mapping[str, int]
    """Judgements per casefolded annotator."""

    def leaves_out(self, one: Judgement) -> bool:
        """Return whether the judgement is excluded."""
        return one.annotator.casefold() in self.annotators or self.leaves_out_item(one.item.id, one.item.system)

    def leaves_out_item(self, item: str, system: str) -> bool:
        """Return whether every judgement of the reply is excluded."""
        return item in self.items or system in self.systems

    def lines(self, names: Names) -> Iterator[str]:
        """Describe each exclusion in one line."""
        for name, reason in sorted(self.annotators.items()):
            yield f"annotator {names(name)}: {reason}; {self.counts.get(name, 0)} judgements"
        yield from (f"reply {item}" for item in sorted(self.items))
        yield from (f"system {system}" for system in sorted(self.systems))


def excluded(judgements: Sequence[Judgement], rules: Exclusions, pseudonyms: Mapping[str, str]) -> Excluded:
    """Apply the ``rules``; ``pseudonyms`` maps casefolded names to pseudonyms."""
    by_pseudonym = {pseudonym: name for name, pseudonym in pseudonyms.items()}
    counts = Counter(one.annotator.casefold() for one in judgements)
    out = {
        name: "named by the study"
        for one in rules.annotators
        if (name := by_pseudonym.get(one, one.casefold())) in counts
    }
    if (least := rules.annotators_below_checks) is not None:
        for name in counts:
            right, tried = checks(one for one in judgements if one.annotator.casefold() == name)
            if tried and right / tried < least:
                out[name] = f"{right} of {tried} hidden checks right, fewer than {least:.0%}"
    return Excluded(out, frozenset(rules.items), frozenset(rules.systems), counts)


def checks(judgements: Iterator[Judgement]) -> tuple[int, int]:
    """Return how many hidden checks were judged with the known label of support, and how many were judged."""
    right = tried = 0
    for one in judgements:
        if one.item.origin is Origin.PRACTICE:
            said = next((item.support for item in one.labels.knowledge_items if item.support), None)
            tried += said is not None
            right += said is not None and said == one.item.machine.known
    return right, tried
