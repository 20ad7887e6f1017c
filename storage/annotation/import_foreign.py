"""Converts another system's answer to an item with every mark in it, also marks that name no document."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from searchain.annotation import blocks, citation_styles
from searchain.annotation.labels import item_from_json, to_json
from searchain.annotation.protocol import Item, ItemSource, Origin
from searchain.safe_text import without_surrogates
from storage.annotation import items
from storage.annotation.import_forms import OWN, forms
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
    """Replies with text that looks like a citation but was not recognised, or with a citation without a place."""
    documents: int = 0
    textless: int = 0
    """Documents without a text, of which annotators see the title and the address alone."""
    read_as: Counter[str] = field(default_factory=Counter)
    """Number of replies per form of ``import_forms``."""
    judged_by: Counter[str] = field(default_factory=Counter)
    """Number of replies per annotator of a judged set."""
    forms: Counter[str] = field(default_factory=Counter)
    """Number of marks per style."""
    unclear: Counter[str] = field(default_factory=Counter)

    def add(self, read: citation_styles.Understood, form: str, unplaced: Sequence[str]) -> None:
        """Count one answer; ``unplaced`` are its citations without a place."""
        self.replies += 1
        self.read_as[form] += 1
        self.documents += len(read.sources)
        self.textless += sum(not source.text.strip() for source in read.sources)
        self.marks += len(read.marks)
        self.invented += read.invented
        self.without_marks += not read.marks
        self.uncited += bool(read.unclear or unplaced)
        self.forms.update(read.forms)
        self.unclear.update((*read.unclear, *unplaced))

    @property
    def is_worth_telling(self) -> bool:
        """Return whether something in the file may surprise whoever imported it."""
        return bool(self.invented or self.uncited or self.textless or self.judged_by)

    def lines(self) -> list[str]:
        """Describe the counts, with examples of text that was not recognised."""
        said = [
            f"{self.replies:,} {'reply' if self.replies == 1 else 'replies'}, "
            f"{self.marks:,} {'mark' if self.marks == 1 else 'marks'}, {self.invented:,} invented, "
            f"{self.without_marks:,} without marks, {self.uncited:,} look uncited"
        ]
        for what, found in (("form", self.read_as), ("understood", self.forms), ("judged by", self.judged_by)):
            if found:
                said.append(f"{what}: " + ", ".join(f"{one} ({number})" for one, number in found.most_common()))
        if self.textless:
            said.append(f"{self.textless:,} of {self.documents:,} documents have no text, only a title or an address")
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
    given = [ItemSource(number, one.title, one.text, one.url) for number, one in answer.passages.items()]
    read = citation_styles.read(answer.answer, given, styles=styles)
    form = values.get("form") or forms()[OWN]
    if read.marks and not read.sources and values.get("citations") is None:
        looked = ", ".join((*form["documents"], *form["spans"], *form["part_spans"])) or "none"
        raise ValueError(
            f"its answer has {len(read.marks)} {'mark' if len(read.marks) == 1 else 'marks'} and no document: which "
            f"field holds the documents? Looked for, as {form['name']}: {looked}; --from names another form"
        )
    understanding.add(read, form["name"], values.get("unplaced") or ())
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
    said = {name: values.get(name) for name in other_systems.FIELDS}
    whole = {name: without_surrogates(one) for name, one in said.items() if isinstance(one, str)}
    return other_systems.turn_id({**said, **whole})
