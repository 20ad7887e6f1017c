"""Citations, evidence and tree in a real browser: mouse, keyboard and touch, while a run goes on and after it."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.support.chat_page import CONTRAST, PHONE, Site, ask, wait_for
from tests.support.stories import EVEREST, QUESTION, everest, nintendo
from tests.support.story_runs import StoryPlayer, store_run

MOUNTAIN = "How high is the highest mountain?"
SITE = {"story": lambda question: (everest if question == MOUNTAIN else nintendo)(question), "pause": 0}
VIEW = DESK = {"viewport": {"width": 1280, "height": 900}}
STORY = "#reasoning .of-turn > .tree"
WIDE = """[...document.querySelectorAll('#side *')].filter((one) => one.clientWidth && one.checkVisibility()
  && getComputedStyle(one).display !== 'inline' && !one.matches('.unseen') && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.className)"""
LIT = """() => [...document.querySelectorAll('.sentence, .card, .node, a.cite')]
  .filter((one) => getComputedStyle(one).getPropertyValue('--lit')).map((one) => one.id)"""


def show(page: Page, site: Site, *questions: str, more: str = "") -> list[str]:
    """A conversation in which the questions are answered; the ids of its turns."""
    conversation, turns = None, []
    for question in questions:
        begun = store_run(site.store, SITE["story"](question), conversation=conversation)
        conversation = begun.conversation
        turns.append(begun.turn)
    page.goto(f"{site.url}?c={conversation}{more}")
    wait_for(page, "done", replies=len(questions))
    return turns


def lit(page: Page, *ids: str) -> None:
    """Wait until exactly these elements are lit."""
    page.wait_for_function(
        f"(ids) => JSON.stringify(({LIT})().sort()) === ids", arg=json.dumps(sorted(ids), separators=(",", ":"))
    )


def chip(page: Page, turn: str, number: int):
    return page.locator(f'#chat a.cite[href="#ev-{turn}-{number}"]').first


def test_pointing_at_a_citation_shows_what_stands_behind_it(page: Page, site: Site):
    (turn,) = show(page, site, MOUNTAIN)
    tip = page.locator("#cite-tip")
    chip(page, turn, 2).hover()
    expect(tip).to_be_visible()
    expect(tip.locator(".tip-title")).to_have_text("Mount Everest")
    expect(tip.locator("b")).to_have_text("8,848.86 m")
    expect(tip.locator(".quoted")).to_have_text("Its height of 8,848.86 m was established in 2020.")
    expect(tip.locator(".tip-why")).to_have_text("The article says 8,848.86 m; the model had said 8,844 m.")
    tip.hover()  # one can go there, to select its text
    page.wait_for_timeout(300)
    expect(tip).to_be_visible()
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    chip(page, turn, 5).hover()
    expect(tip.locator("b")).to_have_count(0)
    expect(tip.locator(".tip-why")).to_contain_text("it does not confirm it")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


def test_a_citation_that_is_focused_is_described_by_the_same(page: Page, site: Site):
    (turn,) = show(page, site, QUESTION)
    tip, link = page.locator("#cite-tip"), chip(page, turn, 1)
    assert link.get_attribute("title") == "Source 1: Nintendo"
    page.locator("#chat .edit").focus()
    for _ in range(4):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "cite":
            break
    expect(link).to_be_focused()
    expect(tip).to_be_visible()
    words = "Nintendo Co., Ltd. is a Japanese multinational video game company headquartered in Kyoto."
    why = "The article says Kyoto; the model had said Tokyo."
    expect(link).to_have_accessible_description(f"Nintendo {words} {why}")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(link).to_be_focused()
    assert (link.get_attribute("title"), link.get_attribute("aria-describedby")) == ("Source 1: Nintendo", None)
    page.keyboard.press("Tab")
    expect(chip(page, turn, 2)).to_be_focused()
    expect(tip.locator("b")).to_have_text("Honshu")
    for key in ("Enter", "Space"):
        page.keyboard.press(key)
        expect(tip).to_be_hidden()
        expect(page.locator(f"#ev-{turn}-2 > summary")).to_be_focused()
        page.keyboard.press("Escape")
        expect(chip(page, turn, 2)).to_be_focused()


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_tap_opens_the_card_and_no_popover(page: Page, site: Site):
    (turn,) = show(page, site, QUESTION)
    chip(page, turn, 2).tap()
    expect(page.locator(f"#ev-{turn}-2 mark")).to_be_in_viewport()
    page.wait_for_timeout(300)
    expect(page.locator("#cite-tip")).to_be_hidden()
    lit(page, f"se-{turn}-1", chip(page, turn, 2).get_attribute("id"), f"ev-{turn}-2", f"nd-{turn}-n4")
    page.locator(f"#ev-{turn}-2 .back").tap()
    expect(chip(page, turn, 2)).to_be_in_viewport()


def test_sentence_source_and_node_light_each_other(page: Page, site: Site):
    (turn,) = show(page, site, MOUNTAIN)
    page.locator(f"#se-{turn}-1 .support").hover()
    chips = page.locator(f"#se-{turn}-1 a.cite").evaluate_all("all => all.map((one) => one.id)")
    one = page.locator(f"#se-{turn}-0 a.cite").get_attribute("id")
    cards, nodes = [f"ev-{turn}-1", f"ev-{turn}-2"], [f"nd-{turn}-n1", f"nd-{turn}-n4"]
    lit(page, f"se-{turn}-1", one, *chips, *cards, *nodes)
    chip(page, turn, 2).hover()
    lit(page, f"se-{turn}-1", chips[1], cards[1], nodes[1])
    page.locator(f"#{nodes[0]} .query").hover()
    lit(page, f"se-{turn}-0", f"se-{turn}-1", one, chips[0], cards[0], nodes[0])
    page.locator(f"#nd-{turn}-n2 .query").hover()  # dropped: nothing rests on it
    lit(page, f"nd-{turn}-n2")
    page.mouse.move(5, 5)
    lit(page)
    page.locator(f"#{cards[1]} > summary").click()
    page.mouse.move(5, 5)
    page.evaluate("document.activeElement.blur()")
    lit(page, f"se-{turn}-1", chips[1], cards[1], nodes[1])
    page.keyboard.press("Escape")
    lit(page)
    first, second = show(page, site, QUESTION, QUESTION)  # those of earlier turns light their own
    for turn in (first, second):
        chip(page, turn, 1).hover()
        lit(page, f"se-{turn}-0", chip(page, turn, 1).get_attribute("id"), f"ev-{turn}-1", f"nd-{turn}-n3")
        chip(page, turn, 1).click()
        expect(page.locator("details.card.is-chosen")).to_have_attribute("id", f"ev-{turn}-1")
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id).filter(Boolean)")
    assert len(ids) == len(set(ids))


def test_a_long_passage_is_folded_around_its_span(page: Page, site: Site):
    (turn,) = show(page, site, MOUNTAIN)
    chip(page, turn, 2).click()
    card = page.locator(f"#ev-{turn}-2")
    passage, button = card.locator(".passage"), card.locator("button.whole")
    expect(passage.locator("mark")).to_be_visible()
    assert len(passage.inner_text()) < 600
    assert passage.locator(".rest").evaluate_all("all => all.map((one) => one.checkVisibility())") == [False] * 2
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    assert passage.inner_text() == EVEREST.text
    ask(page, QUESTION)  # its cards come first, and all are written anew
    wait_for(page, "done", replies=2)
    page.locator(f"#an-{turn} .outcome").click()  # the panel shows the reply that is read
    assert passage.inner_text() == EVEREST.text
    button.click()
    assert len(passage.inner_text()) < 600


def test_the_tree_is_one_tab_stop_and_its_steps_open(page: Page, site: Site):
    (turn,) = show(page, site, MOUNTAIN)
    step = {number: page.locator(f"#nd-{turn}-n{number} summary") for number in (1, 2)}
    details = page.locator(f"#nd-{turn}-n2 .details")
    step[1].focus()
    page.keyboard.press("ArrowDown")
    expect(step[2]).to_be_focused()
    page.keyboard.press("Enter")
    expect(details).to_contain_text("Answer in the passage")
    page.keyboard.press("Enter")
    expect(details).to_be_hidden()
    page.keyboard.press("ArrowUp")
    expect(step[1]).to_be_focused()
    assert page.locator(f"{STORY} summary:not([tabindex])").count() == 1
    page.locator(f"#nd-{turn}-n4 .query").click()
    page.locator(f"#nd-{turn}-n4 .to-card").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#ev-{turn}-2 mark")).to_be_in_viewport()
    expect(page.locator(f"#ev-{turn}-2 > summary")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(f"#nd-{turn}-n4 .to-card")).to_be_focused()
    page.locator(f"#nd-{turn}-n4 .to-details").click()
    expect(page.locator(f"#nd-{turn}-n4 .details")).to_be_hidden()


def test_focus_and_details_stay_while_the_tree_grows(page: Page, site: Site, held: StoryPlayer):
    held.hold = 16  # the first branch is open, its node is not settled
    ask(page, MOUNTAIN)
    branch = page.locator(f"{STORY} .node.is-branch")
    expect(branch).to_have_count(1)
    dropped = page.locator(f"{STORY} .node.is-rejected .verdict").first
    expect(dropped).to_have_text("↻ Dropped: the article says otherwise")
    id = branch.get_attribute("id")
    branch.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(branch.locator(".details")).to_be_visible()
    held.go_on.set()
    wait_for(page, "done")
    expect(page.locator(f"{STORY} .node")).to_have_count(11)
    expect(page.locator(f"#{id} summary")).to_be_focused()
    expect(page.locator(f"#{id} .details")).to_be_visible()


@pytest.mark.parametrize(("page", "theme"), [(PHONE, "dark"), (DESK, "light")], indirect=["page"])
def test_a_long_run_fits_and_is_readable(page: Page, site: Site, theme: str):
    turn, _ = show(page, site, MOUNTAIN, QUESTION, more=f"&__theme={theme}")
    page.locator(f"#an-{turn} .outcome").click()
    if page.locator(f"#an-{turn} .to-side").is_visible():
        page.locator(f"#an-{turn} .to-side").click()
    for summary in page.locator("#side details > summary:visible").all():
        summary.click()
    page.locator(f"#nd-{turn}-n4 .query").click()
    page.wait_for_function("document.getAnimations().every((one) => one.playState !== 'running')")
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(WIDE) == []
    assert page.evaluate(CONTRAST.replace("#top *, #chat .message-row *, #side *", "#chat .reply *, #side *")) == []


@pytest.mark.parametrize(
    "page", [DESK, PHONE | {"color_scheme": "dark"}], indirect=True, ids=["desk", "phone in the dark"]
)
def test_words_selected_in_a_source_come_before_the_next_question(page: Page, site: Site):
    (turn,) = show(page, site, QUESTION)
    box, button = page.get_by_role("textbox", name="Question"), page.get_by_role("button", name="Ask about this")
    expect(button).to_have_count(0)
    chip(page, turn, 2).click()
    page.locator(f"#ev-{turn}-2 .passage mark").evaluate("(one) => getSelection().selectAllChildren(one)")
    expect(button).to_be_in_viewport(ratio=1)
    button.click()
    expect(button).to_have_count(0)
    expect(box).to_be_focused()
    expect(box).to_have_value("“Honshu” ")
    page.keyboard.type("Who rules it?")
    page.keyboard.press("Enter")
    wait_for(page, "done", replies=2)
    expect(page.locator("#chat .question").last).to_have_text("“Honshu” Who rules it?")


def test_a_triple_click_selects_a_passage_alone_and_a_key_asks_about_it_or_the_open_source(page: Page, site: Site):
    (turn,) = show(page, site, QUESTION)
    box, passage = page.get_by_role("textbox", name="Question"), page.locator(f"#ev-{turn}-2 .passage")
    chip(page, turn, 2).press("Enter")
    passage.click(click_count=3)
    page.get_by_role("button", name="Ask about this").click()
    expect(box).to_have_value(f"“{' '.join(passage.inner_text().split())}” ")
    box.fill("")
    page.evaluate("getSelection().removeAllRanges()")
    chip(page, turn, 2).press("Enter")
    page.keyboard.press("a")
    expect(box).to_have_value(f"“{page.locator(f'#ev-{turn}-2 .quoted').text_content()}” ")
    box.fill("Why?")
    page.get_by_role("button", name="Side by side").click()
    page.locator(".beside td b.same").first.evaluate("(one) => getSelection().selectAllChildren(one)")
    expect(page.get_by_role("button", name="Ask about this")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(box).to_have_value("“Nintendo” Why?")


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("x" + "😀" * 700, "x" + "😀" * 599 + "…"),
        ("word " * 200, "word " * 119 + "word…"),
        ("a\u0007 \u202eb\u202c“c”", 'a b"c"'),
    ],
    ids=["pairs", "words", "control characters"],
)
def test_a_long_quotation_is_cut_between_words_and_can_be_asked(page: Page, site: Site, text: str, quoted: str):
    (turn,) = show(page, site, QUESTION)
    chip(page, turn, 2).click()
    passage = page.locator(f"#ev-{turn}-2 .passage")
    passage.evaluate("(one, text) => { one.textContent = text; getSelection().selectAllChildren(one) }", text)
    page.get_by_role("button", name="Ask about this").click()
    page.keyboard.type("Why?")
    page.keyboard.press("Enter")
    wait_for(page, "done", replies=2)
    expect(page.locator("#chat .question").last).to_have_text(f"“{quoted}” Why?")
