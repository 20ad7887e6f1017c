"""The command ``annotate study``: the rules of the desk, their freeze and their history."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from searchain.annotation.study import differences, from_toml
from searchain.errors import UsageError
from searchain.safe_text import one_line
from storage.annotation import studies
from storage.people.users import LOCAL
from ui.cli import options
from ui.cli.opening import opened, writable

_LONGEST = 1_000_000  # bytes


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--freeze", is_flag=True, help="Freeze the study: later changes need a reason, and the report prints them."
)
@click.option(
    "--because", metavar="TEXT", default="", show_default=False, help="The reason for changing a frozen study."
)
@click.option("--json", "is_json", is_flag=True, help="One JSON object.")
@options.database
def study(file: Path | None, freeze: bool, because: str, is_json: bool, db: Path | None) -> None:
    """Show, set or freeze the study that the desk follows.

    FILE is a study.toml: title, questions, systems, quota, seed, hypotheses, exclusions, guidelines, guided_practice,
    pass_mark, hide_addresses, normalise_marks, ask_for_systems, annotators. Without FILE the study is shown with its
    hash and its history.
    """
    if file is not None or freeze:
        with writable(db, create=True) as store:
            if file is not None:
                changed = studies.change(store, from_toml(_text(file)), LOCAL, because)
                click.echo(f"changed: {', '.join(changed)}" if changed else "nothing changed", err=True)
            if freeze:
                click.echo(f"frozen: {studies.freeze(store, LOCAL)}", err=True)
        return
    with opened(db) as store:
        current, entries = studies.current(store), studies.history(store)
    if is_json:
        values = {"hash": current.hash, "study": asdict(current), "history": [asdict(one) for one in entries]}
        click.echo(json.dumps(values, ensure_ascii=False).encode())
        return
    for name, value in asdict(current).items():
        if name != "labels":
            click.echo(f"{name}: {one_line(json.dumps(value, ensure_ascii=False))}")
    click.echo(f"hash: {current.hash}")
    for before, after in zip([None, *entries], entries, strict=False):
        names = differences(before.study, after.study) if before else []
        said = f": {', '.join(names)}" if names else ""
        click.echo(one_line(f"{after.created[:16]} {after.action} by {after.by}{said} {after.reason}").rstrip())


def _text(file: Path) -> str:
    try:
        raw = file.read_bytes()
        if len(raw) > _LONGEST:
            raise ValueError("it is too large")
        return raw.decode()
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {str(file)!r} ({error}); name a study.toml") from None
