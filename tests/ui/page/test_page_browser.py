"""The chat page in a real browser, over the real assistant and store; most runs are told event by event."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import opened_page
from tests.support.chat_page import DESK, PHONE, Site, ask, ask_to_end, conversation, wait_for
from tests.support.scripted_chat import open_assistant
from tests.support.served_page import served_page
from tests.support.stories import QUESTION
from tests.support.story_runs import StoryPlayer
from ui.page.app import EXAMPLES

CARD = "details.card.is-chosen"
STORY = "#reasoning .of-turn > .tree"
GONE = "! This conversation is not here, or is no longer yours to see. Start a new one"


def test_the_browser_has_nothing_to_complain_of(browser: Browser, site: Site):
    said = []
    page = browser.new_context().new_page()
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.goto(site.url)
    wait_for(page, "idle")
    ask_to_end(page, QUESTION)
    page.click("a.cite >> nth=1")
    expect(page.locator(CARD).locator("mark")).to_be_in_viewport()
    page.context.close()
    assert said == []


def test_stop_keeps_the_partial_tree(page: Page, held: StoryPlayer):
    ask(page, QUESTION)
    expect(page.locator("#chat .step")).to_have_count(2)
    page.click("#stop")
    wait_for(page, "done")
    expect(page.locator("#chat .outcome")).to_have_text("■ Stopped Nothing was found yet.")
    expect(page.locator(f"{STORY} .node")).to_have_count(2)
    expect(page.locator("#ask")).to_be_visible()
    expect(page.locator("#stop")).to_be_hidden()


def test_a_reload_in_mid_run_shows_the_run_and_follows_it_to_its_end(page: Page, held: StoryPlayer):
    ask(page, QUESTION)
    expect(page.locator("#chat .step")).to_have_count(2)
    page.wait_for_url("**/?c=*")
    page.reload()
    wait_for(page, "running")
    expect(page.locator("#chat .step")).to_have_count(2)
    expect(page.locator("#chat .question")).to_have_text(QUESTION)
    expect(page.locator("#stop")).to_be_visible()
    held.go_on.set()
    wait_for(page, "done")
    expect(page.locator("a.cite")).to_have_count(2)
    expect(page.locator("#ask")).to_be_visible()


def test_a_refused_question_says_why_apart_from_the_reply_before_it_and_stays_in_its_box(page: Page):
    ask_to_end(page, QUESTION)
    ask(page, "x" * 5_000)
    notice = page.locator("#chat .notice")
    expect(notice).to_contain_text("ask it in 4,000 or fewer")
    assert page.input_value("#question textarea") == "x" * 5_000
    text = "(e) => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect().top }"
    below = page.locator("#chat .acts >> nth=-1").bounding_box()
    assert notice.evaluate(text) - below["y"] - below["height"] >= 12
    ask_to_end(page, QUESTION, replies=2)
    expect(notice).to_have_count(0)


def test_an_unknown_conversation_says_so_and_a_new_one_can_begin(page: Page, site: Site):
    page.goto(site.url + "?c=nowhere")
    expect(page.locator("#chat .notice")).to_have_text(GONE)
    ask_to_end(page, QUESTION)
    assert conversation(page) != "nowhere"
    page.goto(site.url + "?c=nowhere")
    page.get_by_role("link", name="Start a new one").click()
    page.wait_for_url(site.url + "?")  # in the same tab
    expect(page.locator("#chat").get_by_text(EXAMPLES[0])).to_be_visible()
    expect(page.locator("#chat .notice")).to_have_count(0)


@pytest.mark.parametrize("page", [PHONE, DESK], indirect=True)
def test_everything_that_is_pressed_is_large_enough(page: Page):
    """WCAG 2.5.8: 24 pixels both ways, but for what stands in a line of text."""
    ask_to_end(page, QUESTION)
    page.click("a.cite >> nth=0")
    page.click("#reasoning .to-details >> nth=0")
    page.wait_for_function("document.getAnimations().length === 0")
    small = page.evaluate("""() => [...document.querySelectorAll('a, button, summary, select, input, textarea, [role=button]')]
        .filter((one) => one.checkVisibility() && !one.closest('[inert], #settings') && !one.matches('a.cite, .details a, .corrections a'))
        .map((one) => [one.className || one.textContent, one.getBoundingClientRect()])
        .filter(([, { width, height }]) => width && (width < 24 || height < 24))
        .map(([name, { width, height }]) => `${name} ${width} x ${height}`)""")
    assert small == []


def test_a_question_is_answered_by_the_whole_method(browser: Browser, tmp_path: Path):
    whole = open_assistant(db=tmp_path / "chat.db")
    with served_page(tmp_path, assistant=whole, people={}) as served, opened_page(browser, served.url) as page:
        ask_to_end(page, QUESTION)
        expect(page.locator("#chat .outcome b")).to_have_text("Supported")
        expect(page.locator("#chat .final")).to_have_text("Honshu")
        names = "all => all.map((one) => one.className)"
        sentences = page.locator("#chat .sentence").evaluate_all(names)
        assert sentences == ["sentence is-carried", "sentence is-carried", "sentence is-own"]
        assert page.locator(f"{STORY} .node").evaluate_all(names) == [
            "node is-disputed is-rejected level-1",
            "node is-corrected is-branch level-1",
            "node is-agreed level-2",
        ]
        for number, span in enumerate(("Kyoto", "Honshu")):
            page.click(f"a.cite >> nth={number}")
            expect(page.locator(CARD).locator("mark")).to_have_text(span)
