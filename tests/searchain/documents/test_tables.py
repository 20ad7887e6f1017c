"""Rows of tables get the names of their columns where these are sure, and no names where they are not."""

import time

import pytest

from searchain.documents import ParsedDocument
from tests.support.json_lines import kept
from tests.support.parsed_files import blocks, parsed


def read(table: str) -> ParsedDocument:
    return parsed("a.html", f"<html><body><p>A page with a table.</p><table>{table}</table></body></html>")


def rows(table: str) -> list[str]:
    """The rows as they are written; a row of names begins with ``#``."""
    document = read(table)
    found = zip(document.blocks, blocks(document), strict=True)
    return [("#" if block.level else "") + text for block, (kind, text) in found if kind == "table_row"]


def table(*lines: str) -> str:
    """One line a row, cells between bars; ``*`` marks a header cell, ``!`` a bold one, ``2>`` two columns, ``2v`` two rows."""
    spans = {">": "colspan", "v": "rowspan"}
    found = ""
    for line in lines:
        found += "<tr>"
        for cell in (part.strip() for part in line.split("|")):
            span = f' {spans[cell[1]]}="{cell[0]}"' if cell[1:2] in spans else ""
            text = cell[2:].strip() if span else cell
            tag = "th" if text.startswith("*") else "td"
            words = f"<b>{text[1:]}</b>" if text.startswith("!") else text.removeprefix("*")
            found += f"<{tag}{span}>{words}</{tag}>"
        found += "</tr>"
    return found


CASES = kept("tables.json")
"""The lines of each table, and the rows that are read."""


@pytest.mark.parametrize("what", CASES)
def test_names_of_columns(what: str):
    lines, expected = CASES[what]
    assert rows(table(*lines)) == expected


def test_the_caption_of_a_table_is_kept():
    document = read("<caption>Rooms of the house</caption>" + table(*CASES["a merged cell of two rows"][0]))
    assert ("paragraph", "Rooms of the house") in blocks(document)


def test_huge_merged_cells_are_read_in_a_moment():
    wide = "<tr>" + '<td rowspan="99999" colspan="99999">x</td>' * 20 + "</tr>"
    assert len(rows(wide + "<tr><td>y</td><td>z</td></tr>" * 50)) == 51
    row = '<tr><td rowspan="99999" colspan="99999">x</td><td rowspan="99999">y</td></tr>'
    busy = time.process_time()
    assert len(rows(row * 400)) == 400
    assert time.process_time() - busy < 10  # trafilatura alone took 80 s for them
