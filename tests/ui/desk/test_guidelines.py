"""The guidelines say what the program does: version, answers, formulas, and a worked example that comes out so."""

import re
from dataclasses import replace

import pytest

from searchain.annotation import protocol
from searchain.annotation.labels import check
from searchain.annotation.measures import FORMULAS, counts
from searchain.annotation.protocol import Backing, ItemSource, Labels, MarkJudgement, Place, default_labels, marks_of
from searchain.language import sentences
from searchain.types import Span
from tests.support.judged_replies import item_of
from ui.desk import guidelines

TEXT = guidelines.FILE.read_text(encoding="utf-8")


def section(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)[1]


def rows(text):
    """The cells of every table in ``text``, without their emphasis."""
    cells = [
        [cell.strip().replace("*", "") for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    return [row for row in cells if not set(row[0]) <= set("-")]


def example():
    """The reply of the worked example, judged as its tables say."""
    text, _, _ = section("A worked example").partition("Four more cases")
    answer = re.search(r"\*\*Reply:\*\*\n\n> (.*)\n", text)[1]
    sources = tuple(
        ItemSource(int(number), title, body, None)
        for number, title, body in re.findall(r"^> \[(\d)\] (\w+)\. (.*)$", text, re.MULTILINE)
    )
    item = item_of(answer, (Span(*limits) for limits in sentences.split(answer)), sources=sources)
    items, places = {}, {}
    for first, said, _ in rows(text):
        if mark := re.match(r"(\d)(?:st|nd|rd|th), \[\d\]", first):
            places[int(mark[1]) - 1] = Place(said)
        elif said not in ("support", "place"):
            items[re.sub(r" \[\d\]$", "", first)] = said
    return item, items, places


def test_the_file_says_its_version_and_the_formulas_and_its_html_and_templates_are_text():
    assert re.findall(r"^Version (\S+)\.", TEXT, re.MULTILINE) == [protocol.GUIDELINES]
    assert [row[1] for row in rows(section("What the figures are made of"))[1:]] == list(FORMULAS.values())
    for hostile in ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "${alert(1)}", "{{7*7}}"):
        assert not re.search(r"[{}$]|<(?!/?p>)", guidelines.rendered(f"Some {hostile}\n\n{hostile}\n")), hostile


def test_the_worked_example_comes_out_as_it_says():
    item, said, places = example()
    default = default_labels(item)
    assert [item.answer[one.start : one.end] for one in default.knowledge_items] == list(said)
    judged = []
    for one in default.knowledge_items:
        words = said[item.answer[one.start : one.end]]
        if words != "removed":
            has_marks = bool(marks_of(item, default, one.id))
            support, missing = (
                (Backing(words.removeprefix("no support") or "none"), None) if has_marks else (None, True)
            )
            judged.append(replace(one, support=support, missing=missing))
    labels = Labels(tuple(judged), tuple(MarkJudgement(mark, place) for mark, place in places.items()))
    check(labels, item)
    found = counts(item, labels)
    assert (
        f"SKC {found.skc_marked}, SKC strict {found.skc_strict}, SKC lenient {found.skc_lenient}, "
        f"AMP {found.right} ÷ {found.marks} = {found.amp:.2f}, recall {found.skc_strict} ÷ "
        f"({found.skc_marked} + {found.missing}) = {found.recall:.2f}, precision {found.precise} ÷ {found.marks} = "
        f"{found.precision:.2f}"
    ) in " ".join(TEXT.split())


@pytest.mark.parametrize("part", [guidelines.html, guidelines.more])
def test_the_page_gets_safe_html(part):
    found = part()
    assert not re.search(
        r"[{}$]|<(?!/?(?:h[123]|p|ol|ul|li|a|em|strong|table|thead|tbody|tr|th|td|blockquote)\b)", found
    )
    links = re.findall(r'href="#([^"]+)"', found)
    assert len(links) == (4 if part is guidelines.html else 0)
    assert set(links) <= set(re.findall(r'<h\d id="([^"]+)"', found))
