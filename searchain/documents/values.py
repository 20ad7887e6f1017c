"""Write nested values, such as those of JSON and of XML, as lines and tables under headings."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from searchain.documents.decoding import decode
from searchain.documents.parsed import BlockKind
from searchain.documents.tables import MAX_COLUMNS, MAX_ROWS, Cell, put_rows
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused

MOST_HEADINGS = 6
"""The depth below which values are lines ``outer.inner: value`` instead of having headings."""
_TITLES = ("name", "title", "label", "id")
_FEW = 8  # most parts of an object that has no heading of its own
_LONG = 80  # fewest letters of a text in a list that is an item of its own


def read(content: bytes, writer: Writer) -> None:
    """Write a JSON file, or one with a JSON value in each line."""
    text = decode(content)
    try:
        value = _loads(text)
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            value = [_loads(line) for line in lines] if len(lines) > 1 else _loads(text)
        except json.JSONDecodeError:
            place = f"line {error.lineno}, column {error.colno}"
            raise DocumentRefused("failed", f"The file is no JSON: {error.msg} in {place}.") from error
    write(value, writer)


def _loads(text: str) -> Any:
    return json.loads(text, parse_int=str, parse_float=str)  # as they are written, however many digits there are


def write(value: Any, writer: Writer, name: str = "", level: int = 1) -> None:
    """Write a value.

    Several objects are a table, in which each object is a row; other objects are lines ``name: value``, and what is
    nested in them stands under its name as heading. ``name``: that of the value, after the names of outer values that
    have no heading. ``level``: that of the next heading.
    """
    rows = _records(value)
    if rows:
        if len(rows) > MAX_ROWS:
            raise DocumentRefused("too_large", f"The file has more than {MAX_ROWS:,} records; split it.")
        put_rows(list(_table(rows)), writer)
    elif isinstance(value, Mapping):
        for part, inner in sorted(value.items(), key=lambda item: not _is_small(item[1])):
            _write_part(inner, writer, f"{name}.{part}".strip("."), level)
    elif isinstance(value, list) and len(value) == 1:
        write(value[0], writer, name, level)
    elif isinstance(value, list):
        for number, inner in enumerate(value, 1):
            if _is_nested(inner):
                _write_part(inner, writer, f"{name} {number}{_title(inner)}".strip(), level)
            else:
                writer.put_block(BlockKind.LIST_ITEM, _said(inner), level=1)
    else:
        writer.put_block(BlockKind.PARAGRAPH, f"{name}: {_said(value)}" if name else _said(value))


def _write_part(value: Any, writer: Writer, name: str, level: int) -> None:
    if not _is_nested(value):
        writer.put_block(BlockKind.PARAGRAPH, f"{name}: {_said(value)}")
        return
    is_list = isinstance(value, list) and not _records(value)
    if level > MOST_HEADINGS or _is_small(value) or (is_list and any(map(_is_nested, value))):
        write(value, writer, name, level)
    else:
        writer.put_block(BlockKind.HEADING, name, level=level)
        write(value, writer, "", level + 1)


def _is_small(value: Any) -> bool:
    """Tell whether a value takes a few lines, which need no heading."""
    if isinstance(value, Mapping):
        return len(value) <= _FEW and not any(map(_is_nested, value.values()))
    return not _is_nested(value)


def _title(value: Any) -> str:
    """Return how an object calls itself, after a colon."""
    named = (value.get(name) for name in _TITLES) if isinstance(value, Mapping) else ()
    return next((f": {_said(title)}" for title in named if isinstance(title, str) and title), "")


def _is_nested(value: Any) -> bool:
    """Tell whether a value does not fit into one line."""
    if isinstance(value, list):
        return any(_is_nested(one) or isinstance(one, list) or len(_said(one)) >= _LONG for one in value)
    return isinstance(value, Mapping) and bool(value) and not ("" in value and not any(map(_is_nested, value.values())))


def _said(value: Any) -> str:
    """Return a value as it is written in one line; what an object has besides its text stands in brackets."""
    match value:
        case str():
            return " ".join(value.split())
        case list():
            return ", ".join(map(_said, value)) or "none"
        case Mapping():
            more = "; ".join(f"{path}: {said}" for path, said in _flat(value) if path)
            return f"{_said(value.get('', ''))} ({more})".strip()
    return json.dumps(value)


def _records(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects that make a table: of a list, or of an object that holds objects with the same names.

    None of them holds a list of objects.
    """
    if isinstance(value, Mapping):
        inner = list(value.values())
        if not all(isinstance(one, Mapping) and one.keys() == inner[0].keys() for one in inner):
            return []
        value = [{"": name} | dict(one) for name, one in value.items()]
    are_objects = isinstance(value, list) and len(value) > 1 and all(isinstance(one, Mapping) and one for one in value)
    has_columns = are_objects and len({name for one in value for name in one}) > 1
    return value if has_columns and not any(map(_holds_objects, value)) else []


def _holds_objects(value: Any) -> bool:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(isinstance(value, list) and isinstance(one, Mapping) or _holds_objects(one) for one in inner)


def _table(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[Cell]]:
    flat = [dict(_flat(row)) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))[:MAX_COLUMNS]
    yield [Cell(name or "name", is_name=True) for name in names]
    yield from ([Cell(row.get(name, "")) for name in names] for row in flat)


def _flat(value: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each value within an object with its path; a list takes one line."""
    for name, inner in value.items():
        at = ".".join(filter(None, (path, str(name))))
        if isinstance(inner, Mapping) and inner:
            yield from _flat(inner, at)
        elif inner is not None and inner != "":
            yield at, _said(inner)
