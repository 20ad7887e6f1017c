"""The command ``documents lacking``: what was asked of a collection and not found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from searchain.events import fold
from searchain.safe_text import one_line
from storage.collections import access
from storage.collections import lacking as unanswered
from storage.collections.lacking import Unanswered
from storage.people import users
from storage.people.users import LOCAL
from ui.cli import options
from ui.cli.files import writable
from ui.show.terminal import rating

if TYPE_CHECKING:
    from assistant import Assistant

NEAREST = 200
"""Most characters of the nearest passage that are listed."""


@click.command()
@options.in_collection
@options.of_user
@click.option("--again", "is_again", is_flag=True, help="Ask them again, where they are now answered they are gone.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a group and line.")
@options.parts
@options.database
@click.pass_context
def lacking(
    context: click.Context, collection: str, owner: str | None, is_again: bool, as_json: bool, **named: Any
) -> None:
    """List questions that were not found in a collection, similar ones together, with the nearest passage.

    Without --user the questions of everybody are listed. --again asks those of the user, by default of the person at
    this machine, each in its conversation.
    """
    from searchain.reading.similarity import QueryEncoder

    with writable(named["db"]) as store:
        user = LOCAL if owner is None else users.canonical(store, owner)
        into = access.named(store, user, collection)
        asked = [one for one in unanswered.unanswered(store, into.index) if owner is None or one.owner == user]
    if is_again:
        _ask_again(context.obj(**named), [one for one in asked if one.owner == user])
        return
    for group in unanswered.grouped(asked, QueryEncoder()):
        if as_json:
            options.echo_json({"questions": [asdict(one) for one in group]})
            continue
        for one in group:
            click.echo(one_line(f"{one.question} ({one.created[:10]}, {one.owner})"))
        if group[0].title:
            click.echo(f"  nearest: {one_line(f'{group[0].title}: {group[0].text}')[:NEAREST]}")


def _ask_again(assistant: Assistant, asked: Sequence[Unanswered]) -> None:
    """Ask each question in its conversation, over what it searched, and say how it ended."""
    try:
        for one in asked:
            before = assistant.turn(one.turn, owner=one.owner)
            started = assistant.start(
                before.question,
                conversation=one.conversation,
                owner=one.owner,
                index=before.index,
                history=assistant.history(one.conversation, owner=one.owner, before=one.turn),
                replaces=one.turn,
            )
            turn = fold(stored.event for stored in assistant.follow(started.turn, owner=one.owner))
            click.echo(one_line(f"{one.question} {rating(turn)} {turn.final_answer}"))
    finally:
        assistant.close()
