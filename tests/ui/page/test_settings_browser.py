"""The settings of a conversation in a real browser: chosen, checked by the server, kept with the conversation."""

from playwright.sync_api import Page, expect

from searchain.settings import Settings
from tests.support.chat_page import ask_to_end, wait_for
from tests.support.stories import QUESTION
from tests.support.story_runs import StoryPlayer
from ui.page.choices import Offers


class Large(StoryPlayer):
    """Another model: it remembers what it was asked to do."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[Settings, str]] = []

    def __call__(self, settings: Settings, index: str) -> StoryPlayer:
        self.asked.append((settings, index))
        return self


LARGE = Large()
SITE = {"models": {"large": LARGE}, "offers": Offers(indexes=("default", "mine"), models=("large",))}


def choose(page: Page, **values: str) -> None:
    page.click("#settings-toggle")
    page.evaluate("document.querySelector('#settings .details').open = true")
    for name, value in values.items():
        control = page.locator(f"#settings [name={name}]")
        control.select_option(value) if control.evaluate("one => one.tagName") == "SELECT" else control.fill(value)
    page.click("#settings .close")
    expect(page.locator("#settings")).to_be_hidden()


ALL = {"task": "factcheck", "system": "searchain-paper", "rounds": "3", "passages": "2", "theta": "-1.5"}
ALL |= {"index": "mine", "model": "large"}


def test_what_is_chosen_holds_from_the_next_question_on_and_is_kept(page: Page):
    choose(page, **ALL)
    expect(page.locator("#settings-toggle .changed")).to_have_text("7")
    ask_to_end(page, QUESTION)
    expected = (Settings.of("paper", task="factcheck", max_rounds=3, passages=2, theta=-1.5), "mine")
    assert LARGE.asked[-1] == expected
    page.reload()
    expect(page.locator("#settings-toggle .changed")).to_have_text("7")
    shown = page.evaluate("Object.fromEntries(new FormData(document.getElementById('settings')))")
    assert {name: value for name, value in shown.items() if value} == ALL
    ask_to_end(page, "And Sega?", replies=2)
    assert LARGE.asked[-2:] == [expected, expected]


def test_the_form_is_used_by_keyboard_and_a_number_out_of_range_is_told_before_it_is_used(page: Page):
    page.focus("#settings-toggle")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Kind of question")).to_be_focused()
    page.click("#settings .details > summary")
    for control in page.locator("#settings [name]:not([type=hidden])").all():
        help = control.get_attribute("aria-describedby")
        assert len(page.locator(f"#{help}").inner_text()) > 20
    page.keyboard.press("Escape")
    expect(page.locator("#settings")).to_be_hidden()
    expect(page.locator("#settings-toggle")).to_be_focused()
    page.keyboard.press("Enter")
    field = page.locator("#settings [name=theta]")
    expect(page.locator("#help-theta")).to_contain_text("From -20 to 20.")
    field.fill("1e9")
    page.click("#settings .close")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#settings")).to_be_hidden()
    page.fill("#question textarea", QUESTION)
    for ask_it in (
        lambda: page.click("#ask"),
        lambda: page.press("#question textarea", "Enter"),
        lambda: page.click("#chat .example >> nth=0"),
    ):
        ask_it()
        expect(field).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#settings")).to_be_hidden()
    expect(page.locator("#chat .example").first).to_be_visible()
    choose(page, theta="1.0")
    page.click("#ask")
    wait_for(page, "done")
