"""Tables and columns of PDFs: every row is read with its cells and their names, every column after the other."""

from collections.abc import Sequence

import pytest

from searchain.documents.originals import locate
from searchain.documents.pdf import find
from tests.support.document_set import Words
from tests.support.parsed_files import parsed
from tests.support.pdf_files import Sheet, Text, column, pdf
from tests.support.table_set import Table, table_set


@pytest.mark.parametrize("table", table_set(), ids=lambda table: table.name)
def test_every_row_is_read_with_all_its_cells_and_their_names(table: Table):
    lines = set(parsed("file.pdf", table.content).text.split("\n"))
    assert [row for row in table.read if row not in lines] == []
    assert not any("District" in line or "Page" in line for line in lines)


def test_a_mark_on_a_row_of_a_later_page_stays_on_that_page():
    table = table_set()[0]
    document = parsed("file.pdf", table.content)
    row = table.read[60]
    start = document.text.index(row)
    (region,) = locate(document, start, start + len(row), lambda pages: find(table.content, pages))
    assert region.page == 2
    assert len(region.boxes) == 4


@pytest.mark.parametrize("is_by_row", [False, True])
@pytest.mark.parametrize(("count", "room", "gap"), [(2, 230, 20), (3, 150, 12), (4, 115, 12), (5, 90, 10)])
def test_any_number_of_columns_is_read_one_after_the_other(count: int, room: float, gap: float, is_by_row: bool):
    words = Words(count)
    sheets, wanted = [], []
    for _ in range(2):
        texts = [" ".join(words.paragraph(6) for _ in range(4)) for _ in range(count)]
        columns = [column(text, 50 + n * (room + gap), 680, room, 9)[0] for n, text in enumerate(texts)]
        lines = min(map(len, columns))
        columns = [each[:lines] for each in columns]
        drawn = zip(*columns, strict=True) if is_by_row else columns
        sheets.append(Sheet([Text(50, 720, words.sentence(6)[:-1], 18), *(text for some in drawn for text in some)]))
        wanted += [word for each in columns for text in each for word in text.text.split()]
    drawn_words = set(wanted)
    assert [word for word in parsed("file.pdf", pdf(sheets)).text.split() if word in drawn_words] == wanted


def test_a_running_head_goes_only_where_its_numbers_rise_with_the_pages():
    def sheet(page: int, amount: int) -> Sheet:
        lines = [Text(72, 700 - 40 * n, f"A paragraph of page {page * 7} says {n} things.") for n in range(5)]
        return Sheet([Text(72, 760, f"Chapter 2, page {page}"), *lines, Text(72, 60, f"The total is {amount} euros.")])

    text = parsed("file.pdf", pdf([sheet(n, amount) for n, amount in enumerate((310, 42, 7, 1999, 65), 1)])).text
    assert "Chapter" not in text
    assert all(f"The total is {amount} euros." in text for amount in (310, 42, 7, 1999, 65))


DEPTHS = [["1998", "41.5", "7", "310"], ["1999", "43.0", "9", "325"], ["2000", "44.5", "8", "341"]]
X = (60, 160, 260, 360)
"""Where the columns begin, in points."""


def drawn(y: float, cells: Sequence[str], left: Sequence[float] = X, *, bold: bool = False) -> list[Text]:
    return [Text(x, y, cell, 10, bold) for x, cell in zip(left, cells, strict=True) if cell]


def rows_at(y: float, rows: Sequence[Sequence[str]], step: float = 16.0) -> list[Text]:
    return [text for n, row in enumerate(rows) for text in drawn(y - step * n, row)]


def ruled(across: Sequence[float], down: Sequence[tuple[float, float, float]]) -> bytes:
    """Lines from side to side at each height, and down at each place from one height to another."""
    left, right = down[0][0], down[-1][0]
    lines = [(left, y, right, y) for y in across] + [(x, low, x, high) for x, low, high in down]
    return b"\n".join(b"%g %g m %g %g l S" % line for line in lines)


BELOW = rows_at(684, DEPTHS)
SIGNS = [
    *drawn(700, ["Sign", "By day", "By night"], X[:3]),
    *[t for n, a in enumerate("abcd") for t in drawn(684 - 16 * n, [f"buoy {a}", "seen", "not seen"], X[:3])],
]
NIGHT = "Sign: buoy c; By day: seen; By night: not seen"
HEADS = {
    "an empty corner": (
        [*drawn(700, ["", "Depth", "Wells", "Cost"]), *BELOW],
        "1999; Depth: 43.0; Wells: 9; Cost: 325",
    ),
    "the same name twice": (
        [*drawn(700, ["Year", "Share", "Wells", "Share"]), *rows_at(684, DEPTHS)],
        "Year: 1999; Share: 43.0; Wells: 9; Share: 325",
    ),
    "names of two lines": (
        [
            *drawn(711, ["", "Mean", "Open", "Yearly"]),
            *drawn(700, ["Year", "depth", "wells", "cost"]),
            *rows_at(680, DEPTHS),
        ],
        "Year: 1999; Mean depth: 43.0; Open wells: 9; Yearly cost: 325",
    ),
    "names above two columns": (
        [
            *drawn(716, ["North", "South"], [205, 408]),
            *drawn(700, ["Year", "Depth", "Wells", "Depth", "Wells"], [60, 160, 260, 360, 460]),
            *[t for n, row in enumerate(DEPTHS) for t in drawn(684 - 16 * n, [*row, "6"], [60, 160, 260, 360, 460])],
        ],
        "Year: 1999; North Depth: 43.0; North Wells: 9; South Depth: 325; South Wells: 6",
    ),
    "names whose columns are not clear": (
        [*drawn(716, ["North", "South"], [160, 262]), *drawn(700, ["Year", "Depth", "Wells", "Cost"]), *BELOW],
        "Year: 1999; Depth: 43.0; Wells: 9; Cost: 325",
    ),
    "drawn heads": (
        [*drawn(718, ["All drilled"], [262]), *drawn(702, ["Year", "Depth", "Wells", "Cost"]), *rows_at(684, DEPTHS)],
        ruled([730, 698, 640], [(55, 640, 730), (150, 640, 730), (350, 640, 730), (430, 640, 730)])
        + b"\n150 714 m 350 714 l S",
        "Year: 1999; All drilled Depth: 43.0; All drilled Wells: 9; Cost: 325",
    ),
    "words alone below bold names": (
        [
            *drawn(700, ["Sign", "By day", "By night"], X[:3], bold=True),
            Text(60, 684, "Lights", 10),
            *[t for n, a in enumerate("abcd") for t in drawn(668 - 16 * n, [f"buoy {a}", "seen", "not seen"], X[:3])],
        ],
        NIGHT,
    ),
    "words below shaded names": (
        SIGNS,
        b"0.8 g 55 696 300 14 re f 0.95 g 55 680 300 14 re f 55 648 300 14 re f",
        NIGHT,
    ),
    "words alone, every second row shaded": (
        SIGNS,
        b"0.9 g 55 696 300 14 re f 55 664 300 14 re f 55 632 300 14 re f",
        "buoy c | seen | not seen",
    ),
    "lines as near as rows": (
        [*drawn(700, ["Number", "Paid for", "Amount"], X[:3])]
        + [
            text
            for n in range(4)
            for text in (
                *drawn(680 - 24 * n, [f"A{n}", "staff travel", f"{n}1.50"], X[:3]),
                Text(160, 668 - 24 * n, f"to Town {n}", 10),
            )
        ],
        "Number: A2; Paid for: staff travel to Town 2; Amount: 21.50",
    ),
    "columns as near as words": (
        [
            *drawn(700, ["Name", "Town"], X[:2]),
            *drawn(684, ["Anna Berg of Falun", "Orsa 12"], (60, 150)),
            *drawn(668, ["Bo Ek", "7 Lund"], (60, 150)),
        ],
        ruled([712, 694, 678, 662], [(55, 662, 712), (147, 662, 712), (300, 662, 712)]),
        "Anna Berg of Falun | Orsa 12",
    ),
}
"""What is drawn, the lines around it if there are any, and a row as it is read."""


@pytest.mark.parametrize("name", HEADS)
def test_columns_have_the_names_that_stand_above_them(name: str):
    texts, *lines, wanted = HEADS[name]
    assert wanted in parsed("file.pdf", pdf([Sheet(texts, more=b"".join(lines))])).text.split("\n")


def test_a_heading_between_the_rows_of_a_table_keeps_their_names():
    rows = [["Rock", "41", "3"], ["Clay", "44", "2"]]
    texts = [*drawn(700, ["", "Depth", "Wells"], X[:3], bold=True)]
    for n, place in enumerate(("North of the river", "South of the river")):
        texts.append(Text(60, 684 - 48 * n, place, 10, bold=True))
        texts += [text for m, row in enumerate(rows) for text in drawn(668 - 48 * n - 16 * m, row, X[:3])]
    lines = parsed("file.pdf", pdf([Sheet(texts)])).text.split("\n")
    assert lines.count("Clay; Depth: 44; Wells: 2") == 2


def test_the_numbers_of_a_transcripts_lines_are_left_out():
    said = [
        "The hearing was opened at nine and the",
        "clerk read the names.",
        "",
        "MR. BERG: Who dug the well,",
        "and in which year?",
    ] * 4
    texts = [Text(60, 700 - 24 * n, str(n), 10) for n in range(1, 21)]
    texts += [Text(100, 700 - 24 * n, line, 10) for n, line in enumerate(said, 1) if line]
    text = parsed("file.pdf", pdf([Sheet(texts)])).text
    assert "The hearing was opened at nine and the clerk read the names." in text
    assert not any(character.isdigit() for character in text)
