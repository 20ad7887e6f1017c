"""What the page shows of a model that thinks, of a queue, and of a model that delivers nothing. In a real browser."""

from collections.abc import Sequence
from dataclasses import replace

from playwright.sync_api import Page, expect

from searchain.events import Event, ModelFault, RunFinished, RunStarted, ThoughtDelta, Waiting
from tests.support.chat_page import Site, ask, wait_for
from tests.support.stories import QUESTION, nintendo

THOUGHTS = "It asks for an island. <b>Kyoto</b> is none."
WHY = "the model refused: I cannot; the evidence is not sure enough"


def story(question: str) -> Sequence[Event]:
    events = []
    for event in nintendo(question):
        match event:
            case RunStarted():
                events += [Waiting(ahead=12), event, ThoughtDelta(text=THOUGHTS)]
            case RunFinished():
                events += [ModelFault(what="the model refused", action="asked once more"), replace(event, message=WHY)]
            case _:
                events.append(event)
    return events


SITE = {"story": story}


def test_the_queue_the_thoughts_and_the_fault_are_seen(page: Page, site: Site):
    site.player.hold = 1
    ask(page, QUESTION)
    title = page.locator("#chat .how > summary")
    expect(title).to_have_text("Waiting, 12 before you")
    site.player.hold = None
    wait_for(page, "done")
    title.click()
    page.click("#chat .run > summary")
    thoughts = page.locator("#chat details.thoughts")
    expect(thoughts.locator("summary")).to_have_text("Thoughts")
    expect(thoughts.locator("div")).to_be_hidden()
    thoughts.locator("summary").click()
    expect(thoughts.locator("div")).to_have_text(THOUGHTS)
    expect(page.locator("#chat .fault")).to_have_text("the model refused; asked once more")
    expect(page.locator("#chat .outcome-note")).to_have_text(WHY)
