"""The SearChain assistant: chat turns (history → SearChain → store), and the command line.

python assistant.py ask "On which Japanese island is the city where Nintendo has its headquarters?"
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Protocol

import click

from searchain.assemble import Choice, Parts
from searchain.cancel import CancelToken
from searchain.console import INTERRUPTED, fail
from searchain.errors import UsageError
from searchain.events import Event, ReplyDelta, TracingStarted, Turn, fold
from searchain.safe_text import clean, is_plain, one_line
from searchain.settings import Settings
from searchain.types import Exchange, Status, TaskKind
from storage.database import Database
from storage.history import feedback, finished_turns, overview
from storage.history.feedback import Feedback
from storage.history.overview import Entry
from storage.history.selection import chosen
from storage.log import conversations, event_log, runs
from storage.log.conversations import Conversation
from storage.log.event_log import StoredEvent
from storage.log.live_runs import LiveRuns
from storage.log.runs import Process, Started
from storage.removal import delete as removal
from storage.removal.compact import Compaction
from ui.cli import options
from ui.cli.group import Commands, log_to_file
from ui.exports.formats import FORMATS
from ui.show import terminal

MAX_QUESTION = 4_000
"""Characters: a question and its history must fit the context of a small model."""


class Streams(Protocol):
    """What the Assistant asks of SearChain."""

    def stream(
        self, question: str, *, history: Sequence[Exchange] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]: ...


MakeSearChain = Callable[[Settings, str], Streams]
"""Settings and an index → what answers with them."""


class Assistant:
    """Answers questions in conversations. Thread-safe; a run goes on when whoever started it is gone."""

    def __init__(
        self,
        store: Database,
        make_searchain: MakeSearChain,
        settings: Settings,
        index: str = "default",
        models: Mapping[str, MakeSearChain] | None = None,
    ) -> None:
        """``make_searchain(settings, index)`` is called in each run's worker thread; it keeps what is slow to make.

        ``settings`` and ``index`` are used when a question names no others; ``models`` are what it may name besides.
        """
        self._store, self._make_searchain, self.models = store, make_searchain, models or {}
        self.settings, self.index = settings, index
        self._process = Process()
        self._live = LiveRuns(store, self._process)
        self._compaction = Compaction(store)
        runs.interrupt_abandoned(store, self._process)

    def prepare(self, settings: Settings | None = None, index: str | None = None, model: str | None = None) -> Streams:
        """Load now what the first question would wait for. Raises ``SearChainError`` when a part cannot be had."""
        make = self._make_searchain if model is None else self.models[model]
        return make(settings or self.settings, index or self.index)

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
    ) -> Started:
        """Accept a question and begin to answer it in the background; ``follow`` tells how it goes.

        ``history`` is what was said before, where that is not the conversation's own; ``model`` one of ``models``.

        Raises:
            UsageError: an unusable question, or the conversation's last one is still being answered.
            NotFound: there is no such conversation, or it is another owner's.
            StorageError: the question could not be stored.
        """
        question = readable(question)
        runs.interrupt_abandoned(self._store, self._process)
        started = runs.start(self._store, self._process, question, owner, conversation)

        def stream(cancel: CancelToken) -> Generator[Event, None, None]:
            said = self.history(started.conversation, owner=owner) if history is None else history
            yield from self.prepare(settings, index, model).stream(question, history=said, cancel=cancel)

        self._live.start(started.turn, stream)
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
            UsageError: the title is none.
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

    def choices(self, conversation: str, *, owner: str = "local") -> str | None:
        """What the owner chose for the conversation's next questions. Raises ``NotFound`` for another owner's."""
        return conversations.get(self._store, conversation, owner).settings

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

    def export(self, format: str, *, owner: str = "local", **conditions: str) -> Iterator[str]:
        """The owner's finished turns as the pieces of a file; ``storage.history.selection.chosen`` knows the conditions.

        Raises:
            UsageError: there is no such format, or a condition is none.
            StorageError: while the pieces come: a turn cannot be read.
        """
        if format not in FORMATS:
            raise UsageError(f"there is no format {format!r}; there are: {', '.join(FORMATS)}")
        return FORMATS[format].write(finished_turns.records(self._store, chosen(owner=owner, **conditions)))

    def close(self, timeout: float = 5.0) -> None:
        """Stop every run of this process, wait for them to end, and close the database."""
        self._live.close(timeout)
        self._compaction.close()
        self._store.close()

    def _folded(self, turn: str) -> Turn:
        if run := self._live.get(turn):
            return event_log.with_question(self._store, turn, fold(stored.event for stored in run.events))
        return event_log.turn(self._store, turn)


def readable(question: str) -> str:
    """The question as it is stored: trimmed, lines ended by line feeds.

    Raises:
        UsageError: it is empty, too long, or not text.
    """
    question = question.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not question:
        raise UsageError("the question is empty; write one, such as: Who founded Nintendo?")
    if len(question) > MAX_QUESTION:
        raise UsageError(f"the question has {len(question):,} characters; ask it in {MAX_QUESTION:,} or fewer")
    if not is_plain(question):
        raise UsageError("the question contains control characters or broken text, like binary data; ask in plain text")
    return question


def open_assistant(
    *,
    db: Path | None = None,
    model: str | None = None,
    base_url: str | None = None,
    retriever: str | None = None,
    reader: Path | None = None,
    models: Sequence[str] = (),
) -> Assistant:
    """The Assistant over a database and the parts that the operator named (``ui.cli.options``); loads none yet.

    ``models`` are further ones at the same endpoint, which a question may name.
    """
    parts = Parts(Choice(model=model, base_url=base_url, retriever=retriever, reader=reader))
    return Assistant(
        Database(db or options.database_path()),
        parts.searchain,
        Settings(),
        models={name: partial(parts.searchain, model_name=name) for name in models},
    )


@click.group(
    cls=Commands,
    elsewhere={
        "chat": ("ui.cli.chat:chat", "Serve the chat page."),
        "index": ("ui.cli.index:index", "Build, list, extend and remove passage indexes."),
        "serve": ("ui.cli.index:serve", "Serve an index to other processes."),
        "logs": ("ui.cli.logs:logs", "Find, show, replay, check and remove past questions with their evidence."),
        "export": ("ui.cli.transfer:export", "Write conversations to a file."),
        "import": (
            "ui.cli.transfer:import_",
            "Add the conversations of an exported file, all of them or none.",
        ),
        "user": (
            "ui.cli.user:user",
            "Add, change, list and remove the users of a shared page, and make their API tokens.",
        ),
        "annotate": (
            "ui.cli.annotate:annotate",
            "Have people judge the citations of replies, and measure SKC and AMP.",
        ),
        "eval": (
            "ui.cli.evaluate:evaluate",
            "Ask a system all questions of a file and score its answers.",
        ),
        "calibrate": ("ui.cli.calibrate:calibrate", "Find a Reader's thresholds and store them with it."),
        "check-support": ("ui.cli.calibrate:check_support", "Say how far passages support sentences."),
        "doctor": ("ui.cli.doctor:doctor", "Check this machine and say what is missing."),
    },
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.pass_context
def cli(context: click.Context) -> None:
    """Ask questions that take several steps, and get replies whose every citation opens the passage it rests on."""
    context.obj = context.obj or open_assistant
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character still gets the rest
    log_to_file(options.database_path().with_name("searchain.log"))


@cli.command()
@click.argument("question")
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object, and nothing else, on standard output.")
@click.option(
    "--task",
    type=click.Choice(["auto", *(kind.value for kind in TaskKind)]),
    default="auto",
    show_default=True,
    help="What the question asks for.",
)
@click.option(
    "--profile",
    type=click.Choice(["default", "paper"]),
    default="default",
    show_default=True,
    help="The default, or the method exactly as in the paper.",
)
@click.option("--conversation", metavar="ID", help="Continue this conversation.")
@click.option("--index", metavar="NAME", default="default", show_default=True, help="The index to search.")
@click.option("--passages", type=int, metavar="N", help="Passages retrieved per query.")
@click.option("--max-rounds", type=int, metavar="N", help="Chain generations at most.")
@click.option("--no-ir", "use_ir", flag_value=False, default=True, help="Let the model answer without evidence.")
@click.option("--no-verification", "use_verification", flag_value=False, default=True, help="Correct no answers.")
@click.option("--no-completion", "use_completion", flag_value=False, default=True, help="Complete no unsolved queries.")
@options.parts
@options.database
@click.pass_obj
def ask(
    open_assistant: Callable[..., Assistant],
    question: str,
    is_json: bool,
    task: str,
    profile: str,
    conversation: str | None,
    index: str,
    passages: int | None,
    max_rounds: int | None,
    use_ir: bool,
    use_verification: bool,
    use_completion: bool,
    **named: Any,
) -> None:
    """Answer one question.

    The reply and its numbered sources go to standard output; how they came about goes to standard error.
    """
    numbers = {"passages": passages, "max_rounds": max_rounds}
    settings = Settings.of(
        profile,
        task=None if task == "auto" else TaskKind(task),
        use_ir=use_ir,
        use_verification=use_verification,
        use_completion=use_completion,
        **{name: value for name, value in numbers.items() if value is not None},
    )
    readable(question)
    assistant = open_assistant(**named)
    try:
        if conversation is not None:
            assistant.history(conversation)
        if sys.stderr.isatty():
            click.echo("loading the models …", err=True)
        assistant.prepare(settings, index)
        started = assistant.start(question, conversation=conversation, settings=settings, index=index)
        turn = _watch(assistant, started.turn, quiet=is_json)
    finally:
        assistant.close()
    where = f"python assistant.py logs show {started.turn}"
    if turn.status is Status.STOPPED:
        fail(f"stopped; what was found is kept: {where}", INTERRUPTED)
    if turn.status not in (Status.ANSWERED, Status.PARTIAL, Status.NOT_FOUND):
        fail(turn.message or f"the run was {turn.status}; what was found is kept: {where}")
    if is_json:
        from searchain.turn_json import as_json

        values = as_json(turn, conversation=started.conversation, turn_id=started.turn)
        click.echo(json.dumps(values, ensure_ascii=False).encode())  # JSON is UTF-8, whatever the terminal speaks
        return
    click.echo("" if sys.stdout.isatty() else clean(turn.answer))
    for line in terminal.sources(turn):
        click.echo(line)
    go_on = f"to go on: --conversation {started.conversation}"
    for line in (f"{turn.status} · {terminal.timings(turn)}", turn.message, go_on):
        if line:
            click.echo(one_line(line), err=True)


def _watch(assistant: Assistant, id: str, *, quiet: bool) -> Turn:
    """Follow a run to its end, telling how it goes unless ``quiet``; ctrl-C stops it, a second one leaves it."""
    turn, last, was_stopped = Turn(), -1, False
    while True:
        try:
            for stored in assistant.follow(id, after=last):
                turn, last = fold([stored.event], turn), stored.seq
                if not quiet:
                    _tell(stored.event, turn)
            return turn
        except KeyboardInterrupt:
            if was_stopped:
                raise
            was_stopped = True
            assistant.stop(id)


def _tell(event: Event, turn: Turn) -> None:
    if line := terminal.progress(event, turn):
        click.echo(line, err=True)
    if sys.stdout.isatty():  # elsewhere the reply comes when it is final: a second one may replace it
        match event:
            case TracingStarted():
                click.echo()
            case ReplyDelta():
                click.echo(clean(event.text), nl=False)


if __name__ == "__main__":
    cli()
