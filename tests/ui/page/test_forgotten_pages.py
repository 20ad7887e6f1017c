"""What the server keeps of opened pages is bounded, and a page that was forgotten still asks."""

import asyncio

import pytest

from lab.benchmarks.chats import Handlers, Session
from tests.support import chat_page
from ui.page import app


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setattr(app, "_REMEMBERED", 2)
    with chat_page.site(tmp_path) as served:
        yield served


def test_pages_that_were_not_used_for_longest_are_forgotten(site):
    handlers = Handlers.of(site.url)
    opened = [Session(site.url, handlers) for _ in range(4)]

    async def ask():
        for session in (*opened, opened[0]):
            await session.chat("Where is Nintendo?")

    asyncio.run(ask())
    assert len(site.blocks.state_holder.session_data) == 2
    assert len(site.assistant.overview()) == 5  # the first page was forgotten, so its question begins another one


def test_what_a_closed_page_showed_is_dropped_and_its_conversation_goes_on(site):
    sessions = site.blocks.state_holder.session_data
    session = Session(site.url, Handlers.of(site.url))

    async def ask() -> None:
        async with session.there():
            await session.chat("Where is Nintendo?")
            assert "Honshu" in str(sessions[session.id].config_values)
        while sessions[session.id].config_values:
            await asyncio.sleep(0.05)
        await session.chat("Where is Kyoto?")

    asyncio.run(ask())
    assert len(site.assistant.overview()) == 1
