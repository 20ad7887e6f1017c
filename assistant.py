"""The SearChain assistant: it runs the turns of conversations and stores them. Also starts the command line.

Usage:
    python assistant.py ask "On which Japanese island is the city where Nintendo has its headquarters?"
"""

from __future__ import annotations

if __name__ == "__main__":  # before the imports below, which most commands need not wait for
    from ui.cli.main import cli

    cli()

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from searchain.assemble import Choice, Parts
from searchain.cancel import CancelToken
from searchain.chain.waiting import FairQueue, prepared
from searchain.errors import IndexNotFound, NotFound, UsageError
from searchain.events import Event, RunStarted, Turn, fold
from searchain.methods.base import Answerer, find
from searchain.settings import Careful, Settings
from searchain.types import Exchange, Hit
from storage.collections import access, documents, ticks
from storage.collections.places import Places
from storage.database import Database, default_path
from storage.history import feedback, finished_turns, overview
from storage.history.feedback import Feedback
from storage.history.selection import chosen
from storage.log import conversations, event_log, runs
from storage.log.conversations import Conversation, readable
from storage.log.live_runs import LiveRuns, Watch
from storage.log.runs import Process, Started
from storage.removal.deletions import Deletions

if TYPE_CHECKING:
    from searchain.check.checker import Checker
    from searchain.pipeline import SearChain

PARALLEL = 8
"""How many questions are answered at once. More would only share the same processor and model."""

MakeSearChain = Callable[[Settings, str], "SearChain"]
"""Makes SearChain from settings and an index name; the other methods use its parts."""
Events = Callable[[Started, CancelToken], Iterator[Event]]
"""Yields the events of a run whose turn is stored."""


class Assistant:
    """Answers questions in conversations. Thread-safe; a run goes on when the client that started it is gone."""

    def __init__(
        self,
        store: Database,
        make_searchain: MakeSearChain,
        settings: Settings,
        index: str = "default",
        models: Mapping[str, MakeSearChain] | None = None,
        *,
        elsewhere: Callable[[Settings], str | None] = lambda settings: None,
        parallel: int = PARALLEL,
        check_parts: Callable[[Settings, str], None] = lambda settings, index: None,
        make_checker: Callable[[str], Checker] | None = None,
        alike: Callable[[str, str], float] = lambda one, other: float(one == other),
        watch: Callable[[Started], Watch] | None = None,
    ) -> None:
        """``make_searchain(settings, index)`` is called in each run's worker thread, and must cache slow parts.

        ``settings`` and ``index`` are the defaults; ``models`` are others that a question may name. Collections must
        allow that their passages are sent to a host of ``elsewhere``. At most ``parallel`` questions run at once, the
        owners in turn. ``check_parts(settings, index)`` says what is wrong with them before anything is loaded.
        ``make_checker(index)`` checks texts; ``alike`` compares two; ``watch(started)`` watches a run.
        """
        self.check_parts, self._make_checker, self.alike, self._watch = check_parts, make_checker, alike, watch
        self._store, self._make_searchain, self.models = store, make_searchain, models or {}
        self.settings, self.index, self._elsewhere = settings, index, elsewhere
        self._process, self._queue = Process(), FairQueue(parallel)
        self._live, self.deletions = LiveRuns(store, self._process), Deletions(store)
        runs.interrupt_abandoned(store, self._process)

    def prepare(
        self,
        settings: Settings | None = None,
        index: str | None = None,
        model: str | None = None,
        *,
        owner: str = "local",
    ) -> Answerer:
        """Load the parts for the first question now.

        Raises:
            SendingRefused: a collection does not allow that its passages are sent to the model.
            SearChainError: a part is missing.
        """
        settings = settings or self.settings
        self._collections(owner, index or self.index, self.elsewhere(settings))
        make = self._make_searchain if model is None else self.models[model]
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
        is_temporary: bool = False,
        is_loading: bool = False,
    ) -> Started:
        """Store a question and start to answer it in the background; ``follow`` yields its events.

        ``index`` may join several names by ``+``; access to collections is checked now and when the run starts.
        ``history`` replaces the conversation's own history. ``model`` is one of ``models``. ``beside`` is a turn to
        compare with the new turn, ``replaces`` a turn to ask again. ``is_temporary``: erase it when it is left.
        ``is_loading``: say first that the models are loaded, as in a process that has loaded none.

        Raises:
            UsageError: the question is not allowed, or the conversation's last one is still being answered.
            NotFound: there is no such conversation or collection, or another owner has it.
            StorageError: the question could not be stored.
        """
        question, index = readable(question), index or self.index

        def answered(started: Started, cancel: CancelToken) -> Generator[Event, None, None]:
            said = self.history(started.conversation, owner=owner) if history is None else history
            prepare = partial(self.prepare, settings, index, model, owner=owner)
            made = yield from prepared(prepare, cancel, is_loading=is_loading)
            for event in made.stream(question, history=said, cancel=cancel):
                yield replace(event, beside=beside, replaces=replaces) if isinstance(event, RunStarted) else event

        return self._started(question, owner, conversation, index, answered, is_temporary)

    def check(
        self, text: str, *, owner: str = "local", index: str | None = None, is_temporary: bool = False
    ) -> Started:
        """Store a text and start to check its sentences in the background; ``follow`` yields the events.

        It is stored as a reply in a conversation of its own, with the state and the source of each sentence.

        Raises:
            UsageError: the text is empty or too long, or contains a secret of this process.
            NotFound, StorageError: as ``start``.
        """
        from searchain.check.checker import title_of  # here: the start of the command line need not pay for it
        from searchain.check.claims import text_of

        if (make := self._make_checker) is None:
            raise UsageError("texts are not checked here; open the assistant with open_assistant")
        text_of(text)
        index = index or self.index

        def checked(started: Started, cancel: CancelToken) -> Generator[Event, None, None]:
            checker = yield from prepared(lambda: make(index), cancel)
            yield from checker.stream(text, cancel=cancel)

        return self._started(title_of(text), owner, None, index, checked, is_temporary)

    def _started(
        self, question: str, owner: str, conversation: str | None, index: str, events: Events, is_temporary: bool
    ) -> Started:
        """Store a turn and start its run, which yields ``events`` once it has its place in the queue."""
        access.check(self._store, owner, index)
        runs.interrupt_abandoned(self._store, self._process)
        with self._live.claiming():
            started = runs.start(self._store, self._process, question, owner, conversation, is_temporary=is_temporary)
            place = self._queue.place(owner)

            def stream(cancel: CancelToken) -> Generator[Event, None, None]:
                with place:
                    yield from place.waiting(cancel)
                    names = self._collections(owner, index)
                    read = documents.read_so_far(self._store, index, cancel)
                    for event in events(started, cancel):
                        if isinstance(event, RunStarted):
                            event = replace(event, collections=names, files=read.files, unread=read.unread)
                        yield event

            try:
                run = self._live.start(started.turn, stream, self._watch(started) if self._watch else None)
            except BaseException:  # no thread can be had
                place.close()
                raise
        return replace(started, error=lambda: run.error)

    def follow(self, turn: str, *, after: int = -1, owner: str = "local") -> Iterator[event_log.StoredEvent]:
        """Yield the turn's events with a ``seq`` above ``after``: stored ones at once, new ones until the run ends.

        Any number of followers, in any process, see the same events. Closing the iterator does not stop the run.

        Raises:
            NotFound: there is no such turn, or another owner has it.
        """
        event_log.check(self._store, turn, owner)
        return (stored for batch in self._live.batches(turn, after) for stored in batch)

    def batches(self, turn: str, patience: float, *, owner: str = "local") -> Iterator[list[event_log.StoredEvent]]:
        """Do as ``follow``, in lists of events; an empty list means that none came for ``patience`` seconds."""
        event_log.check(self._store, turn, owner)
        return self._live.batches(turn, -1, patience)

    def stop(self, turn: str, *, owner: str = "local") -> None:
        """Stop the run, in whichever process it is; its results so far are kept. Raises ``NotFound`` as ``follow``."""
        event_log.check(self._store, turn, owner)
        if run := self._live.get(turn):
            run.cancel.set()
        else:
            runs.ask_to_stop(self._store, turn)

    def turn(self, turn: str, *, owner: str = "local") -> Turn:
        """Return the turn's state so far. Raises ``NotFound`` as ``follow`` does."""
        event_log.check(self._store, turn, owner)
        return self._folded(turn)

    def turns(self, conversation: str, *, owner: str = "local") -> list[tuple[str, Turn]]:
        """Return the conversation's turns in order, as (ID, state). Raises ``NotFound`` for another owner's."""
        return [(row.id, self._folded(row.id)) for row in conversations.turns(self._store, conversation, owner)]

    def history(self, conversation: str, *, owner: str = "local", before: str | None = None) -> list[Exchange]:
        """Return the conversation's exchanges so far, or those before a turn. Raises ``NotFound`` as ``place``."""
        return conversations.history(self._store, conversation, owner, before=before)

    def continued(self, said: Sequence[Exchange], *, owner: str = "local") -> tuple[str, int] | None:
        """Return the owner's conversation that ends ``said``, and the number of its exchanges; ``None`` without one."""
        return conversations.continued(self._store, owner, said)

    def place(self, turn: str, *, owner: str = "local") -> tuple[str, str | None]:
        """Return the turn's conversation, and the turn after it, if any. Raises ``NotFound`` as ``follow`` does."""
        return event_log.check(self._store, turn, owner), conversations.turn_after(self._store, turn)

    def overview(
        self, *, owner: str = "local", words: str = "", before: str | None = None, limit: int = 50
    ) -> list[overview.Entry]:
        """Return the owner's conversations, newest first, from the one after ``before``; or those with ``words``."""
        if words.strip():
            return overview.search(self._store, owner, words, limit)
        return overview.latest(self._store, owner, limit, before)

    def rename(self, conversation: str, title: str, *, owner: str = "local") -> str:
        """Set the conversation's title; return it as it is stored. Raises ``NotFound``, or ``UsageError``."""
        return overview.rename(self._store, conversation, owner, title)

    def delete(self, conversation: str, *, owner: str = "local") -> None:
        """Delete the conversation, which can be brought back for ten seconds. Raises as ``Deletions.delete``."""
        self.deletions.delete(conversation, owner=owner)

    def pin(self, conversation: str, is_pinned: bool, *, owner: str = "local") -> None:
        """Pin the conversation, or take the pin off. Raises ``NotFound`` for another owner's."""
        overview.pin(self._store, conversation, owner, is_pinned)

    def conversation(self, conversation: str, *, owner: str = "local") -> Conversation:
        """Return a conversation with its title and dates. Raises ``NotFound`` for another owner's."""
        return conversations.get(self._store, conversation, owner)

    def choose(self, conversation: str, choices: str, *, owner: str = "local") -> None:
        """Store the owner's settings for the next questions. Raises ``NotFound`` for another owner's."""
        conversations.choose(self._store, conversation, owner, choices)

    def feedback(self, conversation: str, *, owner: str = "local") -> list[Feedback]:
        """Return the owner's feedback on the conversation. Raises ``NotFound`` for another owner's."""
        return feedback.current(self._store, conversation, owner)

    def judge(
        self, turn: str, value: str | None, *, owner: str = "local", source: int | None = None, comment: str = ""
    ) -> None:
        """Store feedback on a reply, or on its citation ``source``; ``None`` takes it back. It may move a tick.

        Raises:
            NotFound: there is no such turn or citation, or another owner has it.
            UsageError: the run is not over, the value is unknown, or the comment is too long.
        """
        feedback.give(self._store, turn, owner, value, source=source, comment=comment)
        ticks.renew_after(self._store, turn)

    def finished(self, *, owner: str = "local", **conditions: str) -> Iterator[finished_turns.Record]:
        """Yield the owner's finished turns that meet the conditions, for exports.

        Conditions: ``conversation``, ``model``, ``status``, ``outcome``, ``since``, ``until``, ``text`` (see
        ``Selection``). Raises ``UsageError`` where one cannot be read.
        """
        return finished_turns.records(self._store, chosen(owner=owner, **conditions))

    def close(self, timeout: float = 5.0) -> None:
        """Stop every run of this process, wait for it to end, and close the database."""
        self._live.close(timeout)
        self.deletions.close()
        self._store.close()

    def searched(self, collections: Sequence[str], index: str | None = None, *, owner: str = "local") -> str:
        """Return the ``index`` for ``start`` that joins ``collections``, by name or ID, and ``index``.

        Raises:
            NotFound: a collection does not exist, or ``owner`` may not search it.
            UsageError: several collections have the same name.
        """
        found = [access.named(self._store, owner, name) for name in collections]
        return access.joined(found, *([index] if index else []))

    def collections(self, *, owner: str = "local") -> list[str]:
        """Return names of the collections that ``owner`` may search; the ID where a name means several."""
        return access.names(self._store, owner)

    def elsewhere(self, settings: Settings | None = None) -> str | None:
        """Return the host to which runs send passages; ``None`` if the language model is on this machine."""
        return self._elsewhere(settings or self.settings)

    def index_for(self, collections: Sequence[str], conversation: str | None, *, owner: str = "local") -> str | None:
        """Return the index of a question; without ``collections`` a follow-up searches those of the turn before.

        Raises:
            NotFound: as ``searched`` and ``turns`` do.
            UsageError: as ``searched`` does.
        """
        if collections:
            return self.searched(collections, owner=owner)
        turns = self.turns(conversation, owner=owner) if conversation else []
        return turns[-1][1].index if turns and turns[-1][1].collections else None

    def search(self, query: str, k: int, *, index: str | None = None, owner: str = "local") -> list[Hit]:
        """Find the ``k`` passages nearest to a query without starting a run; ``index`` as for ``start``.

        Raises:
            UsageError: the query is not allowed, or the settings search nothing.
            NotFound: there is no such collection, or another owner has it.
            SearChainError: a part is missing, or the search failed.
        """
        query, index = readable(query), index or self.index
        self._collections(owner, index)
        retriever = self._make_searchain(self.settings, index).retriever
        if retriever is None:
            raise UsageError("these settings search nothing; there are no passages to find")
        return retriever.search(query, k)

    def place_of(self, *, owner: str = "local") -> Places:
        """Return a finder of citations' places in documents that the owner may see."""
        return Places(self._store, owner)

    def _collections(self, owner: str, index: str, host: str | None = None) -> tuple[str, ...]:
        """Return the names of the collections in ``index``; a model on ``host`` is to get their passages.

        Raises:
            IndexNotFound: access has been lost since.
            SendingRefused: as ``access.check``.
        """
        try:
            return tuple(access.check(self._store, owner, index, host))
        except NotFound as error:
            raise IndexNotFound(str(error), hint=error.hint) from error

    def _folded(self, turn: str) -> Turn:
        if run := self._live.get(turn):
            return event_log.completed(self._store, turn, fold(stored.event for stored in run.events))
        return event_log.turn(self._store, turn)


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
    watch: Callable[[Started], Watch] | None = None,
    **named: Any,
) -> Assistant:
    """Open the database and return an Assistant for the chosen parts (``ui.cli.options``), which load when first used.

    ``models`` are further ones at the same endpoint, which a question may name. ``careful`` is what the careful model
    does where settings do not say it. ``named`` are further fields of ``Choice``.
    """
    store = Database(db or default_path())
    parts = Parts(
        Choice(model=model, base_url=base_url, gguf=gguf, retriever=retriever, reader=reader, careful=careful, **named),
        threshold=partial(ticks.threshold, store),
        files=partial(documents.own_files, store),
    )
    return Assistant(
        store,
        parts.searchain,
        Settings(),
        models={name: partial(parts.searchain, model_name=name) for name in models},
        elsewhere=parts.elsewhere,
        parallel=parallel,
        check_parts=parts.check,
        make_checker=parts.checker,
        alike=parts.alike,
        watch=watch,
    )
