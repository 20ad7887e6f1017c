"""Imports replies to the desk from stored turns and files, and hidden checks: a whole file or nothing of it."""

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ulid import ULID

from searchain.annotation import blocks, citation_styles, guided_practice
from searchain.annotation.labels import item_from_json, to_json
from searchain.annotation.protocol import Item, ItemSource, Labels, Origin
from searchain.errors import NotFound, StorageError, UsageError
from searchain.language.text import plural
from searchain.safe_text import without_surrogates
from searchain.types import ENDED
from storage.annotation import import_forms, import_judged, items
from storage.annotation.import_forms import OWN, forms
from storage.annotation.import_rows import Frozen, Merge, Reader, Reply, Row, is_ours
from storage.database import Database
from storage.history import finished_turns
from storage.history.selection import Selection
from storage.transfer import jsonl
from storage.transfer.jsonl import FORMAT

ANNOTATOR, GOLD, NONE = LABELS = ("annotator", "gold", "none")
"""A judged set's judgements become labels of its annotators, gold labels, or nothing."""


@dataclass
class Understanding:
    """Counts of the marks and citation styles that were recognised in other systems' answers."""

    replies: int = 0
    marks: int = 0
    invented: int = 0
    """Marks with a number that no document has."""
    without_marks: int = 0
    uncited: int = 0
    """Replies with text that looks like a citation but was not recognised, or with a citation without a place."""
    documents: int = 0
    textless: int = 0
    """Documents without a text, of which annotators see the title and the address alone."""
    read_as: Counter[str] = field(default_factory=Counter)
    """Number of replies per form of ``import_forms``."""
    judged_by: Counter[str] = field(default_factory=Counter)
    """Number of replies per annotator of a judged set."""
    judged: dict[tuple[str, str], Labels] = field(default_factory=dict)
    """The first labels of each turn of a judged set, by turn and annotator."""
    differing: int = 0
    """Labels that differ from earlier ones of the same annotator on the same reply, and do not count."""
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
        if self.differing:
            said.append(f"{self.differing:,} judged again, and otherwise: the first judgement counts")
        if self.textless:
            said.append(f"{self.textless:,} of {self.documents:,} documents have no text, only a title or an address")
        if self.unclear:
            shown = ", ".join(f"“{text}” ({number})" for text, number in self.unclear.most_common(_EXAMPLES))
            more = len(self.unclear) - _EXAMPLES
            said.append(f"looks like a citation, not understood: {shown}" + (f", {more} more" if more > 0 else ""))
        return said


@dataclass(frozen=True, slots=True)
class Imported:
    added: int
    skipped: int
    """Replies that the desk had already."""
    understood: Understanding | None = None
    """Counts of recognised marks in other systems' answers; ``None`` if the file has no such answers."""

    def told(self, *, is_trial: bool) -> list[str]:
        """Describe what was understood, if it was a trial or may surprise whoever imported the file."""
        found = self.understood or Understanding()
        is_odd = found.invented or found.uncited or found.textless or found.judged_by
        return found.lines() if found.replies and (is_trial or is_odd) else []


@dataclass(frozen=True, slots=True)
class Reading:
    """Options for reading other systems' answers."""

    format: str | None = None
    """A name out of ``import_forms.forms``; ``None``: detect it by the fields."""
    system: str | None = None
    """The name of the system, if a file does not name it."""
    styles: tuple[str, ...] = ()
    """Names out of ``citation_styles.STYLES``."""
    is_strict: bool = False
    """Whether a file is refused if it has text that looks like a citation but was not recognised."""
    labels: str = ANNOTATOR
    """What becomes of a judged set's judgements; one of ``LABELS``."""


def turns(store: Database, selection: Selection, *, quota: int = items.QUOTA, latest: int | None = None) -> Imported:
    """Put the replies of the selected turns on the desk, but only of runs that ended normally.

    With ``latest``, only that many, the newest ones. Raises ``StorageError`` if a log is damaged.
    """
    found = [
        (items.of_record(record), record.turn)
        for record in finished_turns.records(store, selection)
        if (turn := record.state()).status in ENDED and turn.answer.strip()
    ]
    if latest is not None:  # the ids of turns begin with the time
        found = sorted(found, key=lambda one: one[1])[-latest:]
    with store.writing() as db:
        added = sum(items.add(db, item, turn=turn, quota=quota) for item, turn in found)
    return Imported(added, len(found) - added)


def own_turn(store: Database, turn: str, owner: str, *, quota: int = items.QUOTA) -> str:
    """Put one reply of ``owner`` on the desk, unless it is there; return its item.

    Raises ``NotFound`` if there is no such reply, or its run did not end normally.
    """
    turns(store, Selection(turn=turn, owner=owner), quota=quota)
    query = """SELECT a.id FROM annotation_items a JOIN turns t ON t.id = a.turn JOIN conversations c
        ON c.id = t.conversation WHERE a.turn = ? AND c.owner = ? AND a.withdrawn IS NULL"""
    row = store.row(query, (turn, owner))
    if row is None:
        raise NotFound("this reply cannot be judged: it did not come to its end, or is no longer there")
    return str(row[0])


def file(
    store: Database,
    raw: Iterable[bytes],
    *,
    quota: int = items.QUOTA,
    reading: Reading | None = None,
    is_trial: bool = False,
) -> Imported:
    """Put the replies of a file on the desk: other systems' answers (``import_forms``), turns of
    ``export --format jsonl``, and items, labels and gold labels of ``annotate export --format jsonl``.

    The lines in ``raw`` hold a JSON object each, or one JSON document in all. With ``is_trial`` nothing is stored, and
    the result still counts the recognised marks.

    Raises:
        StorageError: a line is invalid or contradicts what is stored; nothing was imported.
        UsageError: ``reading`` is strict, and some text looks like a citation but was not recognised.
    """
    reading = reading or Reading()
    if reading.format not in (None, *import_forms.forms()):
        raise UsageError(f"{reading.format!r} is no form; `annotate import --list-forms` names them")
    if reading.labels not in LABELS:
        raise UsageError(f"judgements cannot become {reading.labels!r}; name one of {', '.join(LABELS)}")
    reader, understanding = Reader(store), Understanding()
    found: list[tuple[int, Reply | Frozen | Row]] = []
    for number, values in _values(raw):
        with jsonl.in_line(number):
            found += [(number, one) for one in _read(reader, values, reading, understanding)]
    said = understanding if understanding.replies else None
    if reading.is_strict and understanding.uncited:
        raise UsageError(f"{'; '.join(understanding.lines())}; nothing was imported. Leave --strict out to import them")
    if is_trial:
        return Imported(0, 0, said)
    added = 0
    with store.writing() as db:  # everybody else waits: what takes time is done by now
        merge = Merge(db, quota)
        for number, one in found:
            with jsonl.in_line(number):
                added += merge.add(one)
    return Imported(added, len(found) - added, said)


def folder(store: Database, path: Path, *, quota: int = items.QUOTA) -> Imported:
    """Put the known replies of every ``*.jsonl.gz`` in ``path`` on the desk as hidden checks.

    Raises:
        UsageError: ``path`` has no such file.
        StorageError: a line is invalid; nothing was imported.
    """
    files = sorted(path.glob("*.jsonl.gz"))
    if not files:
        raise UsageError(f"there is no *.jsonl.gz in {str(path)!r}; name the folder of the hidden checks")
    found = [item for one in files for item in _known(one)]
    with store.writing() as db:
        added = sum(items.add(db, item, quota=quota) for item in found)
    return Imported(added, len(found) - added)


def _values(raw: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file with their line numbers. A JSON document of several lines has number 1."""
    lines = [(number, line) for number, line in enumerate(raw, 1) if line.strip()]
    if len(lines) > 1 and not _is_json(lines[0][1]) and _is_json(whole := b"".join(line for _, line in lines)):
        lines = [(lines[0][0], whole)]
    for number, line in lines:
        with jsonl.in_line(number):
            text = line.decode()
            values = jsonl.parse(f'{{"list": {text}}}')["list"] if text.lstrip()[:1] == "[" else jsonl.parse(text)
            if isinstance(values, list) and not (values and all(isinstance(one, dict) for one in values)):
                raise ValueError("it is no JSON object")
        yield from ((number, one) for one in (values if isinstance(values, list) else [values]))


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _read(
    reader: Reader, values: dict[str, Any], reading: Reading, understanding: Understanding
) -> Iterator[Reply | Frozen | Row]:
    if is_ours(values):
        if (row := reader.read(values)) is not None:
            yield row
    elif values.get("format") == FORMAT:
        record = jsonl.record(values)
        yield Reply(items.of_record(record), record.turn)
    else:
        for answer in import_forms.answers(values, reading.format, reading.system):
            yield _reply(answer, reading, understanding)


def _reply(answer: dict[str, Any], reading: Reading, understanding: Understanding) -> Reply:
    name, is_judged = answer["form"]["name"], bool(answer["form"]["judged"])
    answer, spans = import_judged.composed(answer) if is_judged else (answer, ())
    item = foreign_item(answer, understanding, reading.styles)
    if not is_judged:
        return Reply(item, foreign_turn(answer))
    item, labels = import_judged.labelled(item, spans, answer)
    if reading.labels == NONE:
        labels = []
    if reading.labels == GOLD and len(labels) > 1:
        advice = "import their labels as annotators, and decide on the desk"
        raise ValueError(f"{len(labels)} annotators judged it; {advice}")
    understanding.judged_by.update(name for name, _ in labels)
    turn = foreign_turn(answer)
    for by, said in labels:
        understanding.differing += understanding.judged.setdefault((turn, by), said) != said
    return Reply(item, turn, tuple(labels), name, is_gold=reading.labels == GOLD)


def _known(path: Path) -> Iterator[items.Item]:
    number = 0
    try:
        with gzip.open(path) as raw:
            for line in raw:
                number += 1
                yield items.identified(guided_practice.item(jsonl.parse(line.decode())))
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise StorageError(
            f"line {number} of {str(path)!r} cannot be imported: {error}; nothing was imported"
        ) from None


_EXAMPLES = 5


def foreign_item(values: Mapping[str, Any], understanding: Understanding, styles: Sequence[str] = ()) -> Item:
    """Convert the answer to an item without an ID, and count it in ``understanding``.

    Raises:
        ValueError: a field is missing or has a wrong type; the message names it.
        UsageError: the fields of the item contradict each other.
    """
    question, system, answer = (_text(values, name) for name in ("question", "system", "answer"))
    if not question.strip() or not answer.strip():
        raise ValueError("its question or its answer is empty")
    read = citation_styles.read(answer, _sources(values.get("citations") or []), styles=styles)
    form = values.get("form") or forms()[OWN]
    if read.marks and not read.sources and values.get("citations") is None:
        looked = ", ".join((*form["documents"], *form["spans"], *form["part_spans"])) or "none"
        raise ValueError(
            f"its answer has {plural(len(read.marks), 'mark')} and no document: which field holds the documents? "
            f"Looked for, as {form['name']}: {looked}; --from names another form"
        )
    understanding.add(read, form["name"], values.get("unplaced") or ())
    cited = dict.fromkeys(mark.number for mark in read.marks)
    sources = {source.number: source for source in read.sources}
    found = Item(
        id="",
        origin=Origin.FOREIGN,
        question=question,
        system=system,
        model=system,
        task=None,
        answer=read.answer,
        sentences=blocks.split(read.answer),
        marks=read.marks,
        sources=tuple(sources[number] for number in cited if number in sources),
        uncited=tuple(source for source in read.sources if source.number not in cited)[: items.MOST_UNCITED],
    )
    return item_from_json(to_json(items.identified(found)))


def _sources(citations: Any) -> list[ItemSource]:
    if not isinstance(citations, list) or not all(isinstance(one, dict) for one in citations):
        raise ValueError("its citations are no list of objects")
    found = list(map(_source, citations))
    if len({source.number for source in found}) != len(found):
        raise ValueError("two of its citations have the same number")
    return found


def _source(citation: Mapping[str, Any]) -> ItemSource:
    number, url = citation.get("number"), citation.get("url")
    if type(number) is not int or not 0 < number < 1_000_000:
        raise ValueError(f"{number!r} is no number of a citation")
    title, text = _text(citation, "title"), _text(citation, "text")
    return ItemSource(number, title, text, _text(citation, "url") if url else None)


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name!r} is missing or no text")
    return value


def foreign_turn(values: Mapping[str, Any]) -> str:
    """Return a hash of the answer's fields in the form of a turn's ID, by which the desk knows it again."""
    said = [values.get(name) for name in ("question", "system", "answer", "citations")]
    parts = [without_surrogates(one) if isinstance(one, str) else one for one in said]
    digest = hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=10).digest()
    return str(ULID.from_bytes(bytes(6) + digest))
