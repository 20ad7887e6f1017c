"""Handlers for questions, stops and opened conversations. They only follow runs, which go on without the page."""

import json
import threading
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import gradio as gr

from assistant import Assistant
from searchain.check import SYSTEM as CHECKED
from searchain.check.checker import title_of
from searchain.errors import SearChainError
from searchain.events import Turn
from searchain.safe_text import clean
from ui.page import choices as choosing
from ui.page import evidence, transcript, tree_view
from ui.page.choices import Choices, Offers
from ui.page.frames import SAME, Frame, Turns, messages_of, refused, sent, shown
from ui.server.access import Access
from ui.server.limits import LimitReached
from ui.translation import _


def of_event(event: gr.EventData, name: str) -> Any:
    """Return the value ``name`` that the page's script put into an event; ``None`` without it."""
    try:
        return getattr(event, name)
    except (AttributeError, TypeError):
        return None


def _address(request: gr.Request) -> str | None:
    return request.client.host if request.client else None


class Chat:
    """The page's event handlers. The store has all state; the page has only the IDs of its conversation and run."""

    def __init__(self, assistant: Assistant, offers: Offers, access: Access) -> None:
        self._assistant = assistant
        self._offers = offers
        self._access = access
        self._temporary: dict[str, list[str]] = defaultdict(list)
        """The temporary conversations of each open page, by Gradio's session hash."""

    def ask(self, question: str, conversation: str | None, chosen: str, request: gr.Request) -> Iterator[Frame]:
        """Start a run and show it until it ends. While the conversation has another one, show that one first.

        ``chosen`` holds the conversation's settings as JSON; ``""`` if they were not changed on the page.
        """
        yield from self._start(clean(question or ""), conversation, chosen, request)

    def ask_again(
        self, conversation: str | None, chosen: str, event: gr.EventData, request: gr.Request
    ) -> Iterator[Frame]:
        """Ask a question of the conversation again, unchanged or edited.

        The event names its ``turn`` and the ``question``. The turns before that one are the history. With ``instead``
        the new turn replaces that turn. With a ``system`` the new turn is a comparison: that method answers the turn's
        standalone question.
        """
        turn, question = str(of_event(event, "turn") or ""), str(of_event(event, "question") or "")
        system = of_event(event, "system")
        yield from self._start(
            question,
            conversation,
            chosen,
            request,
            before=turn,
            system=str(system) if system else None,
            is_instead=bool(of_event(event, "instead")),
        )

    def check(self, conversation: str | None, chosen: str, event: gr.EventData, request: gr.Request) -> Iterator[Frame]:
        """Check the ``text`` of the event against what is searched, in a conversation of its own.

        ``conversation`` is the one that is shown; it has ended, and is shown again where the text is refused.
        """
        person = self._access.person(request.headers)
        if person is None:
            yield _nobodys()
            return
        text, owner = str(of_event(event, "text") or ""), person.owner
        earlier: Turns = ()
        try:
            stored = self._assistant.conversation(conversation, owner=owner).settings if conversation else None
            earlier = self._assistant.turns(conversation, owner=owner) if conversation else ()
            choices = self._choices(chosen, stored, earlier)
            index = self._index(choices, owner)
            start = partial(self._assistant.check, text, owner=owner, index=index, is_temporary=_is_temporary(request))
            started = self._access.start(person, _address(request), start)
            self._remember(started.conversation, request)
            self._assistant.choose(started.conversation, choices.as_json(), owner=owner)
        except SearChainError as error:
            yield refused(earlier, error)
            return
        begun = Turn(question=title_of(text), system=CHECKED)
        yield from shown(self._assistant, owner, (), started.turn, begun, started.conversation)

    def _start(
        self,
        question: str,
        conversation: str | None,
        chosen: str,
        request: gr.Request,
        *,
        before: str | None = None,
        system: str | None = None,
        is_instead: bool = False,
    ) -> Iterator[Frame]:
        person = self._access.person(request.headers)
        if person is None:  # checked at every event: a person may have signed out or been removed
            yield _nobodys()
            return
        if not question.strip():
            yield SAME
            return
        owner = person.owner
        earlier: Turns = ()
        try:
            stored = history = None
            if conversation is not None:
                earlier = yield from self._ended(conversation, owner)
                stored = self._assistant.conversation(conversation, owner=owner).settings
                if before is not None:
                    history = self._assistant.history(conversation, owner=owner, before=before)
            known = dict(earlier)
            choices = self._choices(chosen, stored, earlier)
            asked = before if before in known else None
            beside, replaces = asked if system else None, asked if is_instead else None
            if beside is not None:
                choices = choosing.chosen(json.dumps({**json.loads(choices.as_json()), "system": system}), self._offers)
                first = known[beside]
                question, history = first.standalone_question, []
                choices = choosing.searching(choices, first.index, self._offers)
            started = self._access.start(
                person,
                _address(request),
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
                    is_temporary=_is_temporary(request),
                ),
            )
            if conversation is None:
                self._remember(started.conversation, request)
            if chosen and beside is None:
                self._assistant.choose(started.conversation, choices.as_json(), owner=owner)
        except SearChainError as error:
            yield refused(earlier, error)
            return
        begun = Turn(question=question, standalone_question=question, beside=beside, replaces=replaces)
        yield from shown(self._assistant, owner, earlier, started.turn, begun, started.conversation)

    def _remember(self, conversation: str, request: gr.Request) -> None:
        if _is_temporary(request) and request.session_hash:
            self._assistant.deletions.forget_later(conversation)
            self._temporary[request.session_hash].append(conversation)

    def left(self, session_hash: str) -> None:
        """Erase the temporary conversations of a page that was closed or has lost its connection."""
        for conversation in self._temporary.pop(session_hash, ()):
            # in a thread, because writing would hold up all pages
            threading.Thread(target=self._forget, args=(conversation,), daemon=True).start()

    def _forget(self, conversation: str) -> None:
        # the server stops, which erases it, or the database fails, which is shown elsewhere
        with suppress(SearChainError):
            self._assistant.deletions.forget(conversation)

    def _ended(self, conversation: str, owner: str) -> Generator[Frame, None, Turns]:
        """Show the run that goes on in the conversation, asked here or elsewhere; return the turns after its end."""
        while True:
            turns = self._assistant.turns(conversation, owner=owner)
            if not turns or turns[-1][1].status is not None:
                return turns
            yield from self._followed(turns, conversation, owner)

    def _followed(self, turns: Turns, conversation: str, owner: str) -> Iterator[Frame]:
        id, turn = turns[-1]
        yield from shown(self._assistant, owner, turns[:-1], id, turn, conversation)

    def _choices(self, chosen: str, stored: str | None, earlier: Turns) -> Choices:
        if chosen:
            return choosing.chosen(chosen, self._offers)
        return choosing.going_on(stored, [turn.index for _id, turn in earlier[-1:]], self._offers)

    def _index(self, choices: Choices, owner: str) -> str:
        """Return the index to search. Raises ``NotFound`` if the owner may not see a chosen collection (any more)."""
        index = choices.index or self._offers.indexes[0]
        if not choices.collections:
            return index
        return self._assistant.searched(choices.collections, index if choices.beside else None, owner=owner)

    def open(self, request: gr.Request) -> Iterator[Frame]:
        """Show the conversation of ``?c=``, and follow its run if one is going on."""
        yield from self.follow(request.query_params.get("c"), request)

    def follow(self, conversation: str | None, request: gr.Request) -> Iterator[Frame]:
        """Show the conversation as it is stored by now, and follow its run, wherever that was asked for."""
        person = self._access.person(request.headers)
        if person is None:
            yield _nobodys()
            return
        owner = person.owner
        if not conversation:
            yield SAME  # a question may have been asked before this event came
            return
        try:
            turns = self._assistant.turns(conversation, owner=owner)
        except SearChainError as error:
            yield refused((), error)
            return
        if turns and turns[-1][1].status is None:
            try:
                with self._access.watching(person, _address(request)):
                    yield from self._followed(turns, conversation, owner)
            except LimitReached as error:
                yield refused(turns, error)
        else:
            yield SAME._replace(
                messages=messages_of(turns),
                reasoning=tree_view.panel(turns, conversation),
                evidence=evidence.panel(turns),
                conversation=conversation,
            )

    def stop(self, running: str | None, request: gr.Request) -> None:
        """Stop the running turn; the handler that follows it shows how it ended."""
        person = self._access.person(request.headers)
        if person and running is not None:
            with suppress(SearChainError):  # it was deleted, or the database fails, which its run reports
                self._assistant.stop(running, owner=person.owner)


def _is_temporary(request: gr.Request) -> bool:
    """Return whether the page was opened for a temporary conversation; Gradio sends its address with each event."""
    return "temporary" in request.query_params


def _nobodys() -> Frame:
    text = _("Your conversations are not open to this browser: sign in again, or allow cookies.")
    return SAME._replace(messages=[sent(transcript.notice(text, "sign-in", _("Sign in")))])
