"""Documents that were found and not cited: asked about where support is lacking, stored, and counted in the report."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from searchain.annotation.labels import check
from searchain.annotation.protocol import Backing, Place, default_labels
from searchain.errors import UsageError
from storage.annotation import gold, report, studies
from storage.annotation.desk import Desk
from tests.support.desk_site import NO_PRACTICE, PHONE, WIDE, Site, desk_page, opened, press, site, submitted, the_item
from tests.support.desk_site import title as asked
from tests.support.judged_replies import uniform_labels
from ui.desk.report_table import tables

FOUND = {
    "question": "Where is Nintendo?",
    "system": "an engine",
    "answer": "Nintendo was founded in 1889 [1]. It sits in Kyoto.",
    "citations": [
        {"number": 1, "title": "Mario", "text": "Mario is a plumber."},
        {"number": 2, "title": "Sega", "text": "Sega sits in Tokyo."},
        {"number": 3, "title": "Nintendo", "text": "Nintendo was founded in 1889 in Kyoto, where it sits."},
    ],
}
"""Two knowledge items that lack support, and two documents that are not cited."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path, study=replace(NO_PRACTICE, show_uncited=True)) as made:
        made.put(FOUND)
        yield made


@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_it_is_asked_whether_a_found_document_would_have_done(browser: Browser, desk: Site, screen: dict):
    with desk_page(browser, desk, **screen) as page:
        opened(page, FOUND)
        press(page, "1", "1")  # complete: nothing is lacking; needs no mark
        expect(page.locator("#points section")).to_have_count(3)
        page.locator("#points .point").first.click()
        press(page, "3", "3")  # no support: two documents are asked about; superfluous
        page.locator("[data-point='need k2']").click()
        page.keyboard.press("2")  # a mark is missing
        expect(page.locator("#points section")).to_have_count(4)
        assert asked(page).startswith("Not cited")
        options = page.locator("#now .option span:last-child").all_inner_texts()
        assert [words for words in options if words] == ["None of them", "U2 Sega", "U3 Nintendo"]
        expect(page.locator("#documents .uncited")).to_have_attribute("open", "")
        press(page, "3", "1")
        expect(page.locator("#now h2")).to_have_text("All is judged")
        page.click("#foot [data-action=submit]")
        expect(page.locator("#empty")).to_be_visible()
    [labels] = submitted(desk)
    assert [one.uncited for one in labels.knowledge_items] == [3, 0]
    found = report.report(desk.store)
    [table] = [one for one in tables(found) if one.name == "uncited"]
    assert table.rows == (("an engine", "2", "0.50"),)


def test_labels_that_leave_it_open_where_the_study_asks_or_do_not_fit_are_refused(desk: Site):
    item = the_item(desk)
    Desk(desk.store).open_item("ann", item.id)
    labels = uniform_labels(item, Backing.NONE, Place.SUPERFLUOUS)
    check(labels, item)  # as labels of studies that do not ask
    with pytest.raises(UsageError, match="whether an uncited document supports “Nintendo was founded in 1889”"):
        Desk(desk.store).submit("ann", item.id, labels)
    studies.change(desk.store, NO_PRACTICE, "test")
    assert Desk(desk.store).submit("ann", item.id, labels) == 1
    for support, uncited, words in (
        (Backing.COMPLETE, 3, "lacks no support"),
        (Backing.NONE, 1, "names an uncited document 1 that is not there"),
    ):
        labels = uniform_labels(item, support)
        first, *others = labels.knowledge_items
        with pytest.raises(UsageError, match=words):
            check(replace(labels, knowledge_items=(replace(first, uncited=uncited), *others)), item)


def test_annotators_who_differ_about_it_are_decided_on(browser: Browser, desk: Site):
    item = the_item(desk)
    for name, number in (("ann", 3), ("ben", 0)):
        labels = uniform_labels(item, Backing.NONE, Place.SUPERFLUOUS)
        first, *others = labels.knowledge_items
        Desk(desk.store).open_item(name, item.id)
        kept = (replace(first, uncited=number), *(replace(one, missing=False) for one in others))
        Desk(desk.store).submit(name, item.id, replace(labels, knowledge_items=kept))
    [disputed] = gold.disputed(desk.store)
    assert disputed.disagreeing == 1
    assert "uncited documents" in [one.name for one in report.report(desk.store).disagreement.agreements]
    with desk_page(browser, desk, "annotate/adjudicate") as page:
        assert asked(page).startswith("Not cited")  # all else is agreed on
        page.keyboard.press("3")
        page.click("#foot [data-action=submit]")
        expect(page.locator("#progress")).to_have_text("1 of 1 disputed replies decided")
    studies.change(desk.store, NO_PRACTICE, "test")
    assert (gold.disputed(desk.store), report.report(desk.store).disagreement.disputed) == ([], 0)
    [decision] = gold.gold(desk.store)
    assert decision.labels.knowledge_items[0].uncited == 3
    assert default_labels(item).knowledge_items[0].uncited is None
