"""Replay the last turn of a conversation, event by event, with its original pauses."""

import threading
from collections.abc import Iterator

import gradio as gr

from assistant import Assistant
from searchain.errors import SearChainError
from searchain.events import Turn
from storage.log.event_log import StoredEvent, paced
from ui.page.frames import SAME, Frame, refused, shown
from ui.server.access import Access
from ui.server.limits import LimitReached

SPEEDS = (1, 4, 16)
"""Speeds of a replay, relative to the original."""


class Replay:
    """The handlers of the button “Watch again”, which show a stored run like a live one. Stop jumps to its end."""

    def __init__(self, assistant: Assistant, access: Access) -> None:
        self._assistant, self._access = assistant, access
        self._hurries: dict[tuple[str | None, str], threading.Event] = {}  # by page and turn

    def show(self, conversation: str | None, running: str | None, speed: str, request: gr.Request) -> Iterator[Frame]:
        """Replay the last turn ``speed`` times as fast; do nothing during a run, or without a turn."""
        person = self._access.person(request.headers)
        if not person or not conversation or running is not None:
            yield SAME
            return
        try:
            turns = self._assistant.turns(conversation, owner=person.owner)
        except SearChainError:  # it was deleted; the page shows that at the next question
            turns = []
        if not turns or turns[-1][1].status is None:
            yield SAME
            return
        *earlier, (id, turn) = turns
        begun = Turn(
            question=turn.question, standalone_question=turn.question, beside=turn.beside, replaces=turn.replaces
        )
        page, hurry = (request.session_hash, id), threading.Event()

        pace = next((one for one in SPEEDS if str(one) == speed), 1)

        def follow() -> Iterator[StoredEvent]:
            return paced(self._assistant.follow(id, owner=person.owner), pace, sleep=hurry.wait)

        try:
            with self._access.watching(person, request.client.host if request.client else None):
                self._hurries[page] = hurry
                yield from shown(follow, earlier, id, begun, conversation)
        except LimitReached as error:
            yield refused(turns, error)
        finally:
            hurry.set()  # ends the thread that still reads events
            if self._hurries.get(page) is hurry:
                del self._hurries[page]

    def hurry(self, running: str | None, request: gr.Request) -> None:
        """Jump to the end of this page's replay of the turn ``running``."""
        if hurry := self._hurries.get((request.session_hash, running or "")):
            hurry.set()
