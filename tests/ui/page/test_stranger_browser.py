"""What somebody meets who has never heard of the program: the answer first, what it knows, and what a reply rests on."""

import pytest
from playwright.sync_api import Page, expect

from searchain.question.talk import Talk
from searchain.reply.no_search import Collection, no_search
from searchain.types import Passage, Usage
from tests.support.chat_page import Site, ask, ask_to_end, held, place, wait_for
from tests.support.stories import QUESTION, everest, nintendo, not_found
from ui.page.sidebar import Titles
from ui.server.access import Access

PHONES = [
    {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    {"viewport": {"width": 740, "height": 360}, "has_touch": True, "is_mobile": True},
]
KNOWS = Collection("default", 10_033, "introductions of English Wikipedia articles")
TITLES = [Passage(str(number), title, "") for number, title in enumerate(("Kyoto", "Alan Turing", "Ada Lovelace"))]


def story(question: str):
    if question == "hello":
        knows = Collection("toy", examples=(QUESTION, "Where is Sega?"))
        return (nintendo(question)[0], *no_search(Talk("greeting", "Hello!"), knows, Usage()))
    if "Atlantis" in question:
        return not_found(question)
    if "mountain" in question:
        return everest(question)
    return nintendo(question)


SITE = {"story": story, "titles": Titles(KNOWS, TITLES, Access())}


PARTS = (".question", ".final", ".outcome", ".reply", ".how > summary", ".acts .retry")


def test_a_reply_begins_with_its_answer_and_how_sure_it_is_and_its_sentences_stand_beside_passages(page: Page):
    ask_to_end(page, QUESTION)
    expect(page.locator("#chat .final")).to_have_text("Honshu")
    expect(page.locator("#chat .outcome")).to_have_text("✓ Supported about 9 in 10 such answers are right")
    parts = {name: page.locator(f"#chat {name}").first for name in PARTS}
    order = [part.evaluate("(one) => one.getBoundingClientRect().top") for part in parts.values()]
    assert order == sorted(order)
    size = "(one) => parseFloat(getComputedStyle(one).fontSize)"
    sizes = [parts[name].evaluate(size) for name in (".final", ".reply", ".how > summary")]
    assert sizes == sorted(sizes, reverse=True)
    expect(page.locator("#chat .corrections")).to_contain_text("The article says Kyoto; the model had said Tokyo.")
    page.get_by_role("button", name="Side by side").click()
    rows = page.locator("dialog .beside tbody tr")
    expect(rows).to_have_count(3)
    first, _, last = rows.all()
    assert first.locator("td").first.locator(".same").all_inner_texts() == ["Nintendo", "headquarters", "Kyoto"]
    assert {"Nintendo", "Kyoto"} <= set(first.locator("td").last.locator(".same").all_inner_texts())
    expect(first.locator(".support")).to_have_text("✓ Its source says it")
    expect(last).to_contain_text("No passage: this is the model’s own knowledge.")
    expect(last.locator(".support")).to_have_text("from the model")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_where_nothing_is_found_the_nearest_passages_stand_with_ways_on(page: Page):
    ask_to_end(page, "Who is the mayor of Atlantis?")
    where = "– Not found in the introductions of English Wikipedia articles."
    expect(page.locator("#chat .outcome")).to_have_text(where)
    near = page.locator("#chat .near li")
    expect(near).to_have_count(3)
    expect(near.first).to_contain_text("Mount Everest is Earth's highest mountain")
    assert "I found no answer" not in page.locator("#chat").inner_text()
    page.get_by_role("button", name="Ask differently").click()
    expect(page.locator("#dialog-field")).to_have_value("Who is the mayor of Atlantis?")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="See what it knows").click()
    expect(page.locator("#titles")).to_be_visible()


def test_small_talk_offers_questions_to_choose(page: Page):
    ask(page, "hello")
    expect(page.locator("#chat .reply")).to_have_text("Hello! I look things up in passages.")
    expect(page.locator("#chat .compare-with")).to_have_count(0)  # there is nothing that a method could answer
    expect(page.locator("#chat .next")).to_have_text(f"You could ask:{QUESTION}Where is Sega?")
    page.locator("#chat .ask-next").first.click()
    expect(page.locator("#chat .final")).to_have_text("Honshu")
    expect(page.locator("#chat .outcome")).to_have_count(1)


def test_what_it_knows_is_told_and_can_be_browsed(page: Page):
    expect(page.locator("#knows")).to_contain_text("Answers from 10,033 introductions of English Wikipedia articles")
    expect(page.locator("#chat .welcome")).to_contain_text("It reads English.")
    page.locator("#knows .to-titles").click()
    titles = page.locator("#titles li")
    expect(titles).to_have_text(["Ada Lovelace", "Alan Turing", "Kyoto"])
    page.locator("#titles ul").evaluate(
        "(list) => list.append(...[...Array(200)].map(() => list.firstChild.cloneNode(true)))"
    )
    assert page.locator("#titles ul").evaluate("(list) => list.scrollWidth <= list.clientWidth")  # it scrolls down only
    page.locator("#titles input").fill("")
    page.keyboard.type("ala")
    expect(titles).to_have_text(["Alan Turing"])
    expect(page.locator("#titles .count")).to_have_text("1 of 3 titles")
    titles.first.get_by_role("button").click()
    expect(page.locator("#question textarea")).to_have_value("Tell me about Alan Turing.")
    expect(page.locator("#question textarea")).to_be_focused()


def test_a_search_is_told_while_it_goes_on_with_its_seconds(page: Page, site: Site):
    with held(site):
        ask(page, QUESTION)
        expect(page.locator("#chat .step").first).to_contain_text("Searching: Where is the headquarters of Nintendo?")
        told = "getComputedStyle(document.querySelector('#chat .doing'), '::after').content"
        page.wait_for_function(f"/· \\D*[1-9]\\d* s/.test({told})")
        page.reload()  # it counts from when it was asked
        page.wait_for_function(f"document.querySelector('#chat .doing') && /· \\D*[1-9]\\d* s/.test({told})")
    wait_for(page, "done")


def test_the_panel_shows_the_sources_of_the_reply_that_is_read_but_for_one_that_was_opened(page: Page):
    for number, question in enumerate(("How high is the highest mountain?", QUESTION, QUESTION), 1):
        ask_to_end(page, question, replies=number)
    shown = page.locator("#side .sources.of-turn:visible")
    expect(shown).to_have_count(1)
    expect(shown.locator(".card").first).to_be_in_viewport()
    expect(shown.locator(".quoted b").first).to_have_text("Kyoto")  # its quoted words are seen without a click
    place(page)  # it still follows the reply that was written last
    page.locator("#chat [role=log]").evaluate("(log) => { log.scrollTop = 0 }")
    expect(shown.locator(".quoted b").first).to_have_text("Mount Everest")
    expect(page.locator("#reasoning .of-turn:visible .of-question")).to_have_text("How high is the highest mountain?")
    log, quoted = page.locator("#chat [role=log]"), page.locator("#side .sources.of-turn:visible .quoted b").first
    page.locator("#chat .answer-block").last.locator("a.cite").first.click()
    place(page)
    log.evaluate("(log) => { log.scrollTop = 0 }")  # the page itself scrolls
    page.wait_for_timeout(200)
    expect(page.locator("#side .card.is-chosen")).to_be_visible()
    log.hover()
    page.mouse.wheel(0, 10)
    expect(quoted).to_have_text("Mount Everest")


@pytest.mark.parametrize("page", PHONES, indirect=True)
def test_a_phone_has_one_scroll_the_box_below_and_the_sources_in_a_sheet(page: Page):
    ask_to_end(page, QUESTION)
    assert page.evaluate("document.scrollingElement.scrollHeight - innerHeight") <= 1
    bottom = page.locator("#compose").evaluate("(one) => innerHeight - one.getBoundingClientRect().bottom")
    assert 0 <= bottom <= 40
    for part in ("#top h1", "#new-short", "#compose"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    side = page.locator("#side")
    expect(side).not_to_be_visible()
    page.locator("#chat a.cite").last.tap()
    expect(side).to_be_visible()
    expect(side.locator(".card.is-chosen mark")).to_be_in_viewport()
    expect(page.locator(".close-side")).to_be_in_viewport(ratio=1)  # however far the sheet is scrolled
    page.locator(".close-side").tap()
    expect(side).not_to_be_visible()
    page.locator("#chat .to-side").tap()
    expect(side).to_be_visible()
    page.keyboard.press("Escape")
    expect(side).not_to_be_visible()
