"""Passages from files: every kind, and every way in which a line can be broken."""

import gzip
from dataclasses import replace

import pytest

from searchain.errors import EmptyCorpus, RetrievalError, UsageError
from searchain.retrieval import corpus, records
from searchain.retrieval.corpus import Reading, Skipped, default_corpus, from_line, to_line
from searchain.retrieval.parts import key
from searchain.retrieval.records import MAXIMUM, TARGET, split_text
from searchain.types import Passage, Place

GOOD = '{"id": "1", "title": "Ottawa", "text": "Ottawa is a city."}'
OTTAWA = Passage("1", "Ottawa", "Ottawa is a city.")


def file(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return path


def read(sources):
    reading = Reading(sources)
    return tuple(reading), reading.sources, reading.skipped


@pytest.mark.parametrize(
    ("line", "passage"),
    [
        (GOOD, OTTAWA),
        ("\ufeff" + GOOD, OTTAWA),
        ('{"id": 7, "title": "T", "text": "x", "url": "https://a.org"}', Passage("7", "T", "x", "https://a.org")),
        ('{"id": "1", "title": "T", "text": "x", "url": "javascript:alert(1)"}', Passage("1", "T", "x")),
        ('{"id": "1", "title": " two\\nlines ", "text": " x\\u0000y\\ud800 "}', Passage("1", "two lines", "x y\ufffd")),
        ('{"id": "1", "title": null, "text": "京都 is a city"}', Passage("1", "", "京都 is a city")),
        ('{"text": "no id, no title"}', Passage("c-6c5780de1e", "", "no id, no title")),
    ],
)
def test_a_line_of_json_is_a_passage(tmp_path, line, passage):
    assert read([file(tmp_path, "c.jsonl", line + "\n")]) == ((passage,), ("c.jsonl",), ())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{broken", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"id": "2", "title": "T"}', "no text"),
        ('{"id": "2", "title": "T", "text": 5}', "text and title must be strings"),
        ('{"id": "2", "title": "T", "text": " \\n "}', "empty text"),
        ('{"id": {"a": 1}, "title": "T", "text": "x"}', "the id is neither text nor a number"),
        (b"\xff\xfe\x00", "not UTF-8"),
        ('{"id": "1", "title": "Other", "text": "another city"}', "another passage has the id '1'"),
    ],
)
def test_a_broken_line_is_skipped_and_told_with_its_number(tmp_path, line, reason):
    line = line if isinstance(line, bytes) else line.encode()
    path = file(tmp_path, "c.jsonl", GOOD.encode() + b"\n\n" + line + b"\n" + GOOD.encode())
    assert read([path]) == ((OTTAWA,), ("c.jsonl",), (Skipped("c.jsonl", 3, reason),))


def test_a_huge_line_is_skipped_without_being_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "MAX_LINE", 100)
    path = file(tmp_path, "c.jsonl", "x" * 1_000 + "\n" + GOOD + "\n")
    assert read([path]) == ((OTTAWA,), ("c.jsonl",), (Skipped("c.jsonl", 1, "longer than 100 bytes"),))


def test_tsv_with_header_byte_order_mark_and_quotes(tmp_path):
    path = file(tmp_path, "c.tsv", '\ufeffid\ttext\ttitle\n0\tplain\tA\n1\t"she said ""hi"""\n\nno tab\n')
    passages = Passage("0", "A", "plain"), Passage("1", "", 'she said "hi"')
    assert read([path]) == (passages, ("c.tsv",), (Skipped("c.tsv", 5, "no tab between pid and text"),))


def test_markdown_takes_its_first_heading_as_title_and_text_its_file_name(tmp_path):
    for name, title in (("notes.md", "Rivers of Spain"), ("notes.txt", "notes")):
        (passage,) = read([file(tmp_path, name, "# Rivers of Spain #\n\nThe Ebro flows east.")])[0]
        assert (passage.title, passage.text) == (title, "# Rivers of Spain #\n\nThe Ebro flows east.")


def test_long_text_is_cut_between_paragraphs_and_sentences_and_nothing_is_lost(tmp_path):
    paragraphs = [" ".join(f"Sentence {p} {s} has six words." for s in range(n)) for p, n in enumerate((10, 12, 90, 1))]
    endless = "word " * 400
    text = "\n\n".join([*paragraphs, endless])
    pieces = split_text(text)
    assert " ".join(piece for _, piece in pieces).split() == text.split()
    assert all(len(piece.split()) <= MAXIMUM for _, piece in pieces)
    assert pieces[0] == (1, paragraphs[0] + "\n\n" + paragraphs[1])
    assert all(piece.endswith(".") for _, piece in pieces[:4])
    assert [len(piece.split()) for _, piece in pieces[-3:]] == [TARGET, TARGET, 100]
    assert [line for line, _ in pieces] == [1, 5, 5, 5, 5, 9, 9, 9]


def test_several_files_a_directory_and_gzip_are_read_in_order(tmp_path):
    (tmp_path / "docs" / "inner").mkdir(parents=True)
    file(tmp_path / "docs", "b.tsv", "b\tsecond")
    file(tmp_path / "docs" / "inner", "c.jsonl.gz", gzip.compress(b'{"id": "c", "title": "", "text": "third"}'))
    file(tmp_path / "docs", "ignored.png", b"\x89PNG")
    first = file(tmp_path, "a.jsonl", GOOD)
    passages, sources, _ = read([first, tmp_path / "docs"])
    assert [passage.id for passage in passages] == ["1", "b", "c"]
    assert sources == ("a.jsonl", "b.tsv", "c.jsonl.gz")


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("c.jsonl", "", EmptyCorpus, "no passage in c.jsonl (0 lines skipped)"),
        ("c.jsonl", "{broken\n", EmptyCorpus, "no passage in c.jsonl (1 lines skipped; first: line 1: not JSON)"),
        ("c.txt", b"PK\x03\x04\x00\x00", RetrievalError, "is no text file"),
        ("c.txt", "Köln".encode("latin-1"), RetrievalError, "is not UTF-8 (byte 1)"),
        ("c.jsonl.gz", b"no gzip at all", RetrievalError, "cannot read"),
        ("c.xml.bz2", b"no bzip", RetrievalError, "cannot read"),
        ("c.xml", "<mediawiki><page><title>A</title>", RetrievalError, "is no whole XML"),
        ("c.json", "{\n}", UsageError, "is of no known format"),
        ("c.pdf", b"%PDF", UsageError, "is of an unknown kind; known: .jsonl, .tsv, .txt, .md"),
    ],
)
def test_a_file_without_passages_is_an_error_in_one_line(tmp_path, name, content, error, message):
    with pytest.raises(error) as caught:
        read([file(tmp_path, name, content)])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_an_empty_directory_are_wrong_use(tmp_path):
    for source in (tmp_path / "nothing.jsonl", tmp_path):
        with pytest.raises(UsageError):
            read([source])


def test_a_place_tells_equal_texts_apart_and_other_keys_stay():
    bare = Passage("1", "A", "x")
    first, second = (replace(bare, place=Place(document, "ab" * 32, 0, 1)) for document in ("d1", "d2"))
    assert [from_line(to_line(passage)) for passage in (bare, first, second)] == [bare, first, second]
    assert len({key([passage], "checkpoint") for passage in (bare, first, second)}) == 3
    assert key([bare], "checkpoint") == "9bd683e2d2534f3b"  # of format 1: indexes that exist are not built again


def test_the_embedded_corpus_is_wikipedia_with_its_addresses():
    found = default_corpus()
    assert len(found) == 10_033
    nintendo = next(passage for passage in found if passage.title == "Nintendo")
    assert nintendo.url == "https://en.wikipedia.org/wiki/Nintendo"
    assert nintendo.text.startswith("Short description: Japanese video game company.\nNintendo Co., Ltd.")
    assert read(["default"])[0] == found


def test_a_text_that_unpacks_to_far_more_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("searchain.retrieval.corpus.MAX_TEXT", 1_000)
    bomb = tmp_path / "bomb.txt.gz"
    bomb.write_bytes(gzip.compress(b"all work and no play " * 10_000))
    with pytest.raises(RetrievalError, match=r"bomb.txt.gz' holds more than 1,000 bytes of text; split it"):
        list(corpus.read_file(bomb))
