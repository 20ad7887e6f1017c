"""Converts another system's answer to an item with every mark in it, also marks that name no document."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from searchain.annotation import blocks, citation_styles
from searchain.annotation.payloads import item_from_json, to_json
from searchain.annotation.protocol import Item, ItemSource, Origin
from searchain.safe_text import without_surrogates
from storage.annotation import items
from storage.transfer import other_systems

_EXAMPLES = 5


@dataclass
class Understanding:
    """Counts of the marks and citation styles that were recognised in other systems' answers."""

    replies: int = 0
    marks: int = 0
    invented: int = 0
    """Marks with a number that no document has."""
    without_marks: int = 0
    """Replies without marks."""
    uncited: int = 0
    """Replies with text that looks like a citation but was not recognised."""
    forms: Counter[str] = field(default_factory=Counter)
    """Number of marks per style."""
    unclear: Counter[str] = field(default_factory=Counter)

    def add(self, read: citation_styles.Understood) -> None:
        """Count one answer."""
        self.replies += 1
        self.marks += len(read.marks)
        self.invented += read.invented
        self.without_marks += not read.marks
        self.uncited += bool(read.unclear)
        self.forms.update(read.forms)
        self.unclear.update(read.unclear)

    def lines(self) -> list[str]:
        """Describe the counts, with examples of text that was not recognised."""
        said = [
            f"{self.replies:,} {'reply' if self.replies == 1 else 'replies'}, "
            f"{self.marks:,} {'mark' if self.marks == 1 else 'marks'}, {self.invented:,} invented, "
            f"{self.without_marks:,} without marks, {self.uncited:,} look uncited"
        ]
        if self.forms:
            said.append("understood: " + ", ".join(f"{form} ({number})" for form, number in self.forms.most_common()))
        if self.unclear:
            shown = ", ".join(f"“{text}” ({number})" for text, number in self.unclear.most_common(_EXAMPLES))
            more = len(self.unclear) - _EXAMPLES
            said.append(f"looks like a citation, not understood: {shown}" + (f", {more} more" if more > 0 else ""))
        return said


def item(values: Mapping[str, Any], understanding: Understanding, styles: Sequence[str] = ()) -> Item:
    """Convert the answer to an item without an ID, and count it in ``understanding``.

    Raises:
        ValueError: a field is missing or has a wrong type; the message names it.
        UsageError: the fields of the item contradict each other.
    """
    answer = other_systems.checked(values)
    aliases = {str(text): number for text, number in (values.get("aliases") or {}).items() if isinstance(number, int)}
    given = [ItemSource(number, one.title, one.text, one.url) for number, one in answer.passages.items()]
    read = citation_styles.read(answer.answer, given, styles=styles, aliases=aliases)
    understanding.add(read)
    cited = dict.fromkeys(mark.number for mark in read.marks)
    sources = {source.number: source for source in read.sources}
    found = Item(
        id="",
        origin=Origin.FOREIGN,
        question=answer.question,
        system=answer.system,
        model=answer.system,
        task=None,
        answer=read.answer,
        sentences=blocks.split(read.answer),
        marks=read.marks,
        sources=tuple(sources[number] for number in cited if number in sources),
        uncited=tuple(source for source in read.sources if source.number not in cited)[: items.MOST_UNCITED],
    )
    return item_from_json(to_json(items.identified(found)))


def turn(values: Mapping[str, Any]) -> str:
    """Return the ID of the turn that ``import`` would make from this answer, so that the desk has it only once."""
    return other_systems.turn_id({name: _whole(values.get(name)) for name in other_systems.FIELDS})


def _whole(value: Any) -> Any:
    return without_surrogates(value) if isinstance(value, str) else value
