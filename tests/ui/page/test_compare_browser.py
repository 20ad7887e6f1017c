"""A reply beside that of another method, in a real browser, over scripted parts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from searchain.settings import Settings
from tests.support.chat_page import ask, conversation
from tests.support.fakes import QUESTION, toy_searchain
from tests.support.scripted_chat import speak
from tests.support.served_page import ServedPage, served_page

END = "Nintendo is in Kyoto. Kyoto is on Honshu. So the final answer is: Honshu."


def say(messages):
    """A text of thoughts where it is asked for one, else a chain."""
    return END if "step by step" in messages[0].content else speak(messages)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPage]:
    def searchain(settings: Settings, index: str):
        parts = toy_searchain(say)
        parts.settings = settings.with_thresholds(0.0, 0.0)
        return parts

    with served_page(tmp_path_factory.mktemp("page"), people={}, player=searchain) as served:
        yield served


def test_another_methods_reply_stands_beside_the_first(page: Page, site: ServedPage):
    ask(page, QUESTION)
    expect(page.locator("#chat .outcome")).to_have_count(1)
    page.click("#chat .compare-with > summary")
    page.click("#chat .compare-with [data-system=cot]")
    expect(page.locator("#chat .outcome")).to_have_count(2)
    expect(page.locator("#reasoning[data-state=done]")).to_be_visible()
    first, second = page.locator("#chat .compared .column").all()
    expect(second.locator(".system")).to_have_text("Let the model think aloud, from memory")
    expect(second.locator(".reply")).to_contain_text("So the final answer is: Honshu.")
    assert first.bounding_box()["y"] == pytest.approx(second.bounding_box()["y"], abs=40)
    assert first.bounding_box()["x"] < second.bounding_box()["x"]
    named = page.locator(".of-question").filter(has_text="(Let the model think aloud, from memory)")
    expect(named).not_to_have_count(0)
    method, answer = second.locator(".system").bounding_box(), second.locator(".final").bounding_box()
    assert answer["y"] - method["y"] - method["height"] >= 8  # the answer does not touch the method's name
    page.set_viewport_size({"width": 390, "height": 800})
    assert first.bounding_box()["y"] < second.bounding_box()["y"]  # a phone has no room for two
    (one, turn), (_, beside) = site.assistant.turns(conversation(page))
    assert (turn.system, beside.system, beside.beside, beside.question) == ("searchain", "cot", one, QUESTION)
    page.reload()
    expect(page.locator("#chat .compared .column")).to_have_count(2)
    history = site.assistant.history(conversation(page))  # a follow-up goes on from the first
    assert [said.question for said in history] == [QUESTION]
    assert "So the final answer" not in history[0].answer
