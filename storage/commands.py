"""``logs``: what was asked and how it was answered, for the person at the machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from searchain import options, terminal
from searchain.answer import as_json
from searchain.console import one_line
from searchain.errors import DatabaseReadOnly, DiskFull, NotFound
from storage import conversations, runs, traces
from storage.conversations import TurnRow
from storage.database import Database


@click.group()
def logs() -> None:
    """List and show past questions with their evidence."""


@logs.command("list")
@options.database
@click.option("--conversation", metavar="ID", help="Only the turns of this conversation.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="At most so many turns.")
@click.option("--json", "is_json", is_flag=True, help="One JSON object per line.")
def list_(db: Path | None, conversation: str | None, limit: int, is_json: bool) -> None:
    """List the latest turns, the latest first."""
    with _opened(db) as store:
        rows = conversations.latest(store, limit, conversation)
        if conversation and not rows:
            raise NotFound(f"there is no conversation {conversation!r}; see: python assistant.py logs list")
        for row in rows:
            click.echo(_json(asdict(row)) if is_json else _line(row))


@logs.command()
@click.argument("id")
@options.database
@click.option("--json", "is_json", is_flag=True, help="One JSON object per turn and line, as `ask --json` prints it.")
def show(id: str, db: Path | None, is_json: bool) -> None:
    """Show a turn, or every turn of a conversation: tree, reply, sources and timings."""
    with _opened(db) as store:
        for number, (conversation, turn) in enumerate(_named(store, id)):
            state = traces.turn(store, turn)
            if is_json:
                click.echo(_json(as_json(state, conversation=conversation, turn_id=turn)))
                continue
            click.echo("\n" * (number > 0) + f"turn {turn} of conversation {conversation}")
            for line in terminal.transcript(state):
                click.echo(line)


@contextmanager
def _opened(path: Path | None) -> Iterator[Database]:
    path = path or options.database_path()
    try:
        store = Database(path, create=False)
        runs.interrupt_abandoned(store, runs.Process())
    except (DatabaseReadOnly, DiskFull):
        store = Database(path, read_only=True)
    try:
        yield store
    finally:
        store.close()


def _named(store: Database, id: str) -> list[tuple[str, str]]:
    if rows := conversations.latest(store, -1, id):
        return [(row.conversation, row.id) for row in reversed(rows)]
    try:
        return [(traces.check(store, id, None), id)]
    except NotFound:
        raise NotFound(f"there is no turn or conversation {id!r}; see: python assistant.py logs list") from None


def _json(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode()  # JSON is UTF-8, whatever the terminal speaks


def _line(row: TurnRow) -> str:
    answer = row.final_answer or row.answer
    return one_line(f"{row.created[:19]} {row.id} {row.status or 'running'}: {row.question}"
                    + (f" → {answer[:80]}" if answer else ""))
