"""``check``: each sentence of a text held against own documents or the encyclopedia, in the terminal."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from assistant import Assistant
from searchain.check.claims import text_of_file
from searchain.errors import DocumentRefused, UsageError
from searchain.events import Event, SentenceBound, Turn
from searchain.safe_text import clean, one_line
from searchain.turn_json import as_json
from searchain.types import Sentence, Support
from ui.cli import options
from ui.cli.ask import fail_unfinished, watch
from ui.show import terminal
from ui.show.signs import SENTENCES

SHOWN = 100
"""Most characters of a sentence in a line of progress."""


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
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
    text = _text(file)
    assistant: Assistant = context.obj(**named)
    try:
        where = assistant.searched(collections, index) if collections else index
        if sys.stderr.isatty():
            click.echo("loading the models …", err=True)
        started = assistant.check(text, index=where)
        turn = watch(assistant, started.turn, None if is_json else _tell)
        values = as_json(turn, conversation=started.conversation, turn_id=started.turn, place_of=assistant.place_of())
    finally:
        assistant.close()
    if is_json:
        click.echo(json.dumps(values, ensure_ascii=False).encode())  # JSON is UTF-8, whatever the terminal speaks
    else:
        for sentence in turn.sentences:
            click.echo(_line(sentence))
        for line in terminal.sources(turn, [source["place"] for source in values["sources"]]):
            click.echo(line)
    if turn.message:
        click.echo(one_line(turn.message), err=True)
    fail_unfinished(turn, started.turn)


def _text(file: Path) -> str:
    """Return the text of a file, or of standard input.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        return sys.stdin.read() if str(file) == "-" else text_of_file(file, file.name)
    except DocumentRefused as error:
        raise UsageError(f"cannot check {file.name!r}: {error.reason}") from error
    except UnicodeDecodeError as error:
        raise UsageError("standard input is not text; give the name of the file instead") from error


def _tell(event: Event, turn: Turn) -> None:
    if isinstance(event, SentenceBound):
        click.echo(f"{len(turn.sentences)}: {_line(event.sentence)[:SHOWN]}", err=True)


def _line(sentence: Sentence) -> str:
    """Describe a sentence in one line, with the words that are not carried between › and ‹."""
    said, at = "", sentence.start
    for span in sorted(sentence.uncarried, key=lambda span: span.start):
        said += f"{sentence.text[at - sentence.start : span.start - sentence.start]}›"
        said += f"{sentence.text[span.start - sentence.start : span.end - sentence.start]}‹"
        at = span.end
    said += sentence.text[at - sentence.start :]
    if sentence.support is Support.OWN:
        return f"· {one_line(clean(said))}"
    sign = SENTENCES[sentence.support]
    return f"{sign.icon or '“'} {sign.word}: {one_line(said)}"
