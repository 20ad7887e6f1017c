"""The commands ``logs verify``, ``delete``, ``redact`` and ``backup``, and ``share``, ``shares`` and ``unshare``."""

import time
from dataclasses import asdict, replace
from pathlib import Path

import click

from searchain.console import fail
from searchain.errors import UsageError
from searchain.language.text import plural
from searchain.safe_text import one_line
from storage.database import Database
from storage.history import listing
from storage.history.selection import EVERYTHING, Selection
from storage.log import verify as verifying
from storage.people import shares as stored
from storage.people.shares import DAYS, MAX_DAYS, Share
from storage.removal import delete as removal
from storage.removal import redact as redaction
from ui.cli import options
from ui.cli.files import confirm, opened, writable

HELD = (
    "another program has the database open: traces of the text stay in or beside the file until the last such program "
    "ends; then run `logs compact`"
)


@click.command()
@click.option("--json", "is_json", is_flag=True, help="One JSON object per fault and line.")
@options.database
def verify(db: Path | None, is_json: bool) -> None:
    """Check the whole database.

    Rebuilds the tables from the events, and reports every difference, dangling citation, span that does not match its
    passage, and text that was altered without `logs redact`. The exit status is 1 if there is any.
    """
    faults = 0
    with opened(db) as store:
        for fault in verifying.verify(store):
            faults += 1
            where = f"turn {fault.turn}: " if fault.turn else ""
            if is_json:
                options.echo_json(asdict(fault))
            else:
                click.echo(one_line(where + fault.what))
        counted = "SELECT (SELECT count(*) FROM turns), (SELECT count(DISTINCT turn) FROM tombstones)"
        turns, gone = store.row(counted)
    if faults:
        found = f"{plural(faults, 'fault')} in {plural(turns, 'turn')}"
        fail(f"{found}; what cannot be explained is best restored from a backup")
    click.echo(f"{plural(turns, 'turn')} verified" + (f", {gone} deleted or redacted" if gone else ""), err=True)


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--with-labels", is_flag=True, help="Also delete the labels of their replies on the annotation desk.")
@options.yes
@options.conditions()
@options.database
def delete(ids: tuple[str, ...], with_labels: bool, yes: bool, selection: Selection, db: Path | None) -> None:
    """Delete turns or whole conversations for good.

    Each ID is that of a turn or of a conversation; or conditions choose the turns, such as --until 365d. Nothing of
    their text stays in the file, only that something was there, and how people judged it, without their comments.
    """
    with writable(db) as store:
        turns = _chosen(store, ids, selection)
        if not turns:
            click.echo("there is nothing to delete", err=True)
            return
        confirm(f"Delete {plural(len(turns), 'turn')} for good?", yes)
        is_clean = removal.delete(store, turns, with_labels=with_labels)
    click.echo(f"{plural(len(turns), 'turn')} deleted" + ("" if is_clean else f"; {HELD}"), err=True)


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option(
    "--text",
    "texts",
    metavar="TEXT",
    multiple=True,
    required=True,
    help="What to cover; may be given several times. Case and what stands between its words do not matter.",
)
@click.option("--everywhere", is_flag=True, help="In all turns, and in everything on the annotation desk.")
@click.option(
    "--with-labels",
    is_flag=True,
    help="Remove replies that hold it from the annotation desk, with what people said of them.",
)
@options.yes
@options.database
def redact(
    ids: tuple[str, ...], texts: tuple[str, ...], everywhere: bool, with_labels: bool, yes: bool, db: Path | None
) -> None:
    """Cover a text in stored turns for good.

    Each ID is that of a turn or of a conversation. Every character becomes █, wherever it was stored: questions,
    replies, chains, passages, the search index, copies on the annotation desk and comments. Offsets, citations, the
    tree and what people judged stay as they are.
    """
    if everywhere == bool(ids):
        raise UsageError("name the turns or conversations to redact, or say --everywhere")
    redaction.pattern(texts)
    with writable(db) as store:
        turns = _over(store, EVERYTHING) if everywhere else _chosen(store, ids, EVERYTHING)
        confirm(f"Cover the text in {plural(len(turns), 'turn')} for good?", yes)
        covered, is_clean = redaction.redact(store, turns, texts, with_labels=with_labels, desk=everywhere)
    replies = len(covered.keys() - set(turns))
    more = f", and {replies} more on the annotation desk" if replies else ""
    held = "" if is_clean else f"; {HELD}"
    click.echo(f"{plural(len(covered) - replies, 'turn')} redacted{more}{held}", err=True)


@click.command()
@options.database
def compact(db: Path | None) -> None:
    """Give the space of deleted turns back to the disk.

    Deleted text is overwritten at once, without this. The file is rewritten, and nobody can write meanwhile.
    """
    with writable(db) as store:
        store.vacuum()
        is_clean = store.empty_log()
    click.echo(f"{store.path.stat().st_size / 1e6:.1f} MB" + ("" if is_clean else f"; {HELD}"), err=True)


@click.command()
@click.argument("file", type=options.NEW)
@options.database
def backup(file: Path, db: Path | None) -> None:
    """Copy the whole database to the new FILE, while it is in use."""
    with opened(db) as store:
        size = store.backup(file)
    click.echo(f"{size / 1e6:.1f} MB in {file}", err=True)


def _chosen(store: Database, ids: tuple[str, ...], selection: Selection) -> list[str]:
    if bool(ids) == (selection != EVERYTHING):
        raise UsageError("name turns or conversations by their ids, or choose them by conditions such as --until 365d")
    if ids:
        return list(dict.fromkeys(turn for id in ids for _, turn in listing.named(store, id)))
    return _over(store, selection)


def _over(store: Database, selection: Selection) -> list[str]:
    everything = replace(selection, with_hidden=True)
    return [row.id for row in listing.latest(store, -1, everything) if row.status is not None]


@click.command()
@click.argument("conversation")
@click.option("--days", type=click.IntRange(1, MAX_DAYS), default=DAYS, metavar="N", help="How long the link works.")
@click.option(
    "--page",
    metavar="URL",
    default="http://127.0.0.1:7860",
    envvar="SEARCHAIN_PUBLIC_URL",
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
    told = f"{plural(made.turns, 'turn')}, as it is now; whoever has the link can read it until {_day(made)}"
    click.echo(f"{told}; logs unshare {made.id} ends it", err=True)


@click.command()
@options.database
def shares(db: Path | None) -> None:
    """List the links that work, of all users, the latest first."""
    with opened(db) as store:
        found = stored.shares_of(store, None)
    for share in found:
        about = f"{plural(share.turns, 'turn')} of {share.conversation}: {share.title}"
        click.echo(one_line(f"{share.id} until {_day(share)}, {about}"))
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


COMMANDS = [verify, delete, redact, backup, compact, share, shares, unshare]
