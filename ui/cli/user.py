"""The command group ``user``: users of a shared page, and API tokens."""

import sys
from pathlib import Path

import click

from searchain.errors import UsageError
from searchain.language.text import plural
from storage.people import passwords, tokens, users
from storage.people.users import LOCAL, Role
from ui.cli import options
from ui.cli.opening import opened, writable


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
    type=click.Path(path_type=Path),
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
    "--password-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take the new password from the first line of FILE.",
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


@user.command("list")
@options.database
def list_(db: Path | None) -> None:
    """List the users: name, role, API tokens, since when."""
    with opened(db) as store:
        has = tokens.count(store)
        for found in users.every(store):
            state = f"removed {found.disabled[:10]}" if found.disabled else found.role.value
            click.echo(f"{found.name}\t{state}\t{plural(has.get(found.name, 0), 'token')}\t{found.created[:10]}")
        if LOCAL in has:
            click.echo(f"{LOCAL}\tthe person at this machine\t{plural(has[LOCAL], 'token')}")


@user.command()
@click.argument("name")
@options.database
def remove(name: str, db: Path | None) -> None:
    """Remove a user: signed out everywhere, tokens revoked.

    The conversations are kept; `logs delete` removes them.
    """
    with writable(db) as store:
        users.remove(store, name)
    click.echo(f"{name} may not sign in any more; the conversations stay", err=True)


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
        raise UsageError(
            f"cannot read {str(path)!r} ({error.strerror}); name a file whose first line is the password"
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{str(path)!r} is not UTF-8 text; save it as UTF-8") from error
