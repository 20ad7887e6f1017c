"""Frames of the page while a run goes on: one for every batch of events, as Gradio sends them to the browser."""

import time
from collections.abc import Iterator
from typing import NamedTuple

import gradio as gr

from assistant import Assistant
from searchain.errors import NotFound, SearChainError
from searchain.events import Turn, fold
from ui.page import evidence, transcript, tree_view
from ui.page.transcript import Turns
from ui.translation import _

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


def shown(assistant: Assistant, owner: str, earlier: Turns, id: str, turn: Turn, conversation: str) -> Iterator[Frame]:
    """Yield frames of the turn ``id`` after the ``earlier`` ones, from its state ``turn`` to its end.

    After a frame, wait longer if it took long to be shown, so that a busy server shows fewer frames. The question is
    shown alone if no event arrives soon.
    """
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
        picture = Frame(said(), tree_view.panel(turns, conversation), cards, gr.skip(), gr.skip())
        if was is None or was[1] != is_over:
            picture = picture._replace(conversation=conversation, running=None if is_over else id)
        return picture

    state = Turn(question=turn.question, standalone_question=turn.standalone_question)  # a run may fail unbegun
    try:
        for batch in assistant.batches(id, _PATIENCE, owner=owner):
            if not batch and drawn is not None:
                continue
            begun = time.monotonic()
            if batch:
                turn = state = fold((stored.event for stored in batch), state)
            yield frame()
            if turn.status is not None:
                return
            time.sleep(max(_FRAME, _REST * (time.monotonic() - begun)))
    except SearChainError as error:
        last = frame()
        reasoning = tree_view.panel((*earlier, (id, turn)), conversation, is_followed=False)
        yield last._replace(messages=[*said(), _notice(error)], running=None, reasoning=reasoning)


def refused(turns: Turns, error: SearChainError) -> Frame:
    """Return a frame with the ``turns`` of the conversation and the error that ended it."""
    return SAME._replace(messages=[*messages_of(turns), _notice(error)])


def messages_of(turns: Turns) -> list[transcript.ChatMessage]:
    return [sent(message) for message in transcript.conversation(turns)]


def _notice(error: SearChainError) -> dict[str, object]:
    if not isinstance(error, NotFound):
        return sent(transcript.notice(str(error)))
    gone = _("This conversation is not here, or is no longer yours to see.")  # the store's own message names an id
    return sent(transcript.notice(gone, "?", _("Start a new one")))


def sent(message: transcript.ChatMessage) -> dict[str, object]:
    """Return the message in the form that the browser gets."""
    content = [{"type": "text", "text": message["content"]}]
    return {"role": message["role"], "metadata": message.get("metadata"), "options": None, "content": content}
