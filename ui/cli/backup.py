"""The commands ``backup`` and ``restore``: database, documents and indexes in one file."""

from pathlib import Path

import click

from searchain.language.text import plural
from storage.collections import backup as backups
from storage.database import default_path
from ui.cli import options
from ui.cli.files import opened


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
