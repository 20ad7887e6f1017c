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
from ui.chat import SAME, Chat, Frame, refused
from ui.choices import Offers
from ui.limits import LimitReached


class Replay:
    """Shows a stored run through the same handler that showed it when it happened. Stop jumps to its end."""

    def __init__(self, assistant: Assistant, access: Access) -> None:
        self._assistant, self._access = assistant, access
        self._hurries: dict[tuple[str | None, str], threading.Event] = {}  # of each page and turn

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
        page, hurry = (request.session_hash, id), threading.Event()
        try:
            with self._access.watching(person, request.client.host if request.client else None):
                self._hurries[page] = hurry
                chat = Chat(_Paced(self._assistant, hurry), Offers(), self._access)
                yield from chat.show(earlier, id, begun, conversation, person.owner)
        except LimitReached as error:
            yield refused(turns, error)
        finally:
            hurry.set()  # for the thread that reads on
            if self._hurries.get(page) is hurry:
                del self._hurries[page]

    def hurry(self, running: str | None, request: gr.Request) -> None:
        """Let this page's replay of the turn ``running`` go to its end at once."""
        if hurry := self._hurries.get((request.session_hash, running or "")):
            hurry.set()


class _Paced:
    """An assistant that tells finished runs with their pauses, until it is to ``hurry``."""

    def __init__(self, assistant: Assistant, hurry: threading.Event) -> None:
        self._assistant, self._hurry = assistant, hurry

    def follow(self, turn: str, *, owner: str) -> Iterator[StoredEvent]:
        return paced(self._assistant.follow(turn, owner=owner), sleep=self._hurry.wait)
