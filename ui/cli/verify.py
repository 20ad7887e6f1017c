"""``verify``: a proof file checked against the originals on this machine."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from searchain.errors import SearChainError
from searchain.proof.form import File
from searchain.proof.verify import Check, State
from searchain.proof.verify import verify as verified
from searchain.safe_text import one_line
from storage.collections import documents
from storage.collections.files import Files
from storage.database import Database, default_path
from ui.cli import options
from ui.cli.opening import opened

_SIGNS = {State.HOLDS: "✓", State.MISSING: "–", State.CHANGED: "≠"}


class Changed(SearChainError):
    """A proof file that does not hold."""


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--documents",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
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
            found = verified(file, folder, find=lambda wanted: _stored(store, wanted))
    else:
        found = verified(file, folder)
    if is_json:
        values = asdict(found) | {"file": file.name, "holds": found.holds}
        click.echo(json.dumps(values, ensure_ascii=False).encode())
    else:
        click.echo(f"made on {one_line(found.made)} by SearChain {one_line(found.program)}")
        for check in found.checks:
            click.echo(_line(check))
    if not found.holds:
        changed = sum(check.state is State.CHANGED for check in found.checks)
        raise Changed(f"{changed} of {len(found.checks)} checks of {file.name!r} found a change; see the lines with ≠")


def _stored(store: Database, wanted: File) -> Path | None:
    """Return the stored original of an own document, or else of the version that has replaced it."""
    with store.reading() as db:
        is_here = documents.in_use(db, wanted.sha256)  # so that nothing but a hash becomes a path
    present = documents.find(store, wanted.document)
    if not is_here and (present is None or present.removed):
        return None
    path = Files(store).original(wanted.sha256 if is_here or not present else present.sha256)
    return path if path.is_file() else None


def _line(check: Check) -> str:
    return f"{_SIGNS[check.state]} {check.state.value:<7}  {one_line(check.what)}: {one_line(check.about)}"
