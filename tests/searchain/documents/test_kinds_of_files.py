"""Each kind of file but PDF: what is heading, list and table in it, and what is left out."""

import pytest

from searchain.documents import BlockKind
from tests.support.hostile_files import epub
from tests.support.json_lines import DATA
from tests.support.parsed_files import blocks, parsed


def test_a_web_page_gives_its_main_part():
    document = parsed("page.html", (DATA / "kinds/rivers.html").read_bytes())
    assert document.title == "Rivers"
    assert blocks(document) == [
        ("heading", "Rivers of France"),
        ("paragraph", "The Seine flows through Paris, the capital of France, and on to the sea."),
        ("heading", "Lengths"),
        ("table_row", "River | Length"),
        ("table_row", "River: Seine; Length: 777 km"),
        ("table_row", "River: Loire; Length: 1,006 km"),
        ("list_item", "1. Measure the river."),
        ("list_item", "- From its source."),
        ("list_item", "2. Write it down."),
        ("code", "a = 1\n  b = 2"),
    ]
    assert document.blocks[5].headings == ("Rivers of France", "Lengths")
    assert [block.anchor for block in document.blocks] == [f"b{n}" for n in range(1, 11)]
    assert [block.level for block in document.blocks if block.kind is BlockKind.LIST_ITEM] == [1, 2, 1]


def test_markdown_gives_the_same_blocks_and_its_own_title():
    text = "---\ntitle: 'The rivers'\n---\n# Rivers\n\nThe *Seine*\nis long.\n\n- One\n- Two\n\n|A|B|\n|-|-|\n|x|1|\n\n"
    document = parsed("notes.md", text + "<script>alert(1)</script>\n")
    assert document.title == "The rivers"
    assert blocks(document) == [
        ("heading", "Rivers"),
        ("paragraph", "The Seine is long."),
        ("list_item", "- One"),
        ("list_item", "- Two"),
        ("table_row", "A | B"),
        ("table_row", "A: x; B: 1"),
    ]


def test_a_book_gives_its_chapters_in_order():
    chapters = [f"<html><body><h1>Chapter {n}</h1><p>Words of chapter {n}.</p></body></html>" for n in range(3)]
    document = parsed("book.epub", epub(*chapters, title="All the words"))
    assert document.title == "All the words"
    assert document.text.split("\n")[::2] == ["Chapter 0", "Chapter 1", "Chapter 2"]
    assert document.blocks[-1].headings == ("Chapter 2",)


def test_a_table_gives_rows_that_can_be_read_alone():
    for name, text in (
        ("a.csv", 'Name,Born in,Age\n"Li, Anna",Oslo,5\nBo,,6\n'),
        ("a.tsv", "Name\tBorn in\tAge\nLi, Anna\tOslo\t5\nBo\t\t6\n"),
        ("a.csv", "\ufeffName;Born in;Age\r\nLi, Anna;Oslo;5\r\nBo;;6\r\n"),
    ):
        rows = [row for _, row in blocks(parsed(name, text))]
        assert rows == ["Name | Born in | Age", "Name: Li, Anna; Born in: Oslo; Age: 5", "Name: Bo; Age: 6"]
    ragged = "Name | City | Age\nAnn | Oslo\nName: Bo; City: Rom; Age: 6"
    assert parsed("a.csv", "Name,City,Age\nAnn,Oslo\nBo,Rom,6\n").text == ragged
    assert parsed("a.csv", "Name,City,Age\nAnn,Oslo,5\n").text == "Name | City | Age\nName: Ann; City: Oslo; Age: 5"
    assert parsed("numbers.csv", "1,2\n3,4\n5,6\n").text == "1 | 2\n3 | 4\n5 | 6"
    pairs = "Property | Value\nWeight: 62 kg\nPower: 4 kW"
    assert parsed("pump.csv", "Property,Value\nWeight,62 kg\nPower,4 kW\n").text == pairs


def test_a_text_is_read_in_any_encoding():
    text = "Überschrift\n===========\n\nDer Fluß mündet bei Żory in die See und heißt „Öl“.\nNoch eine Zeile.\n\n- Äpfel\n- Birnen\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        document = parsed("notes.txt", text.encode(encoding))
        assert blocks(document) == [
            ("heading", "Überschrift"),
            ("paragraph", "Der Fluß mündet bei Żory in die See und heißt „Öl“.\nNoch eine Zeile."),
            ("list_item", "- Äpfel"),
            ("list_item", "- Birnen"),
        ]
    chinese = "长江是中国最长的河流，发源于青藏高原。它流经许多省份，最后注入东海。" * 5
    assert parsed("notes.txt", chinese.encode("gb18030")).text == chinese


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1251", "Договор вступает в силу с первого марта. Цена составляет сто рублей."),
        ("cp932", "契約は三月一日に発効します。価格は百ユーロです。"),
        ("utf-16-le", "Rivers of Żory"),
        ("utf-32", "Rivers of Żory"),
        ("utf-32-be", "Rivers of Żory"),
    ],
)
def test_text_in_other_encodings_without_a_declaration(encoding: str, text: str):
    assert parsed("notes.txt", text.encode(encoding)).text == text


def test_a_web_page_is_decoded_as_browsers_do():
    head = '<html><head><meta charset="{}"></head><body>'
    page = head.format("iso-8859-1").encode() + "<p>It costs 12 € – “a lot”.</p>".encode("cp1252")
    assert parsed("page.html", page).text == "It costs 12 € – “a lot”."
    page = head.format("utf-16").encode() + "<p>It costs 12 €.</p>".encode()
    assert parsed("page.html", page).text == "It costs 12 €."


def test_short_facts_of_the_main_part_of_a_page_are_kept():
    fields = "".join(
        f"<div class='field'><span>{name}</span> <span>{value}</span></div>"
        for name, value in (("Order Number", "12345"), ("Server", "Quack"), ("Seating", "13"))
    )
    words = "This receipt tells in one long sentence what was ordered, by whom, and who served it on that day."
    menu = "<nav><a href='/'>Home</a> <a href='/a'>Offers</a></nav>"
    rooms = "".join(f"<tr><td>{n}</td><td>Elm {n}</td></tr>" for n in range(3))
    page = f"<html><body>{menu}<main><h1>Receipt</h1><p>{words}</p>{fields}<table>{rooms}</table></main></body></html>"
    text = parsed("page.html", page).text
    for fact in ("Order Number 12345", "Server Quack", "Seating 13", "0 | Elm 0", "2 | Elm 2"):
        assert fact in text.split("\n")
    assert "Offers" not in text


def test_a_title_that_a_program_wrote_by_itself_is_not_used():
    for stated in ("about:blank", "(anonymous)", "Untitled Document", "https://a.example/x", "…"):
        page = f"<html><head><title>{stated}</title></head><body>{{}}<p>The Seine is long.</p></body></html>"
        assert parsed("rivers.html", page.format("<h1>Rivers</h1>")).title == "Rivers"
        assert parsed("rivers.html", page.format("")).title == "rivers"
