"""Exports hold everything and escape for their target, and their files have names that harm nobody."""

import csv
import io
import json
import random
import re
import zipfile
from html.parser import HTMLParser
from itertools import accumulate
from xml.etree import ElementTree

import mammoth
import pytest
from markdown_it import MarkdownIt

from searchain.safe_text import clean
from storage.history import finished_turns
from tests.support.generated_runs import generated_run
from tests.support.hostile import PAYLOADS
from tests.support.shell import printed
from tests.support.stories import QUESTION, everest
from tests.support.story_runs import database_with, store_run
from ui.exports.formats import FORMATS, attachment, file_name, unmarked


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Many runs whose every text is hostile."""
    store = database_with(
        tmp_path_factory.mktemp("hostile") / "chat.db", *(generated_run(random.Random(seed)) for seed in range(30))
    )
    yield store
    store.close()


def export(store, name):
    return "".join(FORMATS[name].write(finished_turns.records(store)))


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_database_gives_a_whole_file(store, name):
    if name == "word":
        assert read_word(store) == ""
        return
    text = export(store, name)
    assert text == "" if name in ("jsonl", "openai", "markdown", "bibtex") else text.endswith("\n")
    if FORMATS[name].suffix.endswith(".json"):
        assert not json.loads(text) or json.loads(text)["data"] == []


def word(store, change=lambda record: record) -> io.BytesIO:
    return io.BytesIO(b"".join(FORMATS["word"].write(map(change, finished_turns.records(store)))))


def read_word(store, **changes) -> str:
    """The Word file as HTML, as another program reads it."""
    return mammoth.convert_to_html(word(store, **changes)).value


def test_hostile_texts_leave_a_word_file_well_formed_and_every_citation_of_alce_in_its_documents(hostile):
    with zipfile.ZipFile(word(hostile)) as file:
        assert all(ElementTree.fromstring(file.read(name)).tag for name in file.namelist())
    items = json.loads(export(hostile, "alce"))["data"]
    numbers = [(int(number), len(item["docs"])) for item in items for number in re.findall(r"\[(\d+)", item["output"])]
    assert len(numbers) > 10
    assert all(1 <= number <= documents for number, documents in numbers)


@pytest.mark.parametrize("is_marked", [True, False])
def test_word_has_numbered_footnotes_with_titles_and_links(store, is_marked: bool):
    store_run(store)
    store_run(store, everest("How high? <b>\x07 & more"))
    html = read_word(store) if is_marked else read_word(store, change=unmarked)
    assert "Nintendo has its headquarters in Kyoto <sup>" in html
    assert re.search(r'id="footnote-1"><p> Nintendo: “Kyoto”. <a href="https://en.wikipedia.org/wiki/Nintendo">', html)
    assert '<a href="#footnote-7"' in html  # they go on through the file
    assert "<h1>How high? &lt;b&gt; &amp; more</h1>" in html
    for mark in ("Supported: Honshu", "about 9 in 10", "its source does not say it", "from the model"):
        assert (mark in html) == is_marked


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Who painted “The Mona Lisa”?", "Who-painted-The-Mona-Lisa"),
        ("谁画了蒙娜丽莎？", "谁画了蒙娜丽莎"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "CON"),
        ("a\u202etxt.exe\r\n\x00", "a-txt-exe"),
        ("?!", "conversation"),
        ("word " * 40, "-".join(["word"] * 16)),
        ("語" * 90, "語" * 26),
    ],
)
def test_a_file_is_named_after_its_title_and_day(title, name):
    assert file_name(title, ".md", "2026-11-23T10:00:00Z") == f"{name}-2026-11-23.md"


@pytest.mark.parametrize(
    ("name", "plain", "whole"),
    [
        ("Mona-Lisa.md", "Mona-Lisa.md", "Mona-Lisa.md"),
        ("谁-1.md", "1.md", "%E8%B0%81-1.md"),
        ('a"; x="b\r\n.txt', "a xb.txt", "a%22%3B%20x%3D%22b%0D%0A.txt"),
    ],
)
def test_the_header_names_it_in_plain_letters_and_whole(name, plain, whole):
    assert attachment(name) == f"attachment; filename=\"{plain}\"; filename*=utf-8''{whole}"
    assert re.fullmatch(r"[\x20-\x7e]+", attachment(name))


def test_no_cell_is_a_formula(hostile):
    rows = list(csv.DictReader(io.StringIO(export(hostile, "csv"))))
    assert len(rows) > 40
    assert all(None not in row and None not in row.values() for row in rows)
    cells = [cell for row in rows for name, cell in row.items() if name != "confidence"]
    assert [cell for cell in cells if re.match(r"\s*[=+\-@]|[\t\r\n]", cell)] == []
    assert len([cell for cell in cells if re.match(r"'\s*[=+\-@]", cell)]) > 10
    assert not set("".join(cells)) & set("\x00\x1b\x07\u202e\u2066\x85")


class Page(HTMLParser):
    """What a browser would make of a page: its elements with their attributes, and its text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)

    @property
    def reads_payloads(self):
        """Whether many of the hostile texts stand in it as text."""
        text = re.sub(r"\s+", " ", "".join(self.text))
        return sum(clean(payload).split()[0] in text for payload in PAYLOADS if clean(payload).split()) > 20


def test_a_page_has_only_elements_of_its_own(hostile):
    page = Page(export(hostile, "html"))
    own = "html head meta title style body main section article h1 h2 h3 p div span a ol ul li blockquote mark"
    assert {tag for tag, _ in page.elements} <= set(
        f"{own} b i s br details summary table thead tbody tr th td".split()
    )
    attributes = "lang charset http-equiv content name id class dir href title value rel"
    assert {name for _, attrs in page.elements for name in attrs} <= set(attributes.split())
    links = [attrs["href"] for tag, attrs in page.elements if tag == "a"]
    assert links
    assert all(link.startswith(("#", "http://", "https://")) for link in links)
    assert page.reads_payloads


_BIBTEX = re.compile(r"@misc\{(?P<key>[a-z0-9-]+),\n(?P<fields>(?:  [a-z]+ = \{.*\},\n)+)\}\n\n")


def test_bibtex_makes_nothing_of_a_text_but_text(hostile):
    text = export(hostile, "bibtex")
    entries = list(_BIBTEX.finditer(text))
    assert len(entries) > 10
    assert "".join(entry[0] for entry in entries) == text
    assert len({entry["key"] for entry in entries}) == len(entries)
    for entry in entries:
        for field in entry["fields"].splitlines():
            name, _, value = field.strip().removesuffix(",").partition(" = ")
            depths = list(accumulate({"{": 1, "}": -1}.get(character, 0) for character in value))
            assert depths[-1] == 0
            assert min(depths[:-1]) > 0  # nothing in it ends the field
            if name != "url":
                rest = re.sub(r"\\(?:text[a-z]+\{\}|[$&#_%])|[{}]", "", value)
                assert not set(rest) & set("\\$&#_%~^")


def test_markdown_makes_nothing_of_a_text_but_text(hostile):
    rendered = MarkdownIt("commonmark").enable("table").render(export(hostile, "markdown").replace("\n    > ", "\n> "))
    page = Page(rendered)
    assert {tag for tag, _ in page.elements} <= {"h1", "h2", "p", "strong", "em", "a", "blockquote"}
    assert all(re.match("https?://example.org/", attrs["href"]) for tag, attrs in page.elements if tag == "a")
    assert page.reads_payloads


def test_an_export_into_a_folder_is_named_after_the_conversation_and_the_day(store, tmp_path):
    (out := tmp_path / "out").mkdir()
    conversation = store_run(store).conversation
    for more in (["--format", "markdown", "--conversation", conversation], []):
        printed("export", "-o", out, "--db", store.path, *more)
    day = r"-\d{4}-\d\d-\d\d"
    words = "-".join(re.findall(r"\w+", QUESTION))
    names = " ".join(sorted(file.name for file in out.iterdir()))
    assert re.fullmatch(rf"{words}{day}\.md SearChain-conversations{day}\.jsonl", names)
