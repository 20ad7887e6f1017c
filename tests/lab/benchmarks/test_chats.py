"""The benchmark of many chats: how it counts, and that its sessions speak the page's protocol."""

import asyncio
from pathlib import Path

from lab.benchmarks.chats import Handlers, Session
from tests.support.chat_page import site


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
