"""``ask`` and ``check``: one question answered, or one text held against documents, in the terminal."""

import os
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from assistant import Assistant
from searchain.check.claims import text_of_file
from searchain.console import INTERRUPTED, fail
from searchain.errors import DocumentRefused, UsageError
from searchain.events import Event, ModelFault, ReplyDelta, SentenceBound, TracingStarted, Turn, fold
from searchain.methods.base import systems
from searchain.safe_text import clean, one_line
from searchain.turn_json import as_json
from searchain.types import ENDED, Sentence, Status, Support, TaskKind
from storage.log.conversations import readable
from storage.log.runs import Started
from ui.cli import options, warm
from ui.cli.main import log_path
from ui.show import terminal
from ui.show.labels import summary
from ui.show.passages import Uncarried, parts
from ui.show.signs import SENTENCES

_SETTINGS = ("passages", "max_rounds", "use_ir", "use_verification", "use_completion")
"""Options that are settings of the run."""
_LOOK = 0.2  # seconds between two looks for a signal: one that comes just before a wait is only seen after it


@click.command()
@click.argument("question")
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object, and nothing else, on standard output.")
@click.option(
    "--task",
    type=click.Choice(["auto", *(kind.value for kind in TaskKind)]),
    default="auto",
    help="What the question asks for.",
)
@click.option(
    "--profile",
    type=click.Choice(["default", "paper"]),
    default="default",
    help="default: what measurements favour. paper: the paper's Algorithm 1 with one passage a query, the whole chain "
    "before any search, f > θ, and the model's new answer in force; docs/method.md lists what still differs.",
)
@click.option("--system", metavar="NAME", help=f"Another method: {', '.join(systems())}.")
@click.option("--conversation", metavar="ID", help="Continue this conversation.")
@click.option("--index", metavar="NAME", default="default", help="The index to search.")
@click.option(
    "--collection",
    "collections",
    multiple=True,
    metavar="NAME",
    help="Search these own documents, and nothing else unless --index is named too; can be repeated.",
)
@click.option("--passages", type=int, metavar="N", help="Passages retrieved per query.")
@click.option("--max-rounds", type=int, metavar="N", help="Chain generations at most.")
@click.option("--no-ir", "use_ir", flag_value=False, default=None, help="Let the model answer without evidence.")
@click.option(
    "--no-verification", "use_verification", flag_value=False, default=None, help="Do not correct the model's answers."
)
@click.option(
    "--no-completion",
    "use_completion",
    flag_value=False,
    default=None,
    help="Do not fill in the answers that the model leaves open.",
)
@options.careful("check, where it is installed and no other model is named")
@click.option(
    "--keep-warm",
    type=click.IntRange(1, 24 * 60),
    metavar="MINUTES",
    help="Leave a process with loaded models behind, which answers the next questions until none came for so long.",
)
@options.limits
@options.parts
@options.database
@click.pass_context
def ask(
    context: click.Context,
    question: str,
    is_json: bool,
    task: str,
    profile: str,
    system: str | None,
    conversation: str | None,
    index: str,
    collections: tuple[str, ...],
    keep_warm: int | None,
    **named: Any,
) -> None:
    """Answer one question.

    The reply and its numbered sources go to standard output; how they came about goes to standard error. Where the page
    is served, or another `ask` left a process, with the same database and options, that process answers.
    """
    changes: dict[str, Any] = {"task": None if task == "auto" else task}
    changes |= {name: value for name in _SETTINGS if (value := named.pop(name)) is not None}
    if system is not None and profile != "default":
        raise UsageError("--system and --profile name the method twice; leave one out")
    settings = warm.settings_of(system, profile, changes)
    readable(question)
    if collections and named["retriever"]:
        raise UsageError("--retriever searches its own index alone; leave out --collection")
    is_default = context.get_parameter_source("index") is click.core.ParameterSource.DEFAULT
    with closing[Assistant](context.obj(**named)) as assistant:
        index = _searched(assistant, None if is_default else index, collections, conversation)
        if conversation is not None:
            assistant.history(conversation)
        asked = {"system": system, "profile": profile, "changes": changes, "conversation": conversation, "index": index}
        assistant.check_parts(settings, index)
        started = _handed_over({**asked, "question": question}, named, keep_warm)
        if started is None:
            started = assistant.start(
                question, conversation=conversation, settings=settings, index=index, is_loading=True
            )
        turn = watch(assistant, started.turn, _tell_of_loading if is_json else _tell)
        if (error := started.error()) is not None:
            raise error
        values = as_json(turn, conversation=started.conversation, turn_id=started.turn, place_of=assistant.place_of())
    _leave_unfinished(turn, started.turn)
    if is_json:
        options.echo_json(values)
    else:
        _show(turn, values)


def _searched(assistant: Assistant, named: str | None, collections: tuple[str, ...], conversation: str | None) -> str:
    """Return the index to search: that of ``collections``, the ``named`` one, or that of the last turn."""
    if collections:
        return assistant.searched(collections, named)
    return named or assistant.index_for((), conversation) or "default"


def _leave_unfinished(turn: Turn, id: str) -> None:
    """End the process with the turn's message and status, unless the turn was answered."""
    try:
        fail_unfinished(turn, id)
    except SystemExit:
        if turn.status is Status.STOPPED and not turn.model:
            os._exit(INTERRUPTED)  # models load in a thread, for which the end of the interpreter may wait seconds
        raise


def _handed_over(asked: dict[str, Any], named: dict[str, Any], keep_warm: int | None) -> Started | None:
    """Hand the question to a process that has its models loaded; ``None`` where none is there and none was wanted."""
    at = warm.place(named)
    taken = warm.hand_over(at, asked)
    if taken is None and keep_warm is not None:
        _say_loading()
        left = warm.leave_behind(named, keep_warm)
        taken = warm.hand_over(at, asked)
        if taken is not None and taken[1] == left.pid and left.poll() is None:  # else another process was there first
            log = "" if os.environ.get("SEARCHAIN_DEBUG") else f"; log: {log_path()}"
            click.echo(f"process {left.pid} keeps the models; end it with: kill {left.pid}{log}", err=True)
    return taken[0] if taken else None


def _say_loading() -> None:
    if sys.stderr.isatty():
        click.echo(terminal.LOADING, err=True)


def fail_unfinished(turn: Turn, id: str) -> None:
    """End the command where the run did not come to its end."""
    where = f"python assistant.py logs show {id}"
    if turn.status is Status.STOPPED:
        fail(f"stopped; what was found is kept: {where}", INTERRUPTED)
    if turn.status not in ENDED:
        fail(turn.message or f"the run was {turn.status}; what was found is kept: {where}")


def _show(turn: Turn, values: dict[str, Any]) -> None:
    click.echo("" if sys.stdout.isatty() else clean(turn.answer))
    for line in terminal.sources(turn, [source["place"] for source in values["sources"]]):
        click.echo(line)
    ended = " · ".join(filter(None, (terminal.rating(turn), summary(turn))))
    for line in (ended, turn.message, f"to go on: --conversation {values['conversation']}"):
        if line:
            click.echo(one_line(line), err=True)


def watch(assistant: Assistant, id: str, tell: Callable[[Event, Turn], None] | None) -> Turn:
    """Follow a run to its end and ``tell`` how it goes; ctrl-C stops it, a second one leaves it."""
    turn, last, was_stopped = Turn(), -1, False
    while True:
        try:
            for batch in assistant.batches(id, _LOOK):
                for stored in batch:
                    if stored.seq <= last:  # told before ctrl-C
                        continue
                    turn, last = fold([stored.event], turn), stored.seq
                    if tell is not None:
                        tell(stored.event, turn)
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


def _tell_of_loading(event: Event, turn: Turn) -> None:
    """Tell what loading the models met; the JSON holds the faults of the run that follows."""
    if isinstance(event, ModelFault) and not turn.model:
        click.echo(terminal.progress(event, turn), err=True)


SHOWN = 100
"""Most characters of a sentence in a line of progress."""


@click.command()
@click.argument("file", type=options.TO_READ)
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object, and nothing else, on standard output.")
@click.option(
    "--collection",
    "collections",
    multiple=True,
    metavar="NAME",
    help="Hold the text against these own documents, and nothing else unless --index is named too; can be repeated.",
)
@click.option("--index", metavar="NAME", help="The index to search; default: the encyclopedia.")
@options.parts
@options.database
@click.pass_context
def check(
    context: click.Context, file: Path, is_json: bool, collections: tuple[str, ...], index: str | None, **named: Any
) -> None:
    """Say of each sentence of a text whether documents support it, contradict it, or do not speak of it.

    FILE is a text, a Markdown or Word file, a PDF, or any other kind that can be a document; `-` reads a text from
    standard input. Citations in the text are checked against the documents that they name.
    """
    text = _text_of(file)
    with closing[Assistant](context.obj(**named)) as assistant:
        where = assistant.searched(collections, index) if collections else index
        _say_loading()
        started = assistant.check(text, index=where)
        turn = watch(assistant, started.turn, None if is_json else _tell_sentence)
        values = as_json(turn, conversation=started.conversation, turn_id=started.turn, place_of=assistant.place_of())
    if is_json:
        options.echo_json(values)
    else:
        for sentence in turn.sentences:
            click.echo(_told_sentence(sentence))
        for line in terminal.sources(turn, [source["place"] for source in values["sources"]]):
            click.echo(line)
    if turn.message:
        click.echo(one_line(turn.message), err=True)
    fail_unfinished(turn, started.turn)


def _text_of(file: Path) -> str:
    """Return the text of a file, or of standard input. Raises ``UsageError`` if it cannot be read."""
    try:
        return sys.stdin.read() if str(file) == "-" else text_of_file(file, file.name)
    except DocumentRefused as error:
        raise UsageError(f"cannot check {file.name!r}: {error.reason}") from error
    except UnicodeDecodeError as error:
        raise UsageError("standard input is not text; give the name of the file instead") from error


def _tell_sentence(event: Event, turn: Turn) -> None:
    if isinstance(event, SentenceBound):
        click.echo(f"{len(turn.sentences)}: {_told_sentence(event.sentence)[:SHOWN]}", err=True)


def _told_sentence(sentence: Sentence) -> str:
    """Describe a sentence in one line, with the words that are not carried between › and ‹."""
    pieces = parts(sentence.text, sentence.start, sentence.uncarried)
    said = "".join(f"›{piece}‹" if isinstance(piece, Uncarried) else piece for piece in pieces)
    if sentence.support is Support.OWN:
        return f"· {one_line(clean(said))}"
    sign = SENTENCES[sentence.support]
    return f"{sign.icon or '“'} {sign.word}: {one_line(said)}"
