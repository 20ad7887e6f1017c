"""The question box in a real browser: what is typed is never lost, and the keyboard always leads somewhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.chat_page import Site, ask, conversation, held, wait_for
from tests.support.stories import QUESTION

BOX, NEXT = "#question textarea", "Next: asked when this reply has ended."


@pytest.mark.parametrize("press", ["mouse", "keyboard"])
def test_after_ask_and_stop_the_next_question_can_be_typed(page: Page, site: Site, press: str):
    with held(site):
        page.fill(BOX, QUESTION)
        for button, state in (("#ask", "running"), ("#stop", "done")):
            page.focus(button)
            page.keyboard.press("Enter") if press == "keyboard" else page.click(button)
            wait_for(page, state)
            expect(page.locator(BOX)).to_be_focused()
            expect(page.locator("#chat .step")).to_have_count(2)


def test_a_question_asked_during_a_run_is_the_next_one(page: Page, site: Site):
    with held(site) as player:
        ask(page, QUESTION)
        wait_for(page, "running")
        hint = page.locator("#compose").get_by_role("status")
        expect(page.locator(BOX)).to_have_value("")
        page.keyboard.press("Enter")
        expect(hint).to_have_text("")  # nothing was asked
        ask(page, "And Sega?")
        expect(hint).to_have_text(NEXT)
        expect(hint).to_be_in_viewport(ratio=1)
        expect(page.locator("#stop")).to_be_visible()
        page.keyboard.type(" And Atari?")
        expect(hint).to_have_text("")  # it is taken back
        page.click("#ask")
        expect(hint).to_have_text(NEXT)
        player.go_on.set()
        wait_for(page, "done", replies=2)
        expect(hint).to_have_text("")
        expect(page.locator(BOX)).to_have_value("")
        expect(page.locator("#chat .question").last).to_have_text("And Sega? And Atari?")


def test_what_is_taken_back_is_not_asked(page: Page, site: Site):
    with held(site) as player:
        ask(page, QUESTION)
        wait_for(page, "running")
        ask(page, "And Sega?")
        page.keyboard.type(" And At")
        player.go_on.set()
        wait_for(page, "done")
    page.wait_for_timeout(300)
    expect(page.locator("#chat .question")).to_have_count(1)
    expect(page.locator(BOX)).to_have_value("And Sega? And At")


def test_two_tabs_follow_one_run_and_take_turns(page: Page, site: Site):
    ask(page, QUESTION)
    wait_for(page, "done")
    page.wait_for_url("**/?c=*")
    other = page.context.new_page()
    other.goto(page.url)
    wait_for(other, "done")
    with held(site) as player:
        ask(page, "And Sega?")
        wait_for(page, "running")
        wait_for(other, "running")
        expect(other.locator("#chat .question").last).to_have_text("And Sega?")
        ask(other, "And Atari?")
        expect(other.locator("#asking-hint")).to_have_text(NEXT)
        player.go_on.set()
        for tab in (page, other):
            wait_for(tab, "done", replies=3)
            expect(tab.locator("#chat .question")).to_have_text([QUESTION, "And Sega?", "And Atari?"])
            expect(tab.locator("#chat .notice")).to_have_count(0)


@pytest.mark.parametrize("typed", ["Where is\x07 Nintendo?", " Where  is Nintendo? "])
def test_what_was_asked_leaves_the_box_however_it_was_typed(page: Page, typed: str):
    ask(page, typed)
    wait_for(page, "done")
    expect(page.locator(BOX)).to_have_value("")
    expect(page.locator(BOX)).to_have_attribute("dir", "auto")


def test_what_is_typed_outlives_a_reload(page: Page):
    page.fill(BOX, "half a quest")
    page.reload()
    expect(page.locator(BOX)).to_have_value("half a quest")
    page.locator(BOX).press_sequentially("ion")
    page.keyboard.press("Enter")
    expect(page.locator("#chat .question")).to_have_text("half a question")


def test_each_conversation_keeps_its_own_until_it_is_asked(page: Page):
    page.fill(BOX, QUESTION)
    page.keyboard.press("Enter")
    wait_for(page, "done")
    first = conversation(page)
    page.fill(BOX, "And Sega?")
    page.click("#new")
    expect(page.locator("#reasoning[data-state=idle]")).to_be_visible()
    expect(page.locator(BOX)).to_have_value("")
    page.fill(BOX, "Why is the sky blue?")
    page.click(f"#nav [data-id='{first}'] a")
    wait_for(page, "done")
    expect(page.locator(BOX)).to_have_value("And Sega?")
    page.focus(BOX)
    page.keyboard.press("Enter")
    wait_for(page, "done", replies=2)
    page.reload()
    wait_for(page, "done", replies=2)
    expect(page.locator(BOX)).to_have_value("")
    page.click("#new")
    expect(page.locator(BOX)).to_have_value("Why is the sky blue?")


def test_an_empty_question_says_what_to_do(page: Page):
    wait_for(page, "idle")
    hint = page.locator("#compose").get_by_role("status")
    for press in (lambda: page.click("#ask"), lambda: page.press(BOX, "Enter")):
        page.locator(BOX).fill("")
        press()
        expect(hint).to_have_text("Type a question first.")
        page.locator(BOX).press_sequentially("W")
        expect(hint).to_have_text("")


def test_a_question_in_the_moment_after_a_reply_is_asked(page: Page):
    page.evaluate(
        """(text) => new MutationObserver((_, seen) => {
        if (document.getElementById('reasoning')?.dataset.state !== 'done') return;
        seen.disconnect(); // Gradio's own event is not over yet
        const box = document.querySelector('#question textarea');
        box.value = text;
        box.dispatchEvent(new Event('input', { bubbles: true }));
        for (const kind of ['keydown', 'keypress']) box.dispatchEvent(new KeyboardEvent(kind, { key: 'Enter', bubbles: true, cancelable: true }));
    }).observe(document, { subtree: true, childList: true, attributes: true })""",
        "And Sega?",
    )
    ask(page, QUESTION)
    wait_for(page, "done", replies=2)
    expect(page.locator("#chat .question").last).to_have_text("And Sega?")


def test_a_key_pressed_twice_asks_once(page: Page, site: Site):
    with held(site) as player:
        ask(page, QUESTION)
        page.keyboard.press("Enter")
        wait_for(page, "running")
        player.go_on.set()
        wait_for(page, "done")
    page.wait_for_timeout(500)
    expect(page.locator("#chat .question")).to_have_count(1)


def test_a_question_typed_before_its_conversation_is_there_waits_for_it(page: Page):
    ask(page, QUESTION)
    wait_for(page, "done")
    first, held_up = conversation(page), []
    page.route("**/queue/join*", lambda route: route.continue_() if held_up else held_up.append(route))
    page.reload()
    ask(page, "And Sega?")
    page.wait_for_timeout(300)
    expect(page.locator(BOX)).to_have_value("And Sega?")
    (opening,) = held_up
    opening.continue_()
    wait_for(page, "done", replies=2)
    assert conversation(page) == first
