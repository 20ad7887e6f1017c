"""The commands ``annotate assign``, ``adjudicate``, ``pair`` and ``remove``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from searchain.annotation.payloads import labels_from_json
from searchain.annotation.protocol import Labels
from searchain.errors import UsageError
from searchain.language.text import plural
from storage.annotation import assignments, items, pseudonyms, withdrawing
from storage.annotation import gold as golds
from storage.people.users import LOCAL
from storage.removal import delete
from ui.cli import files, options
from ui.cli.logs_upkeep import HELD, confirm
from ui.cli.opening import writable

_LONGEST = 4_000_000  # bytes of a file with labels


@click.command()
@click.argument("chosen", nargs=-1, metavar="[ITEM]...")
@click.option("--all", "is_all", is_flag=True, help="Every item that can be judged.")
@click.option(
    "--to", "to", metavar="NAME", multiple=True, required=True, help="An annotator; may be given several times."
)
@click.option("--quota", type=click.IntRange(1, 1000), help="How many annotators are to judge each of the items.")
@click.option("--undo", is_flag=True, help="Remove the assignments; drafts are kept.")
@options.database
def assign(
    chosen: tuple[str, ...], is_all: bool, to: tuple[str, ...], quota: int | None, undo: bool, db: Path | None
) -> None:
    """Give items to annotators by name.

    Assigned items come before the queue and do not expire. `annotate status --items` lists the items.
    """
    if is_all == bool(chosen):
        raise UsageError("name the items to assign, or say --all; see: python assistant.py annotate status --items")
    if undo and quota is not None:
        raise UsageError("--undo and --quota do not go together")
    wanted = None if is_all else list(dict.fromkeys(chosen))
    with writable(db) as store:
        if undo:
            click.echo(f"{assignments.release(store, wanted, to)} taken back", err=True)
            return
        done = assignments.assign(store, wanted, to, quota=quota)
    click.echo(
        f"{done.given} assigned"
        + (f", {done.had} judged, skipped or assigned before" if done.had else "")
        + (f", {done.full} without a free place (--quota raises their number)" if done.full else ""),
        err=True,
    )


@click.command()
@click.argument("item")
@click.option(
    "--gold",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Labels as JSON, as in a line of `annotate export`; - is standard input.",
)
@click.option(
    "--from", "annotator", metavar="ANNOTATOR", help="Take the labels of this annotator, given by name or pseudonym."
)
@click.option("--by", metavar="NAME", default=LOCAL, show_default=True, help="Who decided.")
@options.database
def adjudicate(item: str, file: Path | None, annotator: str | None, by: str, db: Path | None) -> None:
    """Decide what is right about an item.

    The decision is kept beside the annotators' labels, which stay, and names those that count now as its basis.
    Another decision replaces it; earlier ones are kept.
    """
    if (file is None) == (annotator is None):
        raise UsageError("say what is right: --gold FILE or --from ANNOTATOR")
    with writable(db) as store:
        with store.reading() as connection:
            items.must_be_judgeable(connection, item)
        decider = (
            LOCAL if by == LOCAL else pseudonyms.entitled(store, by)
        )  # at the command line is who runs the machine
        labels = _labels(file) if file is not None else golds.from_annotator(store, item, annotator or "")
        basis = golds.basis(store, item)
        golds.adjudicate(store, item, labels, decider, basis)
    click.echo(f"item {item} decided by {decider}, beside {len(basis)} labels", err=True)


@click.command()
@click.argument("chosen", nargs=-1, required=True, metavar="ITEM...")
@click.option("--with-labels", is_flag=True, help="Also delete all labels of these replies.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@options.database
def remove(chosen: tuple[str, ...], with_labels: bool, yes: bool, db: Path | None) -> None:
    """Take replies off the desk for good.

    Nothing of their text stays in the file; how they were judged does, without comments. Of a stored turn this removes
    the copy on the desk only: `logs delete` removes both.
    """
    with writable(db) as store:
        with store.reading() as connection:
            for item in chosen:
                items.get(connection, item)
        confirm(
            f"Remove {plural(len(chosen), 'item')} for good"
            f"{', with all labels?' if with_labels else '? Labels stay, and the report counts them apart.'}",
            yes,
        )
        with store.writing() as connection:
            for item in dict.fromkeys(chosen):
                withdrawing.remove(connection, item, with_labels=with_labels)
        is_clean = delete.compact(store)
    click.echo(f"{len(set(chosen))} removed" + ("" if is_clean else f"; {HELD}"), err=True)


def _labels(file: Path) -> Labels:
    text = b"".join(files.lines(file))
    try:
        if len(text) > _LONGEST:
            raise ValueError("it is too large")
        values: Any = json.loads(text)
        inner = values.get("gold") or values.get("label") or values
        return labels_from_json(
            inner if "knowledge_items" in inner else {**inner["labels"], "comment": inner.get("comment", "")}
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, UsageError) as error:
        raise UsageError(
            f'{str(file)!r} holds no labels ({error}); they look like the "labels" in a line of: python '
            "assistant.py annotate export"
        ) from None


@click.command()
@click.argument("one")
@click.argument("other")
@click.option("--quota", type=click.IntRange(1, 1000), default=2, show_default=True, help="Annotators for each pair.")
@options.database
def pair(one: str, other: str, quota: int, db: Path | None) -> None:
    """Put pairs of replies on the desk for A/B preference.

    The replies of systems ONE and OTHER to the same question stand side by side, left and right by lot. Annotators
    find them at /annotate/prefer.
    """
    from storage.annotation import preferences

    with writable(db) as store:
        added, there = preferences.pair(store, one, other, quota)
    click.echo(f"{added} pairs put on the desk" + (f", {there} there already" if there else ""), err=True)
