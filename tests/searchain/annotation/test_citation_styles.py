"""Citation styles as systems write them: each is read as single marks, or named as not understood."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchain.annotation.blocks import split
from searchain.annotation.citation_styles import read
from searchain.annotation.protocol import ItemSource

FORMS = [json.loads(line) for line in Path("tests/data/citation_forms.jsonl").read_text(encoding="utf-8").splitlines()]
THREE = [ItemSource(number, f"Title {number}", "", f"https://example.org/{number}") for number in (1, 2, 3)]


@pytest.mark.parametrize("form", FORMS, ids=[form["answer"][:40] for form in FORMS])
def test_a_form_is_understood_or_named(form):
    found = read(form["answer"], THREE)
    assert all(found.answer[mark.start : mark.end] == f"[{mark.number}]" for mark in found.marks)
    if "named" in form:
        assert (found.answer, list(found.unclear), found.marks) == (form["answer"], form["named"], ())
    else:
        assert (found.answer, found.unclear) == (form["reads"], ())


def test_a_number_without_a_document_is_an_invented_mark():
    found = read("It is so [1][9]. [2019] was a year.", THREE[:1])
    assert ([mark.number for mark in found.marks], found.invented, found.unclear) == ([1, 9], 1, ("[2019]",))


def test_parentheses_are_read_on_request_and_texts_that_an_export_explains():
    found = read("It is so (1, 2).", THREE, styles=("paren",))
    assert (found.answer, dict(found.forms)) == ("It is so [1][2].", {"(1)": 2})
    found = read("It is so【4:0†a.pdf】and so【4:1†b.pdf】.", THREE, aliases={"【4:0†a.pdf】": 1, "【4:1†b.pdf】": 2})
    assert (found.answer, found.unclear) == ("It is so[1]and so[2].", ())


def test_footnotes_lists_and_links_become_documents():
    found = read(
        "A [^x]. B [2]. C [here](https://c.example).\n\n[^x]: The Book of A, a long one\n\nSources:\n2. [B](https://b.example)\n",
        [],
    )
    assert found.answer == "A [3]. B [2]. C [4]."
    assert [(one.number, one.title, one.url) for one in found.sources] == [
        (2, "B", "https://b.example"),
        (3, "The Book of A, a long one", None),
        (4, "here", "https://c.example"),
    ]


@given(st.text(alphabet="ab1290 []()^【】†¹²⁻,-–:.\\{}<>/#*|\n`$https", max_size=80))
def test_any_text_is_read_and_its_marks_stand_in_it(text):
    found = read(text, THREE)
    assert all(found.answer[mark.start : mark.end] == f"[{mark.number}]" for mark in found.marks)
    ends = [end for span in split(found.answer) for end in (span.start, span.end)]
    assert ends == sorted(ends)
    assert all(0 <= end <= len(found.answer) for end in ends)


def test_markdown_is_cut_at_its_rows_and_lists():
    text = "# Cities\nTwo of them. Both old [1].\n\n| City | Age |\n|---|---|\n| Kyoto | 1200 [1] |\n| Nara | 1300 |\n\n- One. Two.\n"
    parts = [text[one.start : one.end] for one in split(text)]
    assert parts == ["Two of them.", "Both old [1].", "Kyoto | 1200 [1]", "Nara | 1300", "One.", "Two."]
