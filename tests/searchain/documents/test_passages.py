"""Passages: whole sentences under one heading, which map to the document by addition."""

import time
from itertools import pairwise

import pytest

from searchain.documents import passages_of
from searchain.documents.html_blocks import blocks_of, parse
from searchain.documents.passages import TARGET
from searchain.types import Passage
from tests.support.document_set import Words, generated_set
from tests.support.parsed_files import parsed


def cut(name: str, text: str) -> list[Passage]:
    document = parsed(name, text)
    return passages_of(document, "01DOC", document.version)


def test_a_span_maps_to_the_document_by_addition_and_every_word_is_in_a_passage_or_above_one():
    for made in generated_set():
        document = parsed("file.pdf", made.content)
        passages = passages_of(document, "01DOC", document.version)
        assert len({passage.id for passage in passages}) == len(passages)
        for passage in passages:
            assert passage.place.version == document.version
            assert passage.text == document.text[passage.place.start : passage.place.end]
        covered = set().union(*(range(p.place.start, p.place.end) for p in passages))
        titles = " ".join(passage.title for passage in passages)
        between = [document.text[one.end : other.start] for one, other in pairwise(document.blocks)]
        assert set(between) <= {"\n", " ", ""}
        assert not {"\ufffe", "\x02"} & set(document.text)
        for block in document.blocks:
            missing = set(range(block.start, block.end)) - covered
            left_out = "".join(document.text[n] for n in sorted(missing)).strip()
            assert left_out in titles


def test_passages_are_of_whole_sentences_and_of_a_size():
    text = "\n\n".join(Words(1).paragraph(30) for _ in range(3))
    passages = cut("long.txt", text)
    assert all(passage.text.endswith(".") and passage.text[0].isupper() for passage in passages)
    assert all(0.7 * TARGET <= len(passage.text.split()) <= TARGET for passage in passages[:8])
    first, second = passages[:2]
    assert first.text[second.place.start - first.place.start :] == second.text[: first.place.end - second.place.start]
    assert second.place.start < first.place.end  # a sentence of both


def test_each_section_has_a_passage_of_its_own_under_its_headings():
    sections = "".join(f"## Part {n}\n\nIt has the number {n}.\n\n" for n in range(2))
    passages = cut("guide.md", f"# Guide\n\nWords before.\n\n{sections}## No text\n\n# End\n\nThe end.")
    assert [(passage.title, passage.text) for passage in passages] == [
        ("Guide", "Words before."),
        ("Guide › Part 0", "It has the number 0."),
        ("Guide › Part 1", "It has the number 1."),
        ("Guide", "No text"),
        ("Guide › End", "The end."),
    ]


def test_questions_that_nothing_answers_are_text_in_passages_of_the_usual_size():
    passages = cut("survey.md", "\n\n".join(f"How do you like the part with the number {n}?" for n in range(40)))
    assert {passage.title for passage in passages} == {"survey"}
    assert all(10 < len(passage.text.split()) <= TARGET for passage in passages)


def test_short_first_lines_of_plain_paragraphs_are_headings():
    lock = "Child lock\nHold Start and Delay together for three seconds."
    filter = "Lint filter\nClean it every two months, with the machine unplugged."
    assert [(passage.title, passage.text) for passage in cut("washer.txt", f"{lock}\n\n{filter}")] == [
        ("washer › Child lock", lock.partition("\n")[2]),
        ("washer › Lint filter", filter.partition("\n")[2]),
    ]
    wrapped = "The machine is turned on by the\nGreen knob. It then takes a minute."
    for line in ("Total 450 EUR", "Anna Brink, born in May", "Ada Brink", wrapped):
        text = f"{line}\nShe lived in the old town until the end of the year." if line != wrapped else wrapped
        assert [passage.text for passage in cut("letter.txt", text)] == [text]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faq.txt", "Q: How long can I keep a book?\nA: Four weeks.\n\nIs there Wi-Fi?\n\nYes, for members."),
        ("faq.md", "**Q: How long can I keep a book?**\nA: Four weeks.\n\nIs there **Wi-Fi?**\n\nYes, for members."),
        (
            "faq.html",
            "<dl><dt>Q: How long can I keep a book?</dt><dd>A: Four weeks.</dd></dl>"
            "<p><b>Is there <i>Wi-Fi</i>?</b><br>Yes, for members.</p>",
        ),
    ],
)
def test_a_question_is_the_heading_of_its_answer(name, text):
    found = [(passage.title, passage.text) for passage in cut(name, text)]
    answers = ("A: Four weeks.", "Yes, for members.")
    assert found == list(zip(("faq › Q: How long can I keep a book?", "faq › Is there Wi-Fi?"), answers, strict=True))


@pytest.mark.parametrize(
    "paragraph",
    [
        "“Who is there?”",
        "The meeting is moved to Friday at 10. Can you come?",
        "会议改到星期五。你能来吗？",
        "We asked: what is large?",
        "Is it " + "very " * 20 + "large?",
    ],
)
def test_a_paragraph_that_says_something_is_no_heading(paragraph):
    (passage,) = cut("story.md", f"{paragraph}\n\nNobody knew.")
    assert (passage.title, passage.text) == ("story", f"{paragraph}\nNobody knew.")


def test_bold_questions_in_headings_and_items_part_nothing_and_many_bold_words_take_no_time():
    page = "<h2><b>What is it?</b> Overview</h2><p>A lake.</p><ul><li><b>How deep?</b> Ten metres.</li></ul>"
    assert [(passage.title.partition(" › ")[2], passage.text) for passage in cut("lake.html", page)] == [
        ("", "A lake.\n- How deep? Ten metres.")
    ]
    begun = time.process_time()
    blocks = blocks_of(parse("<p>" + "<b>word</b> text " * 20_000))
    assert (len(blocks), time.process_time() - begun < 5) == (1, True)


def test_each_row_is_a_passage_and_says_what_its_cells_are():
    rows = "Name,Place\n" + "\n".join(f"Person {n},Town number {n}" for n in range(100))
    passages = cut("people.csv", rows)
    assert [passage.text for passage in passages] == [f"Name: Person {n}; Place: Town number {n}" for n in range(100)]
    page = "# Prices\n\nThey hold until May.\n\n| Bread | Price |\n|---|---|\n| Rye | 3 euros |\n\nNo cards."
    assert [p.text for p in cut("prices.md", page)] == [
        "They hold until May.",
        "Bread: Rye; Price: 3 euros",
        "No cards.",
    ]


@pytest.mark.parametrize("text", ["Only one line", "word " * 1000, "长" * 1000, "# Heading alone", "a. " * 500])
def test_odd_texts_give_passages_too(text: str):
    passages = cut("odd.md", text)
    assert passages
    assert all(len(passage.text.split()) <= 2 * TARGET for passage in passages)
