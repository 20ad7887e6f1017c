"""An exported page in a real browser without a network: highlights, citations, and nothing that texts could start."""

import random
from dataclasses import replace

import pytest

from searchain.events import ReplyDelta, SentenceBound, fold
from searchain.types import Span, Support
from storage.history import finished_turns
from tests.support.generated_runs import generated_run
from tests.support.stories import nintendo, reply
from tests.support.story_runs import database_with
from ui.exports.formats import FORMATS


@pytest.fixture
def show(browser, tmp_path):
    """Open the exported page of given stories as a file, offline; requests and errors are written down."""
    trouble = []

    def open_(*stories):
        store = database_with(tmp_path / "chat.db", *stories)
        file = tmp_path / "conversations.html"
        file.write_text("".join(FORMATS["html"].write(finished_turns.records(store))), encoding="utf-8")
        store.close()
        context = browser.new_context(offline=True, viewport={"width": 900, "height": 1_300})
        page = context.new_page()
        page.on("request", lambda request: request.url.startswith(file.as_uri()) or trouble.append(request.url))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("console", lambda message: trouble.append(message.text))
        page.goto(file.as_uri())
        return page

    yield open_
    assert trouble == []


def test_a_citation_leads_to_the_words_that_decided_and_back(show):
    page = show(nintendo())
    page.get_by_role("link", name="[2]", exact=True).click()
    source, border = page.locator(".sources > li:target"), "card => getComputedStyle(card).borderTopColor"
    assert source.locator("mark").inner_text() == "Honshu"
    assert source.evaluate(border) != page.locator(".sources > li").first.evaluate(border)
    assert source.locator("mark").evaluate("mark => getComputedStyle(mark).backgroundColor") == "rgb(253, 230, 138)"
    source.get_by_role("link", name="[2] ↩").click()
    assert page.locator(".reply .cite:target").inner_text() == "[2]"
    dropped = "↻ Dropped: the article says otherwise Where is the headquarters of Nintendo? Tokyo"
    assert page.locator(".tree li").all_inner_texts()[0].startswith(dropped)


def test_the_short_answer_and_each_passage_stand_once(show):
    *told, end = nintendo()
    begun = [event for event in told if not isinstance(event, ReplyDelta | SentenceBound)]
    kyoto = replace(fold(nintendo()).sources[1], number=1)
    again = replace(kyoto, number=2, span=Span(0, 5))
    text = "Honshu [1]. Kyoto lies on Honshu [2]."
    bound = reply(("Honshu [1].", Support.SUPPORTED), ("Kyoto lies on Honshu [2].", Support.SUPPORTED))
    page = show((*begun, ReplyDelta(text=text, sources=(kyoto, again)), *bound, end))
    assert page.locator(".final").inner_text() == "Honshu [1]."
    assert page.locator(".outcome").inner_text() == "✓ Supported · about 9 in 10 such answers are right"
    assert page.locator(".reply").inner_text() == "Kyoto lies on Honshu [2].✓"
    assert page.locator(".sources > li .title").all_inner_texts() == ["[1] ↩ [2] ↩ Kyoto"]
    assert page.locator(".sources mark").all_inner_texts() == ["Kyoto", "Honshu"]
    page.get_by_role("link", name="[2]", exact=True).click()
    assert page.locator(":target").inner_text() == "[2] ↩"


def test_hostile_texts_stay_texts_as_wide_as_the_page(show):
    page = show(*(generated_run(random.Random(seed)) for seed in range(25)))
    assert page.evaluate("window.pwned") is None
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
