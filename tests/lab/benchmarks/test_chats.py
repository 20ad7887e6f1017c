"""The benchmark of many chats: how it counts, and that its sessions speak the page's protocol."""

import asyncio
import time
from pathlib import Path

from lab.benchmarks.chats import EVENTS, Handlers, Paced, Session, p95
from searchain.settings import Settings
from tests.support.chat_page import site


def test_p95_is_the_value_that_five_in_a_hundred_reach():
    assert [p95(range(number)) for number in (1, 20, 100)] == [0, 19, 95]


def test_a_run_is_told_in_so_many_events_and_at_its_pace():
    begun = time.monotonic()
    events = Paced()(Settings(), "default").stream("Why?")
    first = [next(events) for _ in range(3)]
    assert time.monotonic() - begun >= 0.2
    assert (first[0].question, len(first) + sum(1 for _ in events)) == ("Why?", EVENTS)


def test_a_session_opens_the_page_asks_and_is_told_the_end(tmp_path: Path):
    with site(tmp_path) as served:
        session = Session(served.url, Handlers.of(served.url))

        async def chat():
            await session.open()
            return await session.chat("Who?")

        timed = asyncio.run(chat())
        (entry,) = served.assistant.overview()
    assert entry.title == "Who?"
    assert 0 < timed.first < timed.whole
