"""The button Replay: the last turn of the conversation once more, event by event, with the pauses that it had."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import gradio as gr

from searchain.errors import SearChainError
from searchain.events import Turn
from storage.replay import paced
from ui.access import Access
from ui.base import Assistant, StoredEvent
from ui.chat import SAME, Chat, Frame
from ui.choices import Offers


class Replay:
    """Shows a stored run through the same handler that showed it when it happened. Stop jumps to its end."""

    def __init__(self, assistant: Assistant, access: Access) -> None:
        self._assistant, self._access = assistant, access
        self._paced = _Paced(assistant)
        self._chat = Chat(self._paced, Offers(), access)

    def show(self, conversation: str | None, running: str | None, request: gr.Request) -> Iterator[Frame]:
        """Replay the last turn; nothing while a run goes on, or before there is one."""
        person, turns = self._access.person(request.headers), ()
        if person and conversation and running is None:
            try:
                turns = self._assistant.turns(conversation, owner=person.owner)
            except SearChainError:  # it is gone, and its page shows so at the next question
                pass
        if not turns or turns[-1][1].status is None:
            yield SAME
            return
        *earlier, (id, turn) = turns
        begun = Turn(question=turn.question, standalone_question=turn.question)
        yield from self._chat.show(earlier, id, begun, conversation, person.owner)

    def hurry(self, running: str | None) -> None:
        """Let the replay of the turn ``running`` go to its end at once."""
        self._paced.hurry(running)


class _Paced:
    """An assistant that tells finished runs with their pauses."""

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self._hurries: dict[str, threading.Event] = {}

    def follow(self, turn: str, *, owner: str) -> Iterator[StoredEvent]:
        hurry = self._hurries.setdefault(turn, threading.Event())
        yield from paced(self._assistant.follow(turn, owner=owner), sleep=hurry.wait)
        self._hurries.pop(turn, None)

    def hurry(self, turn: str | None) -> None:
        if hurry := self._hurries.get(turn or ""):
            hurry.set()
