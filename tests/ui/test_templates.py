"""HTML stands in templates, where every value is escaped; no text of Python's builds it from values."""

import ast
import re
from pathlib import Path

import pytest
from markupsafe import Markup

from tests.support.hostile import PAYLOADS
from ui.html import render

UI = Path(__file__).parents[2] / "ui"
NAMES = r"a|b|button|div|details|dd|dt|form|h\d|i|input|label|li|ol|p|section|span|summary|table|td|ul"
TAG = re.compile(rf"</?({NAMES})\b[^<]*>?")
FILES = [file for room in ("page", "exports", "server", "show") for file in sorted((UI / room).rglob("*.py"))]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(UI)))
def test_no_text_that_takes_values_holds_elements(file: Path):
    joined = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.JoinedStr)]
    texts = [part.value for node in joined for part in node.values if isinstance(part, ast.Constant)]
    assert [text for text in texts if TAG.search(text)] == []


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_value_in_a_template_is_text(payload: str):
    plain, told = (render("page/notice.html", text=text, link="", words="") for text in ("x", payload))
    assert re.findall("<[^>]+>", told) == re.findall("<[^>]+>", plain)
    empty = render("page/notice.html", text="", link="", words="")
    assert not re.search(r"\n|\$\{|\{\{|(?<!&#)\*|`", told.replace(empty, ""))


def test_what_was_escaped_is_not_escaped_again():
    made = render("page/notice.html", text="<b>", link="", words="")
    assert isinstance(made, Markup)
    assert str(made) in render("page/compared.html", columns=[made])
