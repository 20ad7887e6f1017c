"""Frames of the page while a run goes on: one for every batch of events, as Gradio sends them to the browser."""

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import gradio as gr

from assistant import Assistant
from searchain.errors import NotFound, SearChainError
from searchain.events import Turn, fold
from storage.log.event_log import StoredEvent, paced
from ui.page import evidence, transcript, tree_view
from ui.server.access import Access
from ui.server.limits import LimitReached
from ui.translation import _

T = TypeVar("T")
Turns = Sequence[tuple[str, Turn]]
_FRAME = 0.1  # seconds between two frames; nobody reads faster, and each frame costs every open page
_PATIENCE = 0.5  # seconds until the question is shown alone; almost always the run begins earlier
_REST = 2.0  # pause after a frame, as a multiple of the time it took: a busy server shows fewer


class Frame(NamedTuple):
    """One frame of the page: a value, or ``gr.skip()``, for each output component, in this order.

    There are few components, with values as they are sent to the browser: for each frame Gradio works on every
    component, most for a skipped one, which it builds anew. Other parts of the page follow the state in ``reasoning``.
    """

    messages: object
    reasoning: object
    evidence: object
    conversation: object
    running: object


SAME = Frame(*[gr.skip()] * len(Frame._fields))


def shown(
    follow: Callable[[], Iterator[StoredEvent]], earlier: Turns, id: str, turn: Turn, conversation: str
) -> Iterator[Frame]:
    """Yield frames of the turn ``id`` after the ``earlier`` ones, from its state ``turn`` to its end."""
    before, drawn, cards = messages_of(earlier), None, ""

    def said() -> list[dict[str, object]]:
        if turn.beside is not None or turn.replaces is not None:  # it is shown beside or instead of an earlier one
            return messages_of((*earlier, (id, turn)))
        return [*before, *map(sent, transcript.messages(id, turn))]

    def frame() -> Frame:
        nonlocal drawn, cards
        is_over, turns = turn.status is not None, (*earlier, (id, turn))
        was, drawn = drawn, (turn.sources, is_over)
        if was != drawn:
            cards = evidence.panel(turns)
        picture = Frame(
            said(),
            tree_view.panel(turns, conversation),
            cards,
            gr.skip(),
            gr.skip(),
        )
        if was is None or was[1] != is_over:
            picture = picture._replace(conversation=conversation, running=None if is_over else id)
        return picture

    state = Turn(question=turn.question, standalone_question=turn.standalone_question)  # a run may fail unbegun
    try:
        for batch in _batches(follow()):
            if batch:
                turn = state = fold((stored.event for stored in batch), state)
            yield frame()
            if turn.status is not None:
                return
    except SearChainError as error:
        last = frame()
        yield last._replace(
            messages=[*said(), _notice(error)],
            running=None,
            reasoning=tree_view.panel((*earlier, (id, turn)), conversation, is_followed=False),
        )


def refused(turns: Turns, error: SearChainError) -> Frame:
    """Return a frame with the ``turns`` of the conversation and the error that ended it."""
    return SAME._replace(messages=[*messages_of(turns), _notice(error)])


def messages_of(turns: Turns) -> list[transcript.ChatMessage]:
    return [sent(message) for message in transcript.conversation(turns)]


def _notice(error: SearChainError) -> dict[str, object]:
    return sent(_gone() if isinstance(error, NotFound) else transcript.notice(str(error)))


def sent(message: transcript.ChatMessage) -> dict[str, object]:
    """Return the message in the form that the browser gets."""
    return {
        "role": message["role"],
        "metadata": message.get("metadata"),
        "options": None,
        "content": [{"type": "text", "text": message["content"]}],
    }


def _gone() -> transcript.ChatMessage:
    """Return the notice for a conversation that is not found; the store's own message names an id."""
    return transcript.link_notice(
        _("This conversation is not here, or is no longer yours to see."), "?", _("Start a new one")
    )


@dataclass(frozen=True, slots=True)
class _End:
    """The end of the items, with the error that caused it, if any."""

    error: BaseException | None


def _batches(items: Iterator[T]) -> Iterator[list[T]]:
    """Yield lists of the ``items`` that arrived since the last list; raise what ``items`` raises.

    After a list, wait longer if it took long to be shown, so that a busy server shows fewer frames. The first list is
    empty if no item arrives soon.
    """
    arrived: queue.SimpleQueue[T | _End] = queue.SimpleQueue()
    is_left = threading.Event()

    def read() -> None:
        try:
            for item in items:
                arrived.put(item)
                if is_left.is_set():
                    return
            arrived.put(_End(None))
        except BaseException as error:  # passed to the reader of the batches, which raises it
            arrived.put(_End(error))

    threading.Thread(target=read, name="follow", daemon=True).start()
    patience: float | None = _PATIENCE
    try:
        while True:
            waiting, patience = _waiting(arrived, patience), None
            batch = [item for item in waiting if not isinstance(item, _End)]
            ends = [item for item in waiting if isinstance(item, _End)]
            begun = time.monotonic()
            if batch or not ends:
                yield batch
            for end in ends:
                if end.error is not None:
                    raise end.error
                return
            time.sleep(max(_FRAME, _REST * (time.monotonic() - begun)))
    finally:
        is_left.set()


def _waiting(arrived: queue.SimpleQueue[T], patience: float | None) -> list[T]:
    """Return all items that have arrived; wait for the first one at most ``patience`` seconds (``None``: forever)."""
    try:
        waiting = [arrived.get(timeout=patience)]
    except queue.Empty:
        return []
    while not arrived.empty():
        waiting.append(arrived.get())
    return waiting


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
