"""The desk in Chinese: its own words are translated, what is judged stays as it is."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.desk_site import FOUR, Site, desk_page
from tests.support.desk_site import site as served_site

CHINESE = {"viewport": {"width": 1280, "height": 800}, "locale": "zh-CN"}
LEFT = """() => { const seen = []; const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) { const of = node.parentElement;
    if (of.checkVisibility() && !of.closest('[lang=en], bdi, kbd, code, .home, .system, script, #items, th[dir], #reply, #now q, .chip, #exports strong'))
      seen.push(node.textContent.trim()) }
  return seen.filter(Boolean) }"""
WORD = re.compile(r"[A-Za-z]{2,}")
NAMES = set("SKC AMP Enter ALCE RAGAS Langfuse LangSmith OpenAI Perplexity Bing JSON JSONL MB Esc zip".split())


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Iterator[Site]:
    with served_site(tmp_path_factory.mktemp("desk")) as served:
        served.put(FOUR, {**FOUR, "system": "theirs", "answer": "Nintendo sits there [1]."})
        yield served


def english(page: Page) -> list[str]:
    return [text for text in page.evaluate(LEFT) if set(WORD.findall(text)) - NAMES]


def test_nothing_of_the_desk_is_left_in_english(browser: Browser, desk: Site):
    with desk_page(browser, desk, **CHINESE) as page:
        expect(page.locator("#now-title")).to_contain_text("支持")
        assert page.title() == "判断引用 · SearChain"
        expect(page.locator("#question")).to_have_text(FOUR["question"])
        assert english(page) == []
        page.keyboard.press("1")
        assert english(page) == []
        page.keyboard.press("?")
        assert english(page) == []
        page.keyboard.press("Escape")
        page.keyboard.press("k")
        expect(page.get_by_label("为什么？也许有人可以改正。")).to_be_focused()
        assert english(page) == []


@pytest.mark.parametrize("path", ["annotate/manage", "annotate/adjudicate"])
def test_nor_are_its_other_pages(browser: Browser, desk: Site, path: str):
    with desk_page(browser, desk, path, **CHINESE) as page:
        expect(page.locator("main:visible, #empty:visible").first).to_be_visible()
        page.wait_for_timeout(500)
        assert english(page) == []
