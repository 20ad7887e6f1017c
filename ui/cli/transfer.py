"""The commands ``export``, ``import``, ``backup``, ``restore`` and ``verify``.

The first two are for conversations, the next two for all that is stored, and the last is for a proof file.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import click

from searchain.console import progress
from searchain.errors import NotFound, SearChainError
from searchain.language.text import plural
from searchain.proof.form import File
from searchain.proof.verify import State
from searchain.proof.verify import verify as verified
from searchain.safe_text import one_line
from storage.collections import backup as backups
from storage.collections import documents
from storage.collections.files import Files
from storage.collections.places import Places
from storage.database import Database, default_path
from storage.history import finished_turns
from storage.history.selection import Selection
from storage.log import conversations
from storage.people.users import LOCAL
from storage.transfer import import_turns
from ui.cli import options
from ui.cli.files import lines, opened, target, writable
from ui.exports.formats import EVERYTHING, FORMATS, file_name

Item = TypeVar("Item")
_FORMATS = "\n".join(f"  {name:<13}{format.about}" for name, format in FORMATS.items())


@click.command(epilog=f"\b\nFormats:\n{_FORMATS}")
@click.option("--format", "name", type=click.Choice(list(FORMATS)), default="jsonl", help="What to write.")
@click.option(
    "-o",
    "--out",
    type=options.PATH,
    metavar="FILE",
    help="The file, replaced when the export is complete, or a folder for a file that is named after the conversation "
    "and the day; default: standard output.",
)
@options.conditions()
@options.database
def export(name: str, out: Path | None, selection: Selection, db: Path | None) -> None:
    """Write conversations to a file.

    Turns that are still being answered are left out.
    """
    with opened(db) as store:
        over, going = finished_turns.count(store, selection)
        if selection.conversation and not over + going:
            raise NotFound(
                f"there is nothing to export for conversation {selection.conversation!r}; see: "
                "python assistant.py logs list"
            )
        if out is not None and out.is_dir():
            one = selection.conversation and conversations.get(store, selection.conversation, None)
            title, updated = (one.title, one.updated) if one else (EVERYTHING, "")
            out /= file_name(title, FORMATS[name].suffix, updated)
        with progress(over, "turns") as advance, target(out) as write:
            turns = _counted(finished_turns.records(store, selection), advance)
            for piece in FORMATS[name].pieces(turns, Places(store, LOCAL).document):
                write(piece)
    left_out = f"; {going} still being answered left out" if going else ""
    if out is not None:
        click.echo(f"{plural(over, 'turn')} in {out}{left_out}", err=True)
    elif left_out:
        click.echo(left_out.removeprefix("; "), err=True)


@click.command("import")
@click.argument("file", type=options.TO_READ)
@click.option("--user", metavar="NAME", default="local", help="The user who will own the imported conversations.")
@options.database
def import_(file: Path, user: str, db: Path | None) -> None:
    """Add the conversations of an exported file, all of them or none.

    FILE is what `export --format jsonl` wrote. It may be compressed (.gz), and - is standard input. A turn that is
    already stored is skipped if it is the same; if it differs, the whole file is refused. Other systems' answers are
    put on the desk: `annotate import`.
    """
    with writable(db, create=True) as store, progress(None, "turns") as advance:
        done = import_turns.import_lines(store, _counted(lines(file), advance), owner=user)
    there = f", {done.skipped} there already" if done.skipped else ""
    click.echo(f"{plural(done.added, 'turn')} imported{there}", err=True)


def _counted(items: Iterable[Item], advance: Callable[[int], object]) -> Iterator[Item]:
    for item in items:
        yield item
        advance(1)


@click.command()
@click.argument("file", type=options.NEW)
@options.database
def backup(file: Path, db: Path | None) -> None:
    """Copy the database, the documents and the indexes to the new FILE, while they are used.

    Only its owner can read the file, which holds all conversations. The index of the encyclopedia and the models are
    left out: `setup` makes them again.
    """
    with opened(db) as store:
        size = backups.backup(store, file)
    click.echo(f"{size / 1e6:.1f} MB in {file}", err=True)


@click.command()
@click.argument("file", type=options.FILE)
@options.database
def restore(file: Path, db: Path | None) -> None:
    """Restore the backup FILE where there is no database.

    What was revoked or deleted after the backup comes back. Indexes that are there already stay as they are, but if
    one is of own documents in the backup, nothing is restored: another database may use it.
    """
    number = backups.restore(file, (db or default_path()).absolute())
    again = f"; {plural(number, 'document')} will be read again when the page is served" if number else ""
    click.echo(f"{file} is restored{again}", err=True)


_SIGNS = {State.HOLDS: "✓", State.MISSING: "–", State.CHANGED: "≠"}


class Changed(SearChainError):
    """A proof file that does not hold."""


@click.command()
@click.argument("file", type=options.FILE)
@click.option(
    "--documents",
    "folder",
    type=options.FOLDER,
    metavar="DIR",
    help="A folder with the original files, which are found by their bytes, else by their names.",
)
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object.")
@options.database
def verify(file: Path, folder: Path | None, is_json: bool, db: Path | None) -> None:
    """Check a proof file: each quotation, place and hash in it.

    FILE is what `export --format proof` wrote. Originals are looked for in --documents, then among the own documents of
    the database. A line says what holds, what is not at hand, or what was changed. The exit status is 1 if anything was
    changed.
    """
    if db or default_path().is_file():
        with opened(db) as store:
            found = verified(file, folder, find=lambda wanted: _original(store, wanted))
    else:
        found = verified(file, folder)
    if is_json:
        values = asdict(found) | {"file": file.name, "holds": found.holds}
        options.echo_json(values)
    else:
        click.echo(f"made on {one_line(found.made)} by SearChain {one_line(found.program)}")
        for check in found.checks:
            words = f"{one_line(check.what)}: {one_line(check.about)}"
            click.echo(f"{_SIGNS[check.state]} {check.state.value:<7}  {words}")
    if not found.holds:
        changed = sum(check.state is State.CHANGED for check in found.checks)
        raise Changed(f"{changed} of {len(found.checks)} checks of {file.name!r} found a change; see the lines with ≠")


def _original(store: Database, wanted: File) -> Path | None:
    """Return the stored original of an own document, or else of the version that has replaced it."""
    with store.reading() as db:
        is_here = documents.in_use(db, wanted.sha256)  # so that nothing but a hash becomes a path
    present = documents.find(store, wanted.document)
    if not is_here and (present is None or present.removed):
        return None
    path = Files(store).original(wanted.sha256 if is_here or not present else present.sha256)
    return path if path.is_file() else None
