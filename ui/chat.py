"""What happens when somebody asks, stops or opens a conversation: the page follows runs, it does not own them."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import gradio as gr

from searchain.errors import SearChainError
from searchain.events import Turn, fold
from ui import choices as choosing
from ui import evidence, transcript, tree_view
from ui.access import Access, Person
from ui.base import Assistant
from ui.choices import Offers

T = TypeVar("T")
Turns = Sequence[tuple[str, Turn]]
_FRAME = 0.1  # seconds between two pictures of a run; faster is not read, and costs every open page


class Frame(NamedTuple):
    """One picture of the page: a value, or ``gr.skip()``, for every output component, in this order."""

    messages: object
    reasoning: object
    evidence: object
    question: object
    ask: object
    stop: object
    conversation: object
    running: object


class Chat:
    """The page's handlers. State lives in the store; the page keeps two ids: its conversation and its running turn."""

    def __init__(self, assistant: Assistant, offers: Offers, access: Access) -> None:
        self._assistant = assistant
        self._offers = offers
        self._access = access

    def ask(self, question: str, conversation: str | None, running: str | None, chosen: str,
            request: gr.Request) -> Iterator[Frame]:
        """Start a run and show it until it is over. While one runs, the question stays in its box.

        ``chosen`` are the conversation's settings as JSON; ``""`` when the page did not change them.
        """
        yield from self._start(question, conversation, running, chosen, request, clear="")

    def ask_again(self, conversation: str | None, running: str | None, chosen: str, event: gr.EventData,
                  request: gr.Request) -> Iterator[Frame]:
        """Ask a question of the conversation once more, as it was or with other words.

        The event names its ``turn`` and the ``question``. Nothing after that turn, nor its own reply, is history.
        """
        turn, question = str(event.turn), str(event.question)
        yield from self._start(question, conversation, running, chosen, request, clear=gr.skip(), before=turn)

    def _start(self, question: str, conversation: str | None, running: str | None, chosen: str, request: gr.Request, *,
               clear: object, before: str | None = None) -> Iterator[Frame]:
        person = self._person(request)
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
            started = self._access.start(person, request.client.host if request.client else None, partial(
                self._assistant.start, question, conversation=conversation, owner=owner, settings=choices.settings(),
                index=choices.index or self._offers.indexes[0], model=choices.model, history=history))
            if chosen:
                self._assistant.choose(started.conversation, choices.as_json(), owner=owner)
        except SearChainError as error:
            yield SAME._replace(messages=[*_messages(earlier), transcript.notice(str(error))])
            return
        yield from self.show(earlier, started.turn, Turn(question=question, standalone_question=question),
                             started.conversation, owner, clear=clear)

    def open(self, request: gr.Request) -> Iterator[Frame]:
        """Show the conversation named by ``?c=`` and follow its run to the end if one is going on."""
        conversation, owner = request.query_params.get("c"), self._person(request).owner
        if not conversation:
            yield SAME  # a question may have been asked before this came
            return
        try:
            turns = self._assistant.turns(conversation, owner=owner)
        except SearChainError as error:
            yield SAME._replace(messages=[transcript.notice(str(error))])
            return
        if turns and turns[-1][1].status is None:
            yield from self.show(turns[:-1], *turns[-1], conversation, owner, clear=gr.skip())
        else:
            yield SAME._replace(messages=_messages(turns), reasoning=tree_view.panel(turns, conversation),
                                 evidence=evidence.panel(turns), conversation=conversation)

    def stop(self, running: str | None, request: gr.Request) -> None:
        """Ask the running turn to end; the handler that follows it shows how it ended."""
        if running is not None:
            self._assistant.stop(running, owner=self._person(request).owner)

    def _person(self, request: gr.Request) -> Person:
        # every event asks anew: who signed out, or was removed, is nobody from then on
        person = self._access.person(request.headers)
        if person is None:
            raise gr.Error("Your conversations are not open to this browser: sign in again, or allow cookies.")
        return person

    def show(self, earlier: Turns, id: str, turn: Turn, conversation: str, owner: str, *,
             clear: object) -> Iterator[Frame]:
        """The turn ``id`` after the ``earlier`` ones, from its state ``turn`` to its end; ``clear``: for the question.
        """
        before = _messages(earlier)
        shown = None

        def frame() -> Frame:
            nonlocal shown
            is_over, turns = turn.status is not None, (*earlier, (id, turn))
            was, shown = shown, (turn.sources, is_over)
            picture = SAME._replace(messages=[*before, *transcript.messages(id, turn)],
                                    reasoning=tree_view.panel(turns, conversation))
            if was != shown:
                picture = picture._replace(evidence=evidence.panel(turns))
            if was is None or was[1] != is_over:  # what is updated costs, even by the same value
                picture = picture._replace(ask=gr.update(visible=is_over), stop=gr.update(visible=not is_over),
                                           conversation=conversation, running=None if is_over else id)
            return picture

        yield frame()._replace(question=clear)
        state = Turn()
        try:
            for batch in _batches(self._assistant.follow(id, owner=owner)):
                state = fold((stored.event for stored in batch), state)
                turn = state
                yield frame()
        except SearChainError as error:
            yield frame()._replace(
                messages=[*before, *transcript.messages(id, turn), transcript.notice(str(error))],
                ask=gr.update(visible=True), stop=gr.update(visible=False), running=None)


SAME = Frame(*[gr.skip()] * len(Frame._fields))


def _messages(turns: Turns) -> list[transcript.ChatMessage]:
    return [message for id, turn in turns for message in transcript.messages(id, turn)]


def _batches(items: Iterator[T]) -> Iterator[list[T]]:
    """``items`` in lists: whatever came since the last list, at most one list a frame. Raises what ``items`` raises."""
    arrived: queue.SimpleQueue[T | BaseException | None] = queue.SimpleQueue()
    is_left = threading.Event()

    def read() -> None:
        try:
            for item in items:
                arrived.put(item)
                if is_left.is_set():
                    return
            arrived.put(None)
        except BaseException as error:  # handed to the reader of the batches, who raises it
            arrived.put(error)

    threading.Thread(target=read, name="follow", daemon=True).start()
    try:
        while True:
            batch = [arrived.get()]
            while not arrived.empty():
                batch.append(arrived.get())
            end = batch[-1]
            is_end = end is None or isinstance(end, BaseException)
            if is_end:
                batch.pop()
            if batch:
                yield batch
            if isinstance(end, BaseException):
                raise end
            if end is None:
                return
            time.sleep(_FRAME)
    finally:
        is_left.set()
