"""What happens when somebody asks, stops or opens a conversation: the page follows runs, it does not own them."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

import gradio as gr

from assistant import Assistant
from searchain.errors import NotFound, SearChainError
from searchain.events import Turn, fold
from storage.log.event_log import StoredEvent
from ui.page import choices as choosing
from ui.page import evidence, transcript, tree_view
from ui.page.choices import Choices, Offers
from ui.server.access import Access
from ui.server.limits import LimitReached
from ui.translation import _

T = TypeVar("T")
Turns = Sequence[tuple[str, Turn]]
_FRAME = 0.1  # seconds between two pictures of a run; faster is not read, and costs every open page
_PATIENCE = 0.5  # seconds until the question is shown alone: almost always the run has begun before
_REST = 2.0  # times what a picture took: a busy server shows fewer


def _gone() -> transcript.ChatMessage:
    """What is said in the place of the store's own words, which name an id."""
    return transcript.link_notice(
        _("This conversation is not here, or is no longer yours to see."), "?", _("Start a new one")
    )


class Frame(NamedTuple):
    """One picture of the page: a value, or ``gr.skip()``, for every output component, in this order.

    As few as can be, and as they go over the wire: Gradio works for each in each frame, most for a component that is
    skipped, which it makes anew. What else changes on the page follows the state that ``reasoning`` tells.
    """

    messages: object
    reasoning: object
    evidence: object
    conversation: object
    running: object


def of_event(event: gr.EventData, name: str) -> Any:
    """What the page's script told of an event under ``name``; ``None`` where it told nothing."""
    try:
        return getattr(event, name)
    except (AttributeError, TypeError):
        return None


class Chat:
    """The page's handlers. State lives in the store; the page keeps two ids: its conversation and its running turn."""

    def __init__(self, assistant: Assistant, offers: Offers, access: Access) -> None:
        self._assistant = assistant
        self._offers = offers
        self._access = access

    def ask(
        self, question: str, conversation: str | None, running: str | None, chosen: str, request: gr.Request
    ) -> Iterator[Frame]:
        """Start a run and show it until it is over. While one runs, the question stays in its box.

        ``chosen`` are the conversation's settings as JSON; ``""`` when the page did not change them.
        """
        yield from self._start(question or "", conversation, running, chosen, request)

    def ask_again(
        self, conversation: str | None, running: str | None, chosen: str, event: gr.EventData, request: gr.Request
    ) -> Iterator[Frame]:
        """Ask a question of the conversation once more, as it was or with other words.

        The event names its ``turn`` and the ``question``. Nothing after that turn, nor its own reply, is history. With
        ``instead`` the new turn takes the place of that one. With a ``system`` the turn is compared: that method is
        asked what the turn's question stands for.
        """
        turn, question = str(of_event(event, "turn") or ""), str(of_event(event, "question") or "")
        system = of_event(event, "system")
        yield from self._start(
            question,
            conversation,
            running,
            chosen,
            request,
            before=turn,
            system=str(system) if system else None,
            is_instead=bool(of_event(event, "instead")),
        )

    def _start(
        self,
        question: str,
        conversation: str | None,
        running: str | None,
        chosen: str,
        request: gr.Request,
        *,
        before: str | None = None,
        system: str | None = None,
        is_instead: bool = False,
    ) -> Iterator[Frame]:
        person = self._access.person(request.headers)
        if person is None:  # every event asks anew: who signed out, or was removed, is nobody from then on
            yield _nobodys()
            return
        owner = person.owner
        earlier: Turns = ()
        try:
            stored = history = None
            if conversation is not None:
                earlier = self._assistant.turns(conversation, owner=owner)
                stored = self._assistant.choices(conversation, owner=owner)
                if before is not None:
                    history = self._assistant.history(conversation, owner=owner, before=before)
            if not question.strip() or any(id == running and turn.status is None for id, turn in earlier):
                yield SAME
                return
            choices = choosing.chosen(chosen, self._offers) if chosen else choosing.kept(stored, self._offers)
            beside = next((id for id, _ in earlier if id == before), None) if system else None
            if beside is not None:
                choices = choosing.chosen(json.dumps({**json.loads(choices.as_json()), "system": system}), self._offers)
                question, history = dict(earlier)[beside].standalone_question, []
            replaces = next((id for id, _ in earlier if id == before), None) if is_instead else None
            started = self._access.start(
                person,
                request.client.host if request.client else None,
                partial(
                    self._assistant.start,
                    question,
                    conversation=conversation,
                    owner=owner,
                    settings=choices.settings(),
                    index=self._index(choices, owner),
                    model=choices.model,
                    history=history,
                    beside=beside,
                    replaces=replaces,
                ),
            )
            if chosen and beside is None:
                self._assistant.choose(started.conversation, choices.as_json(), owner=owner)
        except SearChainError as error:
            yield refused(earlier, error)
            return
        begun = Turn(question=question, standalone_question=question, beside=beside, replaces=replaces)
        yield from shown(
            partial(self._assistant.follow, started.turn, owner=owner),
            earlier,
            started.turn,
            begun,
            started.conversation,
        )

    def _index(self, choices: Choices, owner: str) -> str:
        """What is searched. Raises ``NotFound`` for a collection that the owner may not see (any more)."""
        index = choices.index or self._offers.indexes[0]
        if not choices.collections:
            return index
        return self._assistant.searched(choices.collections, index if choices.beside else None, owner=owner)

    def open(self, request: gr.Request) -> Iterator[Frame]:
        """Show the conversation named by ``?c=`` and follow its run to the end if one is going on."""
        conversation, person = request.query_params.get("c"), self._access.person(request.headers)
        if person is None:
            yield _nobodys()
            return
        owner = person.owner
        if not conversation:
            yield SAME  # a question may have been asked before this came
            return
        try:
            turns = self._assistant.turns(conversation, owner=owner)
        except SearChainError as error:
            yield refused((), error)
            return
        if turns and turns[-1][1].status is None:
            try:
                with self._access.watching(person, request.client.host if request.client else None):
                    id, turn = turns[-1]
                    yield from shown(
                        partial(self._assistant.follow, id, owner=owner), turns[:-1], id, turn, conversation
                    )
            except LimitReached as error:
                yield refused(turns, error)
        else:
            yield SAME._replace(
                messages=_messages(turns),
                reasoning=tree_view.panel(turns, conversation),
                evidence=evidence.panel(turns),
                conversation=conversation,
            )

    def stop(self, running: str | None, request: gr.Request) -> None:
        """Ask the running turn to end; the handler that follows it shows how it ended."""
        person = self._access.person(request.headers)
        if person and running is not None:
            with suppress(SearChainError):  # it was deleted meanwhile, or the database fails, as its run then tells
                self._assistant.stop(running, owner=person.owner)


SAME = Frame(*[gr.skip()] * len(Frame._fields))


def shown(
    follow: Callable[[], Iterator[StoredEvent]], earlier: Turns, id: str, turn: Turn, conversation: str
) -> Iterator[Frame]:
    """The turn ``id`` after the ``earlier`` ones, from its state ``turn`` to its end."""
    before, drawn, cards = _messages(earlier), None, ""

    def said() -> list[dict[str, object]]:
        if turn.beside is not None or turn.replaces is not None:  # it stands beside or in the place of an earlier one
            return _messages((*earlier, (id, turn)))
        return [*before, *map(_sent, transcript.messages(id, turn))]

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

    state = Turn()
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
    """The ``turns`` of the conversation, and why nothing more is shown."""
    return SAME._replace(messages=[*_messages(turns), _notice(error)])


def _messages(turns: Turns) -> list[transcript.ChatMessage]:
    return [_sent(message) for message in transcript.conversation(turns)]


def _notice(error: SearChainError) -> dict[str, object]:
    return _sent(_gone() if isinstance(error, NotFound) else transcript.notice(str(error)))


def _sent(message: transcript.ChatMessage) -> dict[str, object]:
    """The message as the browser takes it."""
    return {
        "role": message["role"],
        "metadata": message.get("metadata"),
        "options": None,
        "content": [{"type": "text", "text": message["content"]}],
    }


def _nobodys() -> Frame:
    text = _("Your conversations are not open to this browser: sign in again, or allow cookies.")
    return SAME._replace(messages=[_sent(transcript.link_notice(text, "sign-in", _("Sign in")))])


@dataclass(frozen=True, slots=True)
class _End:
    """No item follows; ``error`` is what ended them."""

    error: BaseException | None


def _batches(items: Iterator[T]) -> Iterator[list[T]]:
    """``items`` in lists: whatever came since the last list, at most one list a frame. Raises what ``items`` raises.

    While the server is busy there are fewer lists: the longer one takes to be shown, the later comes the next one. The
    first one is empty when nothing comes soon.
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
        except BaseException as error:  # handed to the reader of the batches, who raises it
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
    """All that has arrived; waits ``patience`` seconds for the first of it, ``None``: for as long as it takes."""
    try:
        waiting = [arrived.get(timeout=patience)]
    except queue.Empty:
        return []
    while not arrived.empty():
        waiting.append(arrived.get())
    return waiting
