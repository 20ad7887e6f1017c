"""What is done with questions and replies in a real browser: asked again, edited, copied, judged."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import opened_page
from tests.support.chat_page import Site, ask_to_end, conversation, wait_for
from tests.support.stories import QUESTION


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """A conversation with one reply."""
    with opened_page(browser, site.url, permissions=["clipboard-read", "clipboard-write"]) as page:
        ask_to_end(page, QUESTION)
        yield page


def turns(page: Page, site: Site):
    return [turn for _, turn in site.assistant.turns(conversation(page))]


def words(site: Site, page: Page):
    return [(said.source, said.value, said.comment) for said in site.assistant.feedback(conversation(page))]


def test_what_is_asked_again_takes_its_place_and_the_earlier_reply_is_a_page_back(page: Page, site: Site):
    ask_to_end(page, "And Sega?", replies=2)
    page.fill("#question textarea", "a draft")
    page.click(".retry >> nth=0")
    wait_for(page, "done", replies=3)
    assert [turn.question for turn in turns(page, site)] == [QUESTION, "And Sega?", QUESTION]
    assert site.player.histories[-1] == ()  # without the old reply
    assert page.input_value("#question textarea") == "a draft"
    page.fill("#question textarea", "")
    page.click("#chat .asked:visible .edit >> nth=0")
    page.fill("dialog textarea", "And <b>Atari</b>?")
    page.keyboard.press("Control+Enter")
    wait_for(page, "done", replies=4)
    asked, pager = page.locator("#chat .question:visible"), page.locator("#chat .pager:visible")
    expect(asked).to_have_text(["And <b>Atari</b>?", "And Sega?"])
    expect(pager.locator(".of")).to_have_text(["3/3"])
    newest, retried, _, first = [id for id, _ in reversed(site.assistant.turns(conversation(page)))]
    expect(page.locator(f"#evidence-panel [data-turn='{newest}']")).to_be_visible()
    page.locator("#chat .pager:visible .earlier").click()
    page.keyboard.press("Enter")  # the button keeps the focus
    expect(asked).to_have_text([QUESTION, "And Sega?"])
    expect(pager.locator(".of")).to_have_text(["1/3"])
    expect(page.locator(f"#an-{first}")).to_be_visible()
    expect(page.locator(f"#an-{newest}")).to_be_hidden()
    expect(page.locator(f"#evidence-panel [data-turn={first!r}]")).to_be_visible()
    page.click("#chat .retry:visible >> nth=0")
    wait_for(page, "done", replies=5)
    expect(asked).to_have_text([QUESTION, "And Sega?"])
    expect(pager.locator(".of")).to_have_text(["4/4"])
    page.reload()
    expect(pager.locator(".of")).to_have_text(["4/4"])
    ask_to_end(page, "And which is older?", replies=6)
    assert [said.question for said in site.player.histories[-1]] == [QUESTION, "And Sega?"]
    assert site.assistant.turn(retried).replaces == first


def test_an_edited_question_is_a_new_turn_and_the_old_one_stays(page: Page, site: Site):
    ask_to_end(page, "And Sega?", replies=2)
    page.hover("#chat .asked >> nth=1")
    page.click(".edit >> nth=1")
    field = page.locator("dialog textarea")
    expect(field).to_have_value("And Sega?")
    field.fill("And Atari, <b>where</b>?")
    page.keyboard.press("Shift+Enter")
    expect(field).to_have_value("And Atari, <b>where</b>?\n")
    page.keyboard.press("Enter")
    wait_for(page, "done", replies=3)
    assert [turn.question for turn in turns(page, site)] == [QUESTION, "And Sega?", "And Atari, <b>where</b>?"]
    assert [exchange.question for exchange in site.player.histories[-1]] == [QUESTION]
    expect(page.locator("#chat .question:visible").last).to_have_text("And Atari, <b>where</b>?")


def test_a_reply_is_copied_with_its_sources_as_plain_and_as_formatted_text_and_a_citation_is_doubted(
    page: Page, site: Site
):
    page.click("#chat .menu summary >> nth=0")
    page.click("#chat .copy-sources >> nth=0")
    expect(page.locator("#chat").get_by_text("Copied.")).to_be_visible()
    kinds = page.evaluate("""navigator.clipboard.read().then(async ([copied]) => Object.fromEntries(
      await Promise.all(copied.types.map(async (type) => [type, await (await copied.getType(type)).text()]))))""")
    assert sorted(kinds) == ["text/html", "text/plain"]
    assert "\n\n[1] " in kinds["text/plain"]
    assert "<ol>\n<li>" in kinds["text/html"]
    page.keyboard.press("Escape")
    page.click("a.cite >> nth=1")
    doubt = page.locator("details.card.is-chosen .doubt")
    doubt.click()
    page.fill("dialog textarea", "it speaks of another Kyoto")
    page.click("dialog .is-main")
    expect(doubt).to_have_attribute("aria-pressed", "true")
    expect(doubt).to_have_text("You said: does not support it", use_inner_text=True)
    assert words(site, page) == [(2, "down", "it speaks of another Kyoto")]
    page.reload()
    page.click("a.cite >> nth=1")
    expect(doubt).to_have_attribute("aria-pressed", "true")
    doubt.click()
    expect(page.locator("dialog textarea")).to_have_value("it speaks of another Kyoto")
    page.get_by_role("button", name="Take back").click()
    expect(doubt).to_have_attribute("aria-pressed", "false")
    assert words(site, page) == []


def test_a_reply_is_judged_and_changing_ones_mind_replaces(page: Page, site: Site):
    up, down = page.locator(".rate-up"), page.locator(".rate-down")
    up.click()
    expect(up).to_have_attribute("aria-pressed", "true")
    down.click()
    page.fill("dialog textarea", "<i>Honshu</i> is no city")
    page.click("dialog .is-main")
    expect(down).to_have_attribute("aria-pressed", "true")
    expect(up).to_have_attribute("aria-pressed", "false")
    assert words(site, page) == [(None, "down", "<i>Honshu</i> is no city")]
    page.reload()
    expect(down).to_have_attribute("aria-pressed", "true")
    down.click()
    expect(page.locator("dialog textarea")).to_have_value("<i>Honshu</i> is no city")
    page.fill("dialog textarea", "Honshu is an island")
    page.click("dialog .is-main")
    expect(page.locator("dialog")).to_have_count(0)
    assert words(site, page) == [(None, "down", "Honshu is an island")]
    down.click()
    page.keyboard.press("Escape")
    expect(down).to_have_attribute("aria-pressed", "true")
    down.click()
    page.get_by_role("button", name="Take back").click()
    expect(down).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#chat .acts .said")).to_have_text("Taken back.")
    assert words(site, page) == []
    down.click()
    expect(page.locator("dialog textarea")).to_have_value("")
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)
