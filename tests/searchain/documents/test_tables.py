"""Rows of tables get the names of their columns where these are sure, and no names where they are not."""

import time

import pytest

from searchain.documents import ParsedDocument
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


CASES = {
    "a merged cell of two rows": (
        table("*Floor | *Room", "2vGround | Heron", "Otter", "First | Lynx"),
        ["#Floor | Room", "Floor: Ground; Room: Heron", "Floor: Ground; Room: Otter", "Floor: First; Room: Lynx"],
    ),
    "a merged cell of two columns": (
        table("*Pool | *Monday | *Tuesday | *Sunday", "Indoor | 2>closed | 9 to 21"),
        ["#Pool | Monday | Tuesday | Sunday", "Pool: Indoor; Monday, Tuesday: closed; Sunday: 9 to 21"],
    ),
    "a header of two lines": (
        table("2v*Model | 2>*Score", "*plain | *complex", "A | 0.9 | 0.8"),
        ["#Model | Score", "#Model | plain | complex", "Model: A; Score plain: 0.9; Score complex: 0.8"],
    ),
    "a header of two lines that nothing marks": (
        table("2vKit | 2>Fee", "old | new", "A | 0.9 | 0.8", "B | 0.7 | 0.6"),
        ["#Kit | Fee", "#Kit | old | new", "Kit: A; Fee old: 0.9; Fee new: 0.8", "Kit: B; Fee old: 0.7; Fee new: 0.6"],
    ),
    "words below a merged cell, as in the head of a letter": (
        table("2vMill | 2>The lease", "Number | 88-12", "By | Ann | Oslo", "For | Bo | Bern"),
        ["Mill | The lease", "Mill | Number | 88-12", "By | Ann | Oslo", "For | Bo | Bern"],
    ),
    "a misfit header": (table("*Monday | *Tuesday", "*9:00 | maths | art"), ["Monday | Tuesday", "9:00: maths | art"]),
    "pairs side by side": (
        table("*Insured | Gabriel Diaz | *Year | 2022", "*Policy | 88-12 | *Branch | Oslo"),
        ["Insured: Gabriel Diaz; Year: 2022", "Policy: 88-12; Branch: Oslo"],
    ),
    "pairs with colons": (
        table(
            "Insured: | Gabriel Diaz | Branch: | Oslo", "Policy: | 88-12 | Agent: | Ann", "City: | Bern | Land: | CH"
        ),
        ["Insured: Gabriel Diaz; Branch: Oslo", "Policy: 88-12; Agent: Ann", "City: Bern; Land: CH"],
    ),
    "pairs that nothing marks": (
        table("Insured | Gabriel Diaz | Branch | Oslo", "Policy | new | Agent | Ann", "City | Bern | Land | CH"),
        ["Insured | Gabriel Diaz | Branch | Oslo", "Policy | new | Agent | Ann", "City | Bern | Land | CH"],
    ),
    "a column of values below a name": (
        table("River | Length", "Seine | 777 km", "Loire | 1,006 km"),
        ["#River | Length", "River: Seine; Length: 777 km", "River: Loire; Length: 1,006 km"],
    ),
    "one row": (table("*Order number | 12345"), ["Order number: 12345"]),
    "names and values by turns": (
        table("*Order | *Placed", "88-12 | 3 May", "*Server | *Table", "Ann | 7"),
        ["#Order | Placed", "Order: 88-12; Placed: 3 May", "#Server | Table", "Server: Ann; Table: 7"],
    ),
    "the same names again": (
        table("*Room | *Beds", "Heron | 2", "Lynx | 3", "*Room | *Beds", "Otter | 4"),
        ["#Room | Beds", "Room: Heron; Beds: 2", "Room: Lynx; Beds: 3", "#Room | Beds", "Room: Otter; Beds: 4"],
    ),
    "a bold row among the rows": (
        table("*Room | *State", "Heron | open", "!Lynx | !closed", "Otter | open"),
        ["#Room | State", "Room: Heron; State: open", "Room: Lynx; State: closed", "Room: Otter; State: open"],
    ),
    "a title and sections across the table": (
        table("2>*Prices", "*Ticket | *Euros", "2>*Adults", "Day | 12"),
        ["Prices", "#Ticket | Euros", "Adults", "Ticket: Day; Euros: 12"],
    ),
    "a cell that claims to be wider than the table": (
        table("*Ticket | *Euros", "9>On holidays closed", "Day | 12"),
        ["#Ticket | Euros", "On holidays closed", "Ticket: Day; Euros: 12"],
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_names_of_columns(what: str):
    written, expected = CASES[what]
    assert rows(written) == expected


def test_the_caption_of_a_table_is_kept():
    document = read("<caption>Rooms of the house</caption>" + CASES["a merged cell of two rows"][0])
    assert ("paragraph", "Rooms of the house") in blocks(document)


def test_huge_merged_cells_are_read_in_a_moment():
    wide = "<tr>" + '<td rowspan="99999" colspan="99999">x</td>' * 20 + "</tr>"
    assert len(rows(wide + "<tr><td>y</td><td>z</td></tr>" * 50)) == 51
    row = '<tr><td rowspan="99999" colspan="99999">x</td><td rowspan="99999">y</td></tr>'
    busy = time.process_time()
    assert len(rows(row * 400)) == 400
    assert time.process_time() - busy < 10  # trafilatura alone took 80 s for them
