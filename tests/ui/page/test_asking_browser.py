"""The question box in a real browser: what is typed is never lost, and the keyboard always leads somewhere."""

from playwright.sync_api import Page, expect

from tests.support.chat_page import Site, ask, ask_to_end, conversation, held, wait_for
from tests.support.stories import QUESTION

BOX, NEXT = "#question textarea", "Next: asked when this reply has ended."


def test_a_question_asked_during_a_run_is_the_next_one(page: Page, site: Site):
    with held(site) as player:
        ask(page, QUESTION)
        page.keyboard.press("Enter")  # a key pressed twice asks once
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
        page.wait_for_timeout(500)
        expect(page.locator("#chat .question")).to_have_text([QUESTION, "And Sega? And Atari?"])


def test_two_tabs_follow_one_run_and_take_turns(page: Page, site: Site):
    ask_to_end(page, QUESTION)
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


def test_what_is_typed_outlives_a_reload(page: Page):
    page.fill(BOX, "half a quest")
    page.reload()
    expect(page.locator(BOX)).to_have_value("half a quest")
    page.locator(BOX).press_sequentially("ion")
    page.keyboard.press("Enter")
    expect(page.locator("#chat .question")).to_have_text("half a question")


def test_a_question_typed_before_its_conversation_is_there_waits_for_it(page: Page):
    ask_to_end(page, QUESTION)
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
