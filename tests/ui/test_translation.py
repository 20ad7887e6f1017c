"""The page's words in other languages: every catalogue is whole, and the language follows the reader."""

import json
import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from tests.support.json_lines import kept
from ui.translation import ENGLISH, _, language_of, languages, n_, number, script_words, speaking

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "ui" / "locale"
CATALOGUES = sorted(LOCALE.glob("*.po"))
KEYWORDS = {"_": None, "N_": None, "t": None, "n_": (1, 2)}
NAMED = re.compile(r"\{\w+\}").findall


@pytest.fixture(scope="module")
def written() -> set[str | tuple[str, ...]]:
    """Every message of the program."""
    with (ROOT / "babel.cfg").open() as lines:
        methods, options = parse_mapping_cfg(lines)
    found = extract_from_dir(str(ROOT), methods, options, KEYWORDS, directory_filter=lambda path: "/." not in path)
    return {message for _file, _line, message, _comments, _context in found}


def faults(file: Path, written: set[str | tuple[str, ...]]) -> list[str]:
    """Name what is wrong in a catalogue: it must say all that the page says, and nothing else."""
    with file.open("rb") as lines:
        catalogue = read_po(lines)
    said = {tuple(m.id) if isinstance(m.id, list | tuple) else m.id: m for m in catalogue if m.id}
    found = [f"missing: {message}" for message in written - said.keys()]
    found += [f"said nowhere: {message}" for message in said.keys() - written]
    if catalogue.locale_identifier != file.stem:
        found.append(f"the language in the head: {catalogue.locale_identifier}")
    if (catalogue.num_plurals, catalogue.plural_expr) != get_plural(file.stem)[:2]:
        found.append(f"plural forms in the head: {catalogue.plural_forms}")
    for id, message in said.items():
        one = id if isinstance(id, str) else id[-1]
        forms = [message.string] if isinstance(message.string, str) else message.string
        found += [f"not translated: {id}" for form in forms if not form.strip()]
        found += [f"other names in braces: {form}" for form in forms if sorted(NAMED(form)) != sorted(NAMED(one))]
        if message.fuzzy:
            found.append(f"fuzzy: {id}")
    return found


def test_a_catalogue_says_all_that_the_page_says_and_nothing_else(written: set):
    assert [(file.stem, fault) for file in CATALOGUES for fault in faults(file, written)] == []


@pytest.mark.parametrize(("change", "fault"), kept("translations.json")["faults"])
def test_a_fault_in_a_catalogue_is_found(tmp_path: Path, written: set, change: list[str], fault: str | None):
    text = (LOCALE / "de.po").read_text("utf-8")
    assert change[0] in text
    (tmp_path / "de.po").write_text(text.replace(*change, 1), "utf-8")
    assert fault in (faults(tmp_path / "de.po", written) or [None])


def test_messages_are_looked_up_in_the_language_of_the_moment():
    assert [n_("{n} search", "{n} searches", number) for number in (1, 1200)] == ["1 search", "1,200 searches"]
    with speaking("zh-CN"):
        assert (_("Not found"), n_("{n} search", "{n} searches", 2)) == ("未找到", "2 次搜索")
        assert _("reading “{title}”", title="{0.__class__}") == "正在阅读“{0.__class__}”"  # a value is no template
        assert (_(""), _("said nowhere")) == ("", "said nowhere")
    assert _("Not found") == "Not found"
    assert json.loads(script_words("zh-CN", "ui/page/"))["Cancel"] == "取消"
    assert json.loads(script_words(ENGLISH, "ui/page/")) == {}
    with speaking("de"):
        said = [n_("{n} search", "{n} searches", count) for count in (0, 1, 1200)]
        assert said == ["0 Suchen", "1 Suche", "1.200 Suchen"]
        assert (number(1234.5, 2), number(0.5), number(3.0, 1)) == ("1.234,50", "0,5", "3,0")
    assert (number(1234.5, 2), number(0.5), number(3.0, 1)) == ("1,234.50", "0.5", "3.0")
    assert languages() == {"en": "English", "de": "Deutsch", "zh-CN": "简体中文"}


def test_one_file_is_all_that_a_language_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "pl.po").write_bytes((LOCALE / "de.po").read_bytes())
    monkeypatch.setattr("ui.translation._FOLDER", tmp_path)
    languages.cache_clear()
    try:
        assert languages() == {"en": "English", "pl": "polski"}
        assert language_of({"accept-language": "pl-PL,pl;q=0.9"}) == "pl"
    finally:
        languages.cache_clear()


@pytest.mark.parametrize(("headers", "language"), kept("translations.json")["headers"])
def test_the_language_is_the_one_chosen_else_the_browsers_first_that_there_is(headers: dict, language: str):
    assert language_of(headers) == language
