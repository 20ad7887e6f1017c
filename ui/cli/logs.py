"""The command group ``logs``: past questions and replies, for the person at the machine."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from searchain.errors import NotFound
from searchain.events import Turn
from searchain.safe_text import one_line
from searchain.turn_json import as_json
from storage.collections.places import Places
from storage.history import feedback, listing
from storage.history.feedback import Feedback
from storage.history.selection import Selection
from storage.log import event_log
from storage.log.conversations import TurnRow
from storage.people.users import LOCAL
from ui.cli import logs_upkeep, logs_watch, options
from ui.cli.opening import together
from ui.show import terminal
from ui.show.changed import changes


@click.group()
def logs() -> None:
    """Find, show, replay, check and remove past questions with their evidence."""


for command in (
    logs_watch.tail,
    logs_watch.replay,
    logs_watch.stats,
    logs_upkeep.verify,
    logs_upkeep.delete,
    logs_upkeep.redact,
    logs_upkeep.backup,
    logs_upkeep.compact,
    logs_upkeep.share,
    logs_upkeep.shares,
    logs_upkeep.unshare,
):
    logs.add_command(command)


@logs.command("list")
@click.option("--limit", type=click.IntRange(1), default=20, help="At most so many turns.")
@click.option("--changed", "is_changed", is_flag=True, help="Only turns whose documents say otherwise since.")
@click.option("--json", "is_json", is_flag=True, help="One JSON object per line.")
@options.conditions()
@options.databases
def list_(dbs: tuple[Path, ...], selection: Selection, limit: int, is_changed: bool, is_json: bool) -> None:
    """List the latest turns, the latest first."""
    selection = replace(selection, is_changed=is_changed or None)
    with together(dbs) as store:
        rows = listing.latest(store, limit, selection)
        if selection.conversation and not rows and not listing.latest(store, 1, Selection(selection.conversation)):
            raise NotFound(f"there is no conversation {selection.conversation!r}; see: python assistant.py logs list")
        for row in rows:
            found = event_log.turn(store, row.id) if is_changed else Turn()
            if is_json:
                click.echo(_json(asdict(row) | ({"changed": list(map(asdict, found.changed))} if is_changed else {})))
                continue
            click.echo(_line(row))
            for text, number in changes(found):
                click.echo(f"    [{number}] {one_line(text)}")


@logs.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1), default=20, help="At most so many turns.")
@click.option("--json", "is_json", is_flag=True, help="One JSON object per line.")
@options.conditions(text=False)
@options.databases
def search(words: tuple[str, ...], dbs: tuple[Path, ...], selection: Selection, limit: int, is_json: bool) -> None:
    """Find turns by their words, best match first.

    WORDS are looked up in questions and replies, and all must occur; "quoted words" stand together, and wor* is the
    beginning of a word.
    """
    with together(dbs) as store:
        matches = listing.find(store, " ".join(words), limit, selection)
        if not matches and not is_json:
            click.echo("nothing found", err=True)
        for match in matches:
            if is_json:
                click.echo(_json({**asdict(match.turn), "found": {"question": match.question, "answer": match.answer}}))
                continue
            click.echo(_line(match.turn))
            for text in (match.question, match.answer):
                if listing.FOUND[0] in text:
                    click.echo(f"    {one_line(text)}")


@logs.command()
@click.argument("id")
@options.databases
@click.option("--json", "is_json", is_flag=True, help="One JSON object per turn and line, as `ask --json` prints it.")
def show(id: str, dbs: tuple[Path, ...], is_json: bool) -> None:
    """Show a turn or a whole conversation.

    Each turn is shown with its tree, reply, sources and timings.
    """
    with together(dbs) as store:
        for number, (conversation, turn) in enumerate(listing.named(store, id)):
            state = event_log.turn(store, turn)
            if is_json:
                place_of = Places(store, LOCAL)
                click.echo(_json(as_json(state, conversation=conversation, turn_id=turn, place_of=place_of)))
                continue
            click.echo("\n" * (number > 0) + f"turn {turn} of conversation {conversation}")
            for line in terminal.transcript(state):
                click.echo(line)
            for said in feedback.history(store, turn):
                click.echo(_judgement(said))


def _json(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode()  # JSON is UTF-8, whatever the terminal speaks


def _judgement(said: Feedback) -> str:
    what = "the reply" if said.source is None else f"[{said.source}]"
    words: dict[str | None, str] = {
        "up": "is good",
        "down": "is not good" if said.source is None else "does not support it",
    }
    return one_line(
        f"{said.time[:19]} said: {what} {words.get(said.value, '(taken back)')}"
        + (f": {said.comment}" if said.comment else "")
    )


def _line(row: TurnRow) -> str:
    answer = row.final_answer or row.answer
    rating = terminal.label(row.status, row.outcome, row.probability)
    return one_line(
        f"{row.created[:19]} {row.id}{f' {rating}' if rating else ''}: {row.question}"
        + (f" → {answer[:80]}" if answer else "")
    )
