"""Judging replies on the desk's page, by keys, mouse and touch, in a real browser."""

import json
import re
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from searchain.annotation.protocol import Backing, Place, default_labels
from storage.annotation import history
from tests.support.desk_site import FOUR, PHONE, Site, desk_page, draft, opened, press, submitted, the_item, title
from tests.support.judged_replies import judge, uniform_labels

BARE = {
    "question": "Which island?",
    "system": "an engine",
    "answer": "Kyoto lies on Honshu [1]. It is an island of Japan. I hope this helps!",
    "citations": [
        {"number": 1, "title": "Kyoto", "text": "Kyoto 🏯 lies on Honshu. 𝒯his is another sentence. It has a castle."}
    ],
}
"""A mark, two stretches without one, and letters that are two to a script."""


# keys


def test_a_reply_that_is_all_right_takes_few_keys_and_its_time_is_counted(page: Page, desk: Site):
    """Four supports, and the two marks that stand together; the other places follow, and Enter submits."""
    expect(page.locator("#timer")).to_have_text("0:02")
    press(page, *"111111", "Enter")
    expect(page.locator("#empty")).to_contain_text("No reply is waiting for you")
    assert submitted(desk) == [uniform_labels(the_item(desk))]
    [entry] = history.labels(desk.store)
    assert 2 <= entry.seconds <= 30
    assert json.loads(json.dumps(entry.seconds)) == int(entry.seconds)


def test_enter_assumes_nothing(page: Page, desk: Site):
    press(page, *["Enter"] * 6, "c")
    page.keyboard.type("nothing yet")
    labels = draft(desk, page)
    assert replace(labels, comment="") == default_labels(the_item(desk))
    assert page.locator("#now button.main").count() == 0


def test_invented_marks_are_shown_and_not_asked_about(browser: Browser, desk: Site):
    desk.put({**FOUR, "answer": "Nintendo sits in Kyoto [1][9]. It was founded long ago [7]."})
    with desk_page(browser, desk) as page:
        opened(page)
        expect(page.locator("#reply .mark.is-invented")).to_have_count(2)
        page.keyboard.press("1")
        assert title(page) == "All is judged"
        page.keyboard.press("Enter")
        expect(page.locator("#empty")).to_be_visible()
    [labels] = submitted(desk)
    assert [one.place for one in labels.marks] == [Place.RIGHT, Place.INVENTED, Place.INVENTED]
    assert [one.support for one in labels.knowledge_items] == [Backing.COMPLETE, Backing.NONE]


def test_impossible_pairs_cannot_be_chosen(page: Page, desk: Site):
    page.locator("#reply .item").nth(1).click()
    press(page, "3")
    page.locator("#reply .mark").nth(1).click()
    expect(page.locator("#now .option.is-right")).to_be_disabled()
    press(page, "1")
    expect(page.locator("#notice")).to_contain_text("is not supported")
    page.locator("#points .point", has_text="Kyoto lies on Honshu").first.click()
    press(page, "1")
    for mark in (1, 2):
        page.locator("#reply .mark").nth(mark).click()
        press(page, "3")
    expect(page.locator("#notice")).to_contain_text("at least one of its marks is right")


def test_every_key_of_the_sheet_is_listened_to(browser: Browser, desk: Site):
    desk.put(FOUR, {**FOUR, "question": "Another?"})
    with desk_page(browser, desk) as page:
        expect(page.locator("#now h2")).to_contain_text("Support")
        page.keyboard.press("?")
        signs = page.locator("dialog kbd").all_inner_texts()
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).not_to_be_visible()
        names = {"Esc": "Escape", "Bksp": "Backspace"}
        names |= dict(zip("↓↑→←", ("ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"), strict=True))
        assert sorted(signs) == sorted(
            "1 2 3 4 5 Enter m e Bksp c ↓ ↑ → ← n p Esc s j x i Ctrl+Enter u t k l g ?".split()
        )
        page.evaluate(
            "document.addEventListener('keydown', (event) => { window.taken = event.defaultPrevented }, { capture: false })"
        )
        for name in (names.get(one, one).replace("Ctrl", "Control") for one in signs):
            page.evaluate(
                "document.querySelector('dialog').close(); document.activeElement.blur(); window.taken = null"
            )
            page.keyboard.press(name)
            assert page.evaluate("window.taken") is True, name
            expect(page.locator("body:not(.is-busy)")).to_have_count(1)


def test_letters_and_digits_rest_when_they_are_no_keys(page: Page):
    page.keyboard.press("?")
    page.uncheck("#single")
    press(page, "Escape", "1")
    assert title(page) == "Support 1 of 4"
    page.keyboard.press("ArrowDown")
    assert title(page) == "Support 2 of 4"
    page.reload()
    page.locator("#menu").get_by_role("button", name="Keys").click()
    page.check("#single")
    press(page, "Escape", "1")
    expect(page.locator("#now h2")).not_to_have_text("Support 1 of 4")


def test_a_mark_that_belongs_elsewhere(page: Page, desk: Site):
    page.locator("#reply .mark").nth(1).click()
    press(page, "2")
    expect(page.locator("#now .others button")).to_have_count(3)
    press(page, "Escape")
    expect(page.locator("#now .others")).to_have_count(0)
    press(page, "2", "3")
    mark = default_labels(the_item(desk)).marks[1]
    assert draft(desk, page).marks[1] == replace(mark, place=Place.ELSEWHERE, belongs_to="k4")
    page.locator("#reply .mark").nth(1).click()
    expect(page.locator("#now .belongs q")).to_have_text("Mario is a plumber")


LONG = {**FOUR, "citations": [{"number": 1, "title": "Nintendo", "text": "It makes games. " * 400 + "It is in KYOTO."}]}


def test_on_a_phone_no_button_lies_over_another_and_words_are_found(browser: Browser, desk: Site):
    desk.put(LONG)
    with desk_page(browser, desk, **PHONE) as page:
        opened(page, LONG)
        acts, submit = (page.locator(part).bounding_box() for part in ("#foot .acts", "#submit"))
        assert acts["x"] + acts["width"] <= submit["x"] + 4
        page.get_by_role("button", name="Take back").tap()
        expect(page.locator("#notice")).to_contain_text("There is nothing to take back")
        find = page.get_by_label("Find in this document").first
        find.fill("in kyoto")
        find.press("Enter")
        assert page.evaluate("getSelection().toString()") == "in KYOTO"
        find.fill("in Osaka")
        find.press("Enter")
        expect(find).to_have_class(re.compile("is-wrong"))


def test_a_reply_judged_in_another_window_is_not_called_taken_by_others(browser: Browser, desk: Site):
    desk.put(FOUR, quota=1)
    with desk_page(browser, desk) as page:
        opened(page)
        judge(desk.store, "local")
        page.keyboard.press("1")
        expect(page.locator("#notice")).to_contain_text("judged in another window meanwhile")


# knowledge items


def texts(desk: Site, page: Page) -> list[str]:
    """The knowledge items of the draft."""
    labels = draft(desk, page)
    return [the_item(desk).answer[one.start : one.end] for one in labels.knowledge_items]


def select(page: Page, container: str, words: str) -> None:
    """As somebody who drags over the first such words."""
    page.evaluate(
        """([container, words]) => {
      const walker = document.createTreeWalker(document.querySelector(container), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf(words);
        if (at >= 0) return getSelection().setBaseAndExtent(node, at, node, at + words.length);
      }
      throw new Error(`no ${words}`);
    }""",
        [container, words],
    )
    expect(page.locator("body.has-stretch" if container == "#reply" else "body.has-words")).to_have_count(1)


@pytest.mark.parametrize("page", [BARE], indirect=True)
def test_splitting_joining_removing_and_adding_by_keys_and_by_mouse(page: Page, desk: Site):
    for keys, left in (
        ("→ s ← ← → → Enter", ["It is an", "island of Japan", "I hope this helps"]),
        ("j", ["It is an island of Japan", "I hope this helps"]),
        ("→ x", ["It is an island of Japan"]),
        ("i", ["It is an island of Japan", "I hope this helps"]),
    ):
        press(page, *({"→": "ArrowRight", "←": "ArrowLeft"}.get(key, key) for key in keys.split()))
        assert texts(desk, page) == ["Kyoto lies on Honshu", *left]
    press(page, "s", "Escape")
    assert title(page) == "Missing marks 2 of 2"
    page.locator("#reply .item").nth(1).click()
    page.get_by_role("button", name="Split").click()
    page.get_by_role("button", name="Split before “island”").click()
    assert texts(desk, page)[1:] == ["It is an", "island of Japan", "I hope this helps"]
    select(page, "#reply", "of Japan")
    page.get_by_role("button", name="Add").click()
    assert texts(desk, page) == ["Kyoto lies on Honshu", "It is an", "island", "of Japan", "I hope this helps"]


# evidence


@pytest.mark.parametrize("page", [BARE], indirect=True)
def test_evidence_by_selection_and_by_sentence(page: Page, desk: Site):
    select(page, "[data-text='1']", "lies on Honshu")
    press(page, "e", "e", "ArrowDown", "Enter", "Escape")
    item, labels = the_item(desk), draft(desk, page)
    assert [item.source(one.number).text[one.start : one.end] for one in labels.knowledge_items[0].evidence] == [
        "lies on Honshu",
        "𝒯his is another sentence.",
    ]
    assert page.locator("#documents mark").all_inner_texts() == ["lies on Honshu", "𝒯his is another sentence."]
    select(page, "[data-text='1']", "lies on Honshu")
    page.get_by_role("button", name="Take the selected words as evidence").click()
    expect(page.locator("#documents mark")).to_have_text(["𝒯his is another sentence."])


# touch


def test_the_guidelines_and_the_chat_are_a_step_away(browser: Browser, desk: Site):
    desk.put(FOUR)
    with desk_page(browser, desk, "annotate?__theme=dark") as page:
        opened(page)
        page.keyboard.press("g")
        expect(page.locator("dialog")).to_contain_text("Judge only by what is on the page.")
        page.keyboard.press("Escape")
        page.locator(".home").click()
        link = page.locator("#annotate")
        expect(link).to_have_attribute("href", re.compile(r"annotate\?__theme=dark"))
        link.click()
        opened(page)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(15, 23, 42)"
