"""The SearChain assistant: one chat turn (history → SearChain → store), and the door to the command line.

Usage:
    python assistant.py ask "On which Japanese island is the city where Nintendo has its headquarters?"
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from searchain.assemble import Choice, Parts
from searchain.cancel import CancelToken
from searchain.chain.waiting import FairQueue
from searchain.errors import IndexNotFound, NotFound, UsageError
from searchain.events import Event, RunStarted, Turn, fold
from searchain.safe_text import is_plain
from searchain.secrecy import holds_secret
from searchain.settings import Careful, Settings
from searchain.types import Exchange, Hit
from storage.collections import access
from storage.collections.places import Places
from storage.database import Database, default_path
from storage.history import feedback, finished_turns, overview
from storage.history.feedback import Feedback
from storage.history.finished_turns import Record
from storage.history.overview import Entry
from storage.history.selection import chosen
from storage.log import conversations, event_log, runs
from storage.log.conversations import Conversation
from storage.log.event_log import StoredEvent
from storage.log.live_runs import LiveRuns
from storage.log.runs import Process, Started
from storage.removal import delete as removal
from storage.removal.compact import Compaction

if TYPE_CHECKING:
    from searchain.methods.base import Answerer
    from searchain.pipeline import SearChain

MAX_QUESTION = 4_000
"""Characters: a question and its history must fit the context of a small model."""


PARALLEL = 8
"""Questions that are answered at a time: more only share the same processor and model."""

MakeSearChain = Callable[[Settings, str], "SearChain"]
"""Settings and an index → SearChain with them, whose parts every other method uses."""


class Assistant:
    """Answers questions in conversations. Thread-safe; a run goes on when whoever started it is gone."""

    def __init__(
        self,
        store: Database,
        make_searchain: MakeSearChain,
        settings: Settings,
        index: str = "default",
        models: Mapping[str, MakeSearChain] | None = None,
        *,
        parallel: int = PARALLEL,
    ) -> None:
        """``make_searchain(settings, index)`` is called in each run's worker thread; it keeps what is slow to make.

        ``settings`` and ``index`` are used when a question names no others; ``models`` are what it may name besides.
        ``parallel`` questions are answered at a time; others wait, each owner's in turn.
        """
        self._store, self._make_searchain, self.models = store, make_searchain, models or {}
        self.settings, self.index = settings, index
        self._process = Process()
        self._live = LiveRuns(store, self._process)
        self._queue = FairQueue(parallel)
        self._compaction = Compaction(store)
        runs.interrupt_abandoned(store, self._process)

    def prepare(
        self,
        settings: Settings | None = None,
        index: str | None = None,
        model: str | None = None,
        *,
        owner: str = "local",
    ) -> Answerer:
        """Load now what the first question would wait for. Raises ``SearChainError`` when a part cannot be had."""
        from searchain.methods.base import find  # here: the start of the command line need not pay for it

        self._collections(owner, index or self.index)
        make = self._make_searchain if model is None else self.models[model]
        settings = settings or self.settings
        return find(settings.system).make(make(settings, index or self.index))

    def start(
        self,
        question: str,
        *,
        conversation: str | None = None,
        owner: str = "local",
        settings: Settings | None = None,
        index: str | None = None,
        model: str | None = None,
        history: Sequence[Exchange] | None = None,
        beside: str | None = None,
        replaces: str | None = None,
    ) -> Started:
        """Accept a question and begin to answer it in the background; ``follow`` tells how it goes.

        ``index`` may join several names by ``+``; those of collections are checked, now and when the run starts.
        ``history`` is what was said before, where that is not the conversation's own; ``model`` one of ``models``,
        ``beside`` a turn that is to be compared with this one, ``replaces`` one whose place this one takes.

        Raises:
            UsageError: an unusable question, or the conversation's last one is still being answered.
            NotFound: there is no such conversation or collection, or it is another owner's.
            StorageError: the question could not be stored.
        """
        question, index = readable(question), index or self.index
        access.check(self._store, owner, index)
        runs.interrupt_abandoned(self._store, self._process)
        with self._live.claiming():
            started = runs.start(self._store, self._process, question, owner, conversation)
            place = self._queue.place(owner)

            def stream(cancel: CancelToken) -> Generator[Event, None, None]:
                with place:
                    yield from place.waiting(cancel)
                    said = self.history(started.conversation, owner=owner) if history is None else history
                    names = self._collections(owner, index)
                    made = self.prepare(settings, index, model, owner=owner)
                    for event in made.stream(question, history=said, cancel=cancel):
                        if isinstance(event, RunStarted):
                            event = replace(event, beside=beside, replaces=replaces, collections=names)
                        yield event

            try:
                self._live.start(started.turn, stream)
            except BaseException:  # no thread can be had
                place.close()
                raise
        return started

    def follow(self, turn: str, *, after: int = -1, owner: str = "local") -> Iterator[StoredEvent]:
        """The turn's events with a ``seq`` above ``after``: those stored at once, the rest as they come, to the end.

        Any number of followers, in any process, see the same events. Closing the iterator does not stop the run.

        Raises:
            NotFound: there is no such turn, or it is another owner's.
        """
        event_log.check(self._store, turn, owner)
        return self._live.follow(turn, after)

    def stop(self, turn: str, *, owner: str = "local") -> None:
        """Ask the run to end now, whichever process works on it; what it found is kept.

        Raises:
            NotFound: there is no such turn, or it is another owner's.
        """
        event_log.check(self._store, turn, owner)
        if run := self._live.get(turn):
            run.cancel.set()
        else:
            runs.ask_to_stop(self._store, turn)

    def turn(self, turn: str, *, owner: str = "local") -> Turn:
        """The turn's state so far. Raises ``NotFound`` as ``follow``."""
        event_log.check(self._store, turn, owner)
        return self._folded(turn)

    def conversations(self, *, owner: str = "local") -> list[Conversation]:
        """The owner's conversations, the latest first."""
        return conversations.conversations_of(self._store, owner)

    def turns(self, conversation: str, *, owner: str = "local") -> list[tuple[str, Turn]]:
        """The conversation's turns in order, as pairs of id and state. Raises ``NotFound`` for another owner's."""
        return [(row.id, self._folded(row.id)) for row in conversations.turns(self._store, conversation, owner)]

    def history(self, conversation: str, *, owner: str = "local", before: str | None = None) -> list[Exchange]:
        """The conversation's replies so far, or those before a turn of it, as follow-ups need them.

        Raises:
            NotFound: there is no such conversation, or it is another owner's.
        """
        return conversations.history(self._store, conversation, owner, before=before)

    def overview(
        self, *, owner: str = "local", words: str = "", before: str | None = None, limit: int = 50
    ) -> list[Entry]:
        """The owner's conversations, the newest first, from the one after ``before`` on; with ``words`` those that
        hold them."""
        if words.strip():
            return overview.search(self._store, owner, words, limit)
        return overview.latest(self._store, owner, limit, before)

    def rename(self, conversation: str, title: str, *, owner: str = "local") -> str:
        """Give the conversation another title; returns it as it is stored.

        Raises:
            NotFound: there is no such conversation, or it is another owner's.
            UsageError: the title is empty or cannot be stored.
        """
        return overview.rename(self._store, conversation, owner, title)

    def delete(self, conversation: str, *, owner: str = "local") -> None:
        """Delete the conversation with all its turns for good; what is left of the text leaves the file soon after.

        Raises:
            NotFound: there is no such conversation, or it is another owner's.
            UsageError: its last question is still being answered.
        """
        removal.remove(self._store, [row.id for row in conversations.turns(self._store, conversation, owner)])
        self._compaction.soon()

    def conversation(self, conversation: str, *, owner: str = "local") -> Conversation:
        """One conversation with its title and dates. Raises ``NotFound`` for another owner's."""
        return conversations.get(self._store, conversation, owner)

    def choices(self, conversation: str, *, owner: str = "local") -> str | None:
        """What the owner chose for the conversation's next questions. Raises ``NotFound`` for another owner's."""
        return self.conversation(conversation, owner=owner).settings

    def choose(self, conversation: str, choices: str, *, owner: str = "local") -> None:
        """Keep what the owner chose. Raises ``NotFound`` for another owner's."""
        conversations.choose(self._store, conversation, owner, choices)

    def feedback(self, conversation: str, *, owner: str = "local") -> list[Feedback]:
        """The owner's judgements of the conversation's replies. Raises ``NotFound`` for another owner's."""
        return feedback.current(self._store, conversation, owner)

    def judge(
        self, turn: str, value: str | None, *, owner: str = "local", source: int | None = None, comment: str = ""
    ) -> None:
        """Judge a reply, or its citation ``source``; ``None`` takes a judgement back.

        Raises:
            NotFound: there is no such turn or citation, or it is another owner's.
            UsageError: the judgement cannot be kept as it is.
        """
        feedback.give(self._store, turn, owner, value, source=source, comment=comment)

    def finished(self, *, owner: str = "local", **conditions: str) -> Iterator[Record]:
        """The owner's finished turns that meet the conditions, as exports write them.

        Conditions: ``conversation``, ``model``, ``status``, ``outcome``, ``since``, ``until``, ``text`` (see
        ``Selection``).

        Raises:
            UsageError: a condition cannot be read.
        """
        return finished_turns.records(self._store, chosen(owner=owner, **conditions))

    def close(self, timeout: float = 5.0) -> None:
        """Stop every run of this process, wait for them to end, and close the database."""
        self._live.close(timeout)
        self._compaction.close()
        self._store.close()

    def searched(self, collections: Sequence[str], index: str | None = None, *, owner: str = "local") -> str:
        """What ``start`` takes as ``index``: the ``collections`` by name or id, with ``index`` beside them if any.

        Raises:
            NotFound: one of them is not there, or not for this owner.
            UsageError: a name that several have.
        """
        found = [access.named(self._store, owner, name) for name in collections]
        return access.joined(found, *([index] if index else []))

    def search(self, query: str, k: int, *, index: str | None = None, owner: str = "local") -> list[Hit]:
        """Find the ``k`` passages nearest to a query, without a run; ``index`` as for ``start``.

        Raises:
            UsageError: an unusable query.
            NotFound: there is no such collection, or it is another owner's.
            SearChainError: a part cannot be had, or the search failed.
        """
        query, index = readable(query), index or self.index
        self._collections(owner, index)
        retriever = self._make_searchain(self.settings, index).retriever
        if retriever is None:
            raise UsageError("these settings search nothing; there are no passages to find")
        return retriever.search(query, k)

    def place_of(self, *, owner: str = "local") -> Places:
        """What says where sources stand in own documents, as far as the owner may see them."""
        return Places(self._store, owner)

    def _collections(self, owner: str, index: str) -> tuple[str, ...]:
        """The names of the collections in ``index``, as a run starts: they may have been taken away meanwhile."""
        try:
            return tuple(access.check(self._store, owner, index))
        except NotFound as error:
            raise IndexNotFound(str(error), hint=error.hint) from error

    def _folded(self, turn: str) -> Turn:
        if run := self._live.get(turn):
            return event_log.with_question(self._store, turn, fold(stored.event for stored in run.events))
        return event_log.turn(self._store, turn)


def readable(question: str) -> str:
    """The question as it is stored: trimmed, lines ended by line feeds.

    Raises:
        UsageError: it is empty, too long, not text, or holds a secret of this process.
    """
    question = question.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not question:
        raise UsageError("the question is empty; write one, such as: Who founded Nintendo?")
    if len(question) > MAX_QUESTION:
        raise UsageError(f"the question has {len(question):,} characters; ask it in {MAX_QUESTION:,} or fewer")
    if not is_plain(question):
        raise UsageError("the question contains control characters or broken text, like binary data; ask in plain text")
    if holds_secret(question):
        raise UsageError("the question holds the key of the language model; ask it without the key")
    return question


def open_assistant(
    *,
    db: Path | None = None,
    model: str | None = None,
    base_url: str | None = None,
    retriever: str | None = None,
    reader: Path | None = None,
    models: Sequence[str] = (),
    gguf: Path | None = None,
    careful: Careful | None = None,
    parallel: int = PARALLEL,
    **named: Any,
) -> Assistant:
    """The Assistant over a database and the parts that the operator named (``ui.cli.options``); loads none yet.

    ``models`` are further ones at the same endpoint, which a question may name. ``careful`` is what the careful model
    does where settings do not say it. ``named`` are further fields of ``Choice``.
    """
    parts = Parts(
        Choice(model=model, base_url=base_url, gguf=gguf, retriever=retriever, reader=reader, careful=careful, **named)
    )
    return Assistant(
        Database(db or default_path()),
        parts.searchain,
        Settings(),
        models={name: partial(parts.searchain, model_name=name) for name in models},
        parallel=parallel,
    )


if __name__ == "__main__":
    from ui.cli.main import cli

    cli()
