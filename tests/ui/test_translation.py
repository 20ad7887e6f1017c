"""The page's words in other languages: every catalogue is whole, and the language follows the reader."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from ui.translation import ENGLISH, _, language_of, languages, n_, script_words, speaking

ROOT = Path(__file__).parents[2]
CATALOGUES = sorted((ROOT / "ui" / "locale").glob("*.po"))
KEYWORDS = {"_": None, "N_": None, "t": None, "n_": (1, 2)}
NAMED = re.compile(r"\{\w+\}")


@pytest.fixture(scope="module")
def written() -> set[str | tuple[str, ...]]:
    """Every message of the program."""
    with (ROOT / "babel.cfg").open() as lines:
        methods, options = parse_mapping_cfg(lines)
    methods = [(f"{pattern}", method) for pattern, method in methods]
    found = extract_from_dir(str(ROOT), methods, options, KEYWORDS, directory_filter=lambda path: "/." not in path)
    return {message for _file, _line, message, _comments, _context in found}


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.stem)
def test_a_catalogue_says_all_that_the_page_says_and_nothing_else(file: Path, written: set):
    with file.open("rb") as lines:
        catalogue = {tuple(m.id) if isinstance(m.id, list | tuple) else m.id: m.string for m in read_po(lines) if m.id}
    assert set(catalogue) ^ written == set()
    for message, said in catalogue.items():
        one = message if isinstance(message, str) else message[-1]
        for form in [said] if isinstance(said, str) else said:
            assert form.strip(), message
            assert set(NAMED.findall(form)) == set(NAMED.findall(one)), message


def test_messages_are_looked_up_in_the_language_of_the_moment():
    assert (_("Not found"), n_("{n} search", "{n} searches", 1), n_("{n} search", "{n} searches", 1200)) == (
        "Not found",
        "1 search",
        "1,200 searches",
    )
    with speaking("zh-CN"):
        assert (_("Not found"), n_("{n} search", "{n} searches", 2)) == ("未找到", "2 次搜索")
        assert _("reading “{title}”", title="{0.__class__}") == "正在阅读“{0.__class__}”"  # a value is no template
        assert (_(""), _("said nowhere")) == ("", "said nowhere")
    assert _("Not found") == "Not found"
    assert json.loads(script_words("zh-CN", "ui/page/"))["Cancel"] == "取消"
    assert json.loads(script_words(ENGLISH, "ui/page/")) == {}
    assert languages() == {"en": "English", "zh-CN": "简体中文"}


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        ({"accept-language": "zh-CN,zh;q=0.9,en;q=0.8"}, "zh-CN"),
        ({"accept-language": "en-GB,en;q=0.9,zh;q=0.8"}, "en"),
        ({"accept-language": "de;q=0.9, zh-Hant-TW;q=0.8, en;q=0.2"}, "zh-CN"),
        ({"accept-language": "fr, *;q=0.1"}, "en"),
        ({"accept-language": "zh;q=, \x00;;q=9"}, "zh-CN"),
        ({"accept-language": "en", "cookie": "a=b; searchain_language=zh-CN"}, "zh-CN"),
        ({"accept-language": "zh-CN", "cookie": "searchain_language=en"}, "en"),
        ({"cookie": "searchain_language=../../etc/passwd"}, "en"),
    ],
)
def test_the_language_is_the_one_chosen_else_the_browsers_first_that_there_is(headers: dict, language: str):
    assert language_of(headers) == language
