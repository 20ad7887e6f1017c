"""The commands ``logs share``, ``shares`` and ``unshare``: read-only links to snapshots of conversations."""

from __future__ import annotations

import time
from pathlib import Path

import click

from searchain.language.text import plural
from searchain.safe_text import one_line
from storage.people import shares as stored
from storage.people.shares import DAYS, MAX_DAYS, Share
from ui.cli import options
from ui.cli.opening import opened, writable


@click.command()
@click.argument("conversation")
@click.option(
    "--days",
    type=click.IntRange(1, MAX_DAYS),
    default=DAYS,
    show_default=True,
    metavar="N",
    help="How long the link works.",
)
@click.option(
    "--page",
    metavar="URL",
    default="http://127.0.0.1:7860",
    show_default=True,
    help="Where the chat page is reached, for the link.",
)
@options.database
def share(conversation: str, days: int, page: str, db: Path | None) -> None:
    """Create a read-only link to a conversation.

    The link opens a snapshot, in which later turns do not appear. It is printed once and cannot be shown again. Whoever
    has it can read the replies, trees and evidence, and nothing else, while the page is served.
    """
    with writable(db) as store:
        token, made = stored.make(store, conversation, owner=None, days=days)
    click.echo(f"{page.rstrip('/')}/s/{token}")
    click.echo(
        f"{plural(made.turns, 'turn')}, as it is now; whoever has the link can read it until {_day(made)}; "
        f"logs unshare {made.id} ends it",
        err=True,
    )


@click.command()
@options.database
def shares(db: Path | None) -> None:
    """List the links that work, of all users, the latest first."""
    with opened(db) as store:
        found = stored.shares_of(store, None)
    for share in found:
        click.echo(
            one_line(
                f"{share.id} until {_day(share)}, {plural(share.turns, 'turn')} of {share.conversation}: {share.title}"
            )
        )
    if not found:
        click.echo("nothing is shared", err=True)


@click.command()
@click.argument("id")
@options.database
def unshare(id: str, db: Path | None) -> None:
    """Let a link end now; `logs shares` lists them."""
    with writable(db) as store:
        stored.revoke(store, id, owner=None)
    click.echo(f"the link {id} works no more", err=True)


def _day(share: Share) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(share.expires))
