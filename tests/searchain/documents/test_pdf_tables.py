"""Tables and columns of PDFs: every row is read with its cells and their names, every column after the other."""

import pytest

from searchain.documents import ParsedDocument
from searchain.documents.pdf_views import find
from searchain.documents.reading import read_document
from searchain.documents.views import locate
from tests.support.document_set import Words
from tests.support.pdf_files import Sheet, Text, column, pdf
from tests.support.table_set import Table, table_set


def read(content: bytes) -> ParsedDocument:
    return read_document(content, "file.pdf", read_pictures=None)


@pytest.mark.parametrize("table", table_set(), ids=lambda table: table.name)
def test_every_row_is_read_with_all_its_cells_and_their_names(table: Table):
    lines = set(read(table.content).text.split("\n"))
    assert [row for row in table.read if row not in lines] == []
    assert not any("District" in line or "Page" in line for line in lines)


def test_a_mark_on_a_row_of_a_later_page_stays_on_that_page():
    table = table_set()[0]
    document = read(table.content)
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
    assert [word for word in read(pdf(sheets)).text.split() if word in drawn_words] == wanted


def test_a_running_head_goes_only_where_its_numbers_rise_with_the_pages():
    def sheet(page: int, amount: int) -> Sheet:
        lines = [Text(72, 700 - 40 * n, f"A paragraph of page {page * 7} says {n} things.") for n in range(5)]
        return Sheet([Text(72, 760, f"Chapter 2, page {page}"), *lines, Text(72, 60, f"The total is {amount} euros.")])

    text = read(pdf([sheet(n, amount) for n, amount in enumerate((310, 42, 7, 1999, 65), 1)])).text
    assert "Chapter" not in text
    assert all(f"The total is {amount} euros." in text for amount in (310, 42, 7, 1999, 65))


def test_neighbouring_gaps_without_a_grid_make_no_table():
    gaps = [(72, "Insured", 160, "Gabriel Diaz"), (72, "A line of many words of the policy here", 420, "and others.")]
    texts = [Text(x, 700 - 14 * n, text) for n, (*gap,) in enumerate(gaps) for x, text in (gap[:2], gap[2:])]
    assert [block.kind for block in read(pdf([Sheet(texts)])).blocks] == ["paragraph"]
