"""Endpoints of the page for ``gradio_client``: ``/ask`` streams a run's events, ``/conversation`` returns turns.

docs/api.md shows the use.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import gradio as gr

from assistant import Assistant
from searchain.errors import SearChainError
from searchain.events import Turn, fold, to_payload
from searchain.turn_json import as_json
from searchain.types import Status
from storage.people.users import Role
from ui.server.access import Access, Person

PARAMETERS = {"ask": {"question": True, "conversation": False}, "conversation": {"conversation": True}}
"""The parameters of each endpoint in order, with whether each is required."""
_REPLIED = (Status.ANSWERED, Status.PARTIAL, Status.NOT_FOUND)


class Endpoints:
    """The functions that become endpoints. They serve the local person, or users with a token."""

    def __init__(self, assistant: Assistant, index: str, access: Access) -> None:
        self._assistant, self._index, self._access = assistant, index, access

    def add(self) -> None:
        """Register the endpoints in the enclosing ``gr.Blocks``."""
        for function, name in ((self.ask, "ask"), (self.conversation, "conversation")):
            gr.api(function, api_name=name, concurrency_limit=None)

    def ask(self, question: str, request: gr.Request, conversation: str | None = None) -> Iterator[dict[str, Any]]:
        """Answer a question: first the run's events as they come, each with its ``seq``, last the result.

        An event has a ``type``; the result is the object that ``ask --json`` prints. ``conversation`` continues one.
        The run goes on when the client leaves.
        """
        person = self._person(request)
        _check(question=question, conversation="" if conversation is None else conversation)
        try:
            started = self._access.start(
                person,
                request.client.host if request.client else None,
                partial(
                    self._assistant.start, question, conversation=conversation, owner=person.owner, index=self._index
                ),
            )
            turn = Turn()
            for stored in self._assistant.follow(started.turn, owner=person.owner):
                turn = fold([stored.event], turn)
                yield {"seq": stored.seq, **to_payload(stored.event)}
        except SearChainError as error:
            raise _refused(str(error)) from error
        if turn.status not in _REPLIED:
            raise _refused(turn.message or f"the run was {turn.status}")
        place_of = self._assistant.place_of(owner=person.owner)
        yield as_json(turn, conversation=started.conversation, turn_id=started.turn, place_of=place_of)

    def conversation(self, conversation: str, request: gr.Request) -> list[dict[str, Any]]:
        """The turns of a conversation in order, each as ``ask --json`` prints it; a running one has no status yet."""
        person = self._person(request)
        _check(conversation=conversation)
        try:
            turns = self._assistant.turns(conversation, owner=person.owner)
        except SearChainError as error:
            raise _refused(str(error)) from error
        place_of = self._assistant.place_of(owner=person.owner)
        return [as_json(turn, conversation=conversation, turn_id=id, place_of=place_of) for id, turn in turns]

    def _person(self, request: gr.Request) -> Person:
        person = self._access.person(request.headers)
        if person is None or not person.may(Role.CHAT):
            raise _refused(
                "a token is needed: Client(url, headers={'Authorization': 'Bearer TOKEN'}); make one with: "
                "python assistant.py user token NAME"
            )
        return person


def _check(**given: Any) -> None:
    for name, value in given.items():
        if not isinstance(value, str):
            raise _refused(f"{name!r} is no text")


def _refused(message: str) -> gr.Error:
    return gr.Error(message, print_exception=False)  # it is the client's to read, not the operator's
