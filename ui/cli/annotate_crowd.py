"""The commands ``annotate crowd open``, ``list`` and ``close``: links for people of a crowd platform."""

from pathlib import Path

import click

from searchain.language.text import plural
from storage.annotation import crowd as crowds
from storage.people.shares import DAYS, MAX_DAYS
from ui.cli import options
from ui.cli.files import confirm, opened, writable
from ui.cli.logs_upkeep import HELD

_PROLIFIC = "PROLIFIC_PID"  # the parameter that Prolific fills in


@click.group()
def crowd() -> None:
    """Let people of a crowd platform such as Prolific come by one link."""


@crowd.command("open")
@click.option("--people", type=click.IntRange(1, crowds.MOST_PEOPLE), required=True, help="How many may come.")
@click.option("--replies", type=click.IntRange(1, 1000), required=True, help="How many replies each of them judges.")
@click.option("--code", default="", show_default=False, help="The completion code that they take back.")
@click.option(
    "--back", default="", show_default=False, metavar="URL", help="The https:// address to which they return."
)
@click.option(
    "--person",
    "parameter",
    metavar="PARAMETER",
    default=_PROLIFIC,
    help="The parameter of the link that says who it is.",
)
@click.option(
    "--days",
    type=click.IntRange(1, MAX_DAYS),
    default=DAYS,
    help="How long the link works; then the identities are erased.",
)
@options.public_url("users")
@options.database
def open_(
    people: int, replies: int, code: str, back: str, parameter: str, days: int, public_url: str | None, db: Path | None
) -> None:
    """Make a link, and print it.

    Each person gets an own share of the replies on the desk, and sees nothing else. Who comes again goes on where they
    were. At the end they see the code, the address, or both.
    """
    with writable(db) as store:
        token, link = crowds.make(store, people, replies, parameter=parameter, code=code, back=back, days=days)
    who = f"{{{{%{_PROLIFIC}%}}}}" if parameter == _PROLIFIC else "…"
    click.echo(f"{(public_url or '').rstrip('/')}/join?study={token}&{parameter}={who}")
    before = "" if public_url else "; put the desk's address before it"
    click.echo(f"link {link.number}: give it to the platform, it is shown this once{before}", err=True)


@crowd.command("list")
@click.argument("number", type=int, required=False)
@click.option("--json", "is_json", is_flag=True, help="One JSON list.")
@options.database
def list_(number: int | None, is_json: bool, db: Path | None) -> None:
    """List the links, or who came by one: identity, name on the desk, work, and when they finished."""
    with opened(db) as store:
        found = crowds.links(store) if number is None else crowds.people(store, number)
    if is_json:
        options.echo_json(found)
        return
    for one in found:
        click.echo(_link(one) if number is None else _person(one))


def _link(one: dict) -> str:
    state = f"closed {one['closed'][:10]}" if one["closed"] else "open"
    return (
        f"{one['number']}\t{state}\t{one['came']} of {one['people']} people, {one['finished']} finished\t"
        f"{plural(one['replies'], 'reply', 'replies')} each"
    )


def _person(one: dict) -> str:
    end = f"finished {one['finished'][:16]}" if one["finished"] else "not finished"
    return (
        f"{one['identity'] or '(erased)'}\t{one['annotator']}\t{one['submitted']} submitted, {one['skipped']} skipped, "
        f"{one['seconds'] / 60:.0f} min\t{end}"
    )


@crowd.command("close")
@click.argument("number", type=int)
@click.option("--forget", "is_forgotten", is_flag=True, help="Also erase the identities now; labels stay.")
@options.yes
@options.database
def close(number: int, is_forgotten: bool, yes: bool, db: Path | None) -> None:
    """Let nobody else come by a link.

    Who came can submit what they hold, and gets the code. `user remove NAME --erase` erases one person.
    """
    with writable(db) as store:
        if not is_forgotten:
            crowds.close(store, number)
            click.echo(f"link {number} is closed", err=True)
            return
        confirm(f"Erase who came by link {number} for good? Pay them first.", yes)
        is_clean = crowds.forget(store, number)
    click.echo(f"link {number} is closed, and who came is erased" + ("" if is_clean else f"; {HELD}"), err=True)
