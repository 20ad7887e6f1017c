"""The command group ``user``: users of a shared page, and API tokens."""

import json
import sys
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from searchain.errors import StorageError, UsageError
from searchain.files.writing import write_whole
from searchain.language.text import plural
from searchain.safe_text import one_line
from storage.collections import documents, removing
from storage.collections.files import Files
from storage.database import Database, now
from storage.history import finished_turns
from storage.history.selection import Selection
from storage.log import spending
from storage.people import audit, passwords, tokens, users
from storage.people.users import LOCAL, Role
from ui.cli import options
from ui.cli.files import confirm, opened, writable
from ui.cli.logs_upkeep import HELD
from ui.exports.formats import FORMATS, encoded


class _Budget(click.IntRange):
    """A number of tokens; 0 for ``default``, as many as everybody."""

    name = "budget"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return 0 if value == "default" else super().convert(value, param, ctx)


@click.group()
def user() -> None:
    """Add, change, list and remove the users of a shared page, and make their API tokens."""


@user.command()
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.CHAT.value,
    help="What they may do; an annotator may chat too, an adjudicator also decides, an admin may do everything.",
)
@click.option("--no-chat", "is_desk_alone", is_flag=True, help="An annotator or adjudicator who sees the desk alone.")
@click.option(
    "--password-file",
    type=options.PATH,
    metavar="FILE",
    help="Take the password from the first line of FILE, instead of asking for it.",
)
@options.database
def add(name: str, role: str, is_desk_alone: bool, password_file: Path | None, db: Path | None) -> None:
    """Add a user; asks for the password, twice.

    A removed user of this name comes back, with their conversations.
    """
    users.new(name, role, "-", may_chat=not is_desk_alone)  # a wrong name is told before anybody thinks of a password
    password = _ask(name) if password_file is None else _first_line(password_file)
    new = users.new(name, role, password, may_chat=not is_desk_alone)
    with writable(db, create=True) as store:
        users.add(store, new)
    click.echo(f"{name} may sign in ({role}{', without chat' if is_desk_alone else ''})", err=True)
    warn_of_short(password, name)


@user.command()
@click.argument("name")
@click.option("--role", type=click.Choice([role.value for role in Role]), help="What they may do from now on.")
@click.option("--password", "asks", is_flag=True, help="Ask for a new password, twice.")
@click.option(
    "--password-file", type=options.PATH, metavar="FILE", help="Take the new password from the first line of FILE."
)
@options.database
def change(name: str, role: str | None, asks: bool, password_file: Path | None, db: Path | None) -> None:
    """Give a user another role or password.

    They have to sign in again; API tokens stay.
    """
    if role is None and password_file is None and not asks:
        raise UsageError("nothing to change; name --role, --password or --password-file")
    with writable(db) as store:
        users.get(store, name)  # a wrong name is told before anybody thinks of a password
        password = _first_line(password_file) if password_file else _ask(name) if asks else None
        changed = users.change(store, name, role=Role(role) if role else None, password=password)
    click.echo(f"{changed.name} may sign in ({changed.role.value})", err=True)
    if password is not None:
        warn_of_short(password, changed.name)


@user.command()
@click.argument("name")
@click.argument("tokens", type=_Budget(1, 10**15))
@options.database
def budget(name: str, tokens: int, db: Path | None) -> None:
    """Set how many tokens of the language model a user may spend in a day.

    TOKENS is a number, or `default` for as many as everybody (`chat --tokens-per-day`). It holds from the next question
    on, also while the page is served.
    """
    with writable(db) as store:
        allowed = users.allow(store, name, tokens or None)
    amount = f"{tokens:,} tokens" if tokens else "as many tokens as everybody"
    click.echo(f"{allowed.name} may spend {amount} a day", err=True)


@user.command("list")
@options.database
def list_(db: Path | None) -> None:
    """List the users: name, role, API tokens, since when, model tokens of today (UTC)."""
    with opened(db) as store:
        has, spent = tokens.count(store), spending.of_day(store, now()[:10])
        for found in users.every(store):
            state = f"removed {found.disabled[:10]}" if found.disabled else found.role.value
            budget = f" of {found.budget:,}" if found.budget else ""
            click.echo(
                f"{found.name}\t{state}\t{plural(has.get(found.name, 0), 'API token')}\t{found.created[:10]}\t"
                f"{spent.get(found.name, 0):,}{budget} model tokens today"
            )
        if LOCAL in has:
            click.echo(f"{LOCAL}\tthe person at this machine\t{plural(has[LOCAL], 'API token')}")


@user.command()
@click.argument("name")
@click.option("--erase", "is_erased", is_flag=True, help="Leave nothing: conversations, documents and name go, too.")
@options.yes
@options.database
def remove(name: str, is_erased: bool, yes: bool, db: Path | None) -> None:
    """Remove a user: signed out everywhere, tokens revoked.

    The conversations and documents are kept, unless --erase is given. Submitted labels always stay; after --erase they
    bear a pseudonym and no comment. Exports and backups that were made earlier stay as they are.
    """
    with writable(db) as store:
        if is_erased:
            name = users.canonical(store, name)
            confirm(f"Erase {name} with all conversations and documents for good?", yes)
            is_clean = removing.erase_user(store, name).is_clean
            click.echo(f"{name} is erased" + ("" if is_clean else f"; {HELD}"), err=True)
            return
        users.remove(store, name)
    click.echo(f"{name} may not sign in any more; the conversations stay", err=True)


@user.command()
@click.argument("name")
@click.option("-o", "--out", type=options.PATH, metavar="FILE", help="The zip file; default: NAME.zip.")
@options.database
def export(name: str, out: Path | None, db: Path | None) -> None:
    """Write all that is stored of a user to a zip file.

    It holds the account, the conversations, the labels, the documents and the audit trail.
    """
    with opened(db) as store:
        name = users.canonical(store, name)
        out = out or Path(f"{name}.zip")
        try:
            with write_whole(out) as draft:
                draft.touch(0o600)
                with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as packed:
                    number = _pack(store, name, packed)
        except OSError as error:
            raise StorageError(f"cannot write {str(out)!r} ({error.strerror}); name another file with -o") from error
    click.echo(f"{plural(number, 'document')} and all conversations of {name} in {out}", err=True)


def _pack(store: Database, name: str, packed: zipfile.ZipFile) -> int:
    """Write what is stored of the user ``name``; return the number of documents."""
    (account,) = (user for user in users.every(store) if user.name == name)
    spent = store.rows("SELECT day, tokens FROM spending WHERE user = ? ORDER BY day", (name,))
    crowd = store.named_rows("SELECT link, identity, finished FROM crowd_people WHERE annotator = ?", (name,))
    about = asdict(account) | {"tokens": dict(spent), "crowd": crowd}
    packed.writestr("account.json", json.dumps(about, ensure_ascii=False))
    with packed.open("conversations.jsonl", "w") as file:
        file.writelines(encoded(FORMATS["jsonl"].write(finished_turns.records(store, Selection(owner=name)))))
    with packed.open("labels.jsonl", "w") as file, store.reading() as found:
        for row in found.query("SELECT * FROM annotation_labels WHERE annotator = ? ORDER BY number", (name,)):
            file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    trail = (asdict(entry) for entry in audit.entries(store) if name in (entry.actor, entry.subject))
    packed.writestr("audit.jsonl", "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in trail))
    files, rows = Files(store), []
    for collection in removing.own(store, name):
        for document in documents.of_collection(store, collection.id):
            path = f"documents/{collection.name}/{document.name}"
            rows.append(asdict(document) | {"collection_name": collection.name, "file": path})
            if (original := files.original(document.sha256)).is_file():
                packed.write(original, path)
    packed.writestr("documents.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return len(rows)


@user.command()
@click.argument("name")
@options.database
def token(name: str, db: Path | None) -> None:
    """Create an API token for a user.

    The token is printed once and cannot be shown again. On a machine without users the name is `local`.
    """
    with writable(db, create=name == LOCAL) as store:
        owner = LOCAL if name == LOCAL else users.get(store, name).name
        click.echo(tokens.issue(store, owner))


@user.command()
@click.argument("name")
@options.database
def revoke(name: str, db: Path | None) -> None:
    """Revoke all API tokens of a user."""
    with writable(db) as store:
        owner = LOCAL if name == LOCAL else users.get(store, name).name
        number = tokens.revoke(store, owner)
    click.echo(f"{plural(number, 'token')} revoked", err=True)


@user.command("audit")
@click.option("--csv", "is_csv", is_flag=True, help="As CSV, with the names of the columns.")
@options.database
def audit_(is_csv: bool, db: Path | None) -> None:
    """List who signed in, shared, exported, deleted and revoked what, the latest first."""
    with opened(db) as store:
        if is_csv:
            click.echo(audit.table(store), nl=False)
            return
        for entry in audit.entries(store):
            click.echo(one_line(f"{entry.time[:19]}  {entry.actor}  {entry.action} {entry.subject}"))


def warn_of_short(password: str, name: str) -> None:
    """Print a warning on standard error if the password is short."""
    if len(password) < passwords.SHORT:
        click.echo(f"the password of {name} is short; {passwords.SHORT} characters or more are better", err=True)


def _ask(name: str) -> str:
    if not sys.stdin.isatty():
        raise UsageError("nobody is there to be asked for the password; name a file with --password-file")
    return click.prompt(f"Password of {name}", hide_input=True, confirmation_prompt=True, err=True)


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig").partition("\n")[0].rstrip("\r")
    except OSError as error:
        why = f"cannot read {str(path)!r} ({error.strerror})"
        raise UsageError(f"{why}; name a file whose first line is the password") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{str(path)!r} is not UTF-8 text; save it as UTF-8") from error
