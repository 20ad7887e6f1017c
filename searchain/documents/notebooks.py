"""Convert a Jupyter notebook to document text, cell by cell. Runs in the child process only."""

import json
from collections.abc import Mapping
from typing import Any

from searchain.documents import markdown
from searchain.documents.decoding import decode
from searchain.documents.html_blocks import blocks_of, parse, write
from searchain.documents.parsed import BlockKind
from searchain.documents.writer import Writer, title_of
from searchain.errors import DocumentRefused


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text, the code and what it printed; return the title."""
    try:
        notebook = json.loads(decode(content))
        sheets = (notebook, *notebook.get("worksheets", ()))  # those of format 3 and older hold the cells
        cells = [cell for sheet in sheets for cell in sheet.get("cells", ()) if isinstance(cell, dict)]
    except (ValueError, TypeError, AttributeError) as error:
        raise DocumentRefused("failed", "The file is no notebook, or a damaged one.") from error
    pictures = 0
    for number, cell in enumerate(cells, 1):
        writer.label(f"cell {number}")
        pictures += _write_cell(cell, writer)
    writer.leave_out({"picture": pictures})
    return title_of(None, writer)


def _write_cell(cell: Mapping[str, Any], writer: Writer) -> int:
    """Write a cell, and return how many pictures it printed."""
    source = _text(cell.get("source", cell.get("input")))
    match cell.get("cell_type"):
        case "markdown":
            markdown.write_text(source, writer)
        case "heading":
            writer.put_block(BlockKind.HEADING, source, level=cell.get("level", 1))
        case "code":
            writer.put_block(BlockKind.CODE, source.strip("\n"))
        case _:
            writer.put_block(BlockKind.PARAGRAPH, source)
    return sum(_write_output(output, writer) for output in cell.get("outputs", ()))


def _write_output(output: dict[str, Any], writer: Writer) -> bool:
    """Write what a cell printed, a table with its columns; return whether it is a picture."""
    printed = output | output.get("data", {})
    page = _text(printed.get("text/html", printed.get("html")))
    if "<table" in page:
        write(blocks_of(parse(page)), writer)
    elif output.get("output_type") in ("error", "pyerr"):
        writer.put_block(BlockKind.CODE, f"{output.get('ename')}: {output.get('evalue')}")
    else:
        writer.put_block(BlockKind.CODE, _text(printed.get("text/plain", printed.get("text"))).strip("\n"))
    return any(name.startswith("image/") or name in ("png", "jpeg", "svg") for name in printed)


def _text(source: Any) -> str:
    """Return a text, which may be a list of lines, in old notebooks without their ends."""
    lines = list(map(str, source)) if isinstance(source, list) else [str(source or "")]
    return ("" if lines and "\n" in lines[0] else "\n").join(lines)
