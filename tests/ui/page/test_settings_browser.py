"""The settings of a conversation in a real browser: chosen, checked by the server, kept with the conversation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from searchain.settings import Settings
from tests.support.chat_page import Site, ask, wait_for
from tests.support.chat_page import site as served_site
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


@pytest.fixture(scope="module")
def large() -> Large:
    return Large()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, large: Large) -> Iterator[Site]:
    with served_site(
        tmp_path_factory.mktemp("page"),
        models={"large": large},
        offers=Offers(indexes=("default", "mine"), models=("large",)),
    ) as served:
        yield served


def choose(page: Page, **values: str) -> None:
    page.click("#settings-toggle")
    page.evaluate("document.querySelector('#settings .details').open = true")
    for name, value in values.items():
        control = page.locator(f"#settings [name={name}]")
        control.select_option(value) if control.evaluate("one => one.tagName") == "SELECT" else control.fill(value)
    page.click("#settings .close")
    expect(page.locator("#settings")).to_be_hidden()


def shown(page: Page) -> dict[str, str]:
    """What the form shows that is not the default."""
    return page.evaluate(
        "Object.fromEntries([...new FormData(document.getElementById('settings'))].filter(([, value]) => value))"
    )


ALL = {
    "task": "factcheck",
    "system": "searchain-paper",
    "rounds": "3",
    "passages": "2",
    "theta": "-1.5",
    "index": "mine",
    "model": "large",
}


def test_what_is_chosen_holds_from_the_next_question_on_and_is_kept(page: Page, site: Site, large: Large):
    choose(page, **ALL)
    expect(page.locator("#settings-toggle .changed")).to_have_text("7")
    ask(page, QUESTION)
    wait_for(page, "done")
    expected = (Settings.of("paper", task="factcheck", max_rounds=3, passages=2, theta=-1.5), "mine")
    assert large.asked[-1] == expected
    page.reload()
    expect(page.locator("#settings-toggle .changed")).to_have_text("7")
    assert shown(page) == ALL
    ask(page, "And Sega?")
    wait_for(page, "done", replies=2)
    assert large.asked[-2:] == [expected, expected]


def test_the_server_refuses_what_is_not_offered_and_the_question_stays(page: Page):
    page.evaluate("document.querySelector('#settings [name=index]').append(new Option('others', 'others'))")
    choose(page, index="others")
    ask(page, QUESTION)
    expect(page.locator("#chat .notice")).to_contain_text(
        "the setting “Passages from” cannot be 'others' here; choose default or mine"
    )
    assert page.input_value("#question textarea") == QUESTION
    choose(page, index="mine")
    page.click("#ask")
    wait_for(page, "done")


def test_a_number_out_of_range_is_told_before_it_is_used(page: Page):
    name, value, limits = "theta", "1e9", "From -20 to 20."
    page.click("#settings-toggle")
    page.click("#settings .details > summary")
    field = page.locator(f"#settings [name={name}]")
    expect(page.locator(f"#help-{name}")).to_contain_text(limits)
    field.fill(value)
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
    choose(page, **{name: "1.0"})
    page.click("#ask")
    wait_for(page, "done")


def test_the_form_is_used_by_keyboard_and_every_setting_has_its_help(page: Page):
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
