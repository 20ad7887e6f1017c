"""What the server keeps of opened pages is bounded, and a page that was forgotten still asks."""

import asyncio

import pytest

from assistant import Assistant
from lab.benchmarks.chats import Handlers, Session
from searchain.settings import Settings
from storage.database import Database
from tests.support.browser import free_port
from tests.support.story_runs import StoryPlayer
from ui.page import app


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setattr(app, "_REMEMBERED", 2)
    assistant = Assistant(Database(tmp_path / "chat.db"), StoryPlayer(), Settings())
    served = app.serve(app.build(assistant, about="toys"), host="127.0.0.1", port=free_port())
    yield served, assistant
    served.close()
    assistant.close()


def test_pages_that_were_not_used_for_longest_are_forgotten(site):
    served, assistant = site
    handlers = Handlers.of(served.url)
    opened = [Session(served.url, handlers) for _ in range(4)]

    async def ask():
        for session in (*opened, opened[0]):
            await session.chat("Where is Nintendo?")

    asyncio.run(ask())
    assert len(served.page.blocks.state_holder.session_data) == 2
    assert len(assistant.conversations()) == 5  # the first page was forgotten, so its question begins another one


def test_what_a_closed_page_showed_is_dropped_and_its_conversation_goes_on(site):
    served, assistant = site
    sessions = served.page.blocks.state_holder.session_data
    session = Session(served.url, Handlers.of(served.url))

    async def visit() -> None:
        async with session.there():
            await session.chat("Where is Nintendo?")
            assert "Honshu" in str(sessions[session.id].config_values)
        while sessions[session.id].config_values:
            await asyncio.sleep(0.05)

    async def ask() -> None:
        await visit()
        await session.chat("Where is Kyoto?")

    asyncio.run(ask())
    assert len(assistant.conversations()) == 1
