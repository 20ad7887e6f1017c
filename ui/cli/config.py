"""The config file: the options of commands, as TOML tables. It is checked before the command begins.

[chat]
public-url = "https://chat.example.org"
keep-days = 365
"""

import tomllib
from pathlib import Path
from typing import Any

import click

from searchain.errors import UsageError
from storage.database import default_path

NAME = "config.toml"
"""The file in ``$SEARCHAIN_HOME`` that is read if no other one is named."""
_NOT_THERE = ("help", "version", "config")  # options that are given on the command line alone


def read(context: click.Context, parameter: click.Parameter, file: Path | None) -> None:
    """Take the options that are not given from ``file``, or from the default file if it is there.

    Raises:
        UsageError: the file cannot be read, or has a table or option that the command does not know, or a wrong value.
    """
    path = file or default_path().with_name(NAME)
    if file is None and not path.is_file():
        return
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read the config file {str(path)!r} ({error.strerror}); check --config") from error
    except ValueError as error:
        raise UsageError(f"the config file {str(path)!r} is no TOML: {error}") from error
    context.meta[NAME] = path
    context.default_map = _options(context, context.command, values, str(path))


def check(context: click.Context) -> None:
    """Check the table of the command that is called, as ``read`` does; others are checked when they are used."""
    name, values = context.invoked_subcommand, context.default_map
    if name and values and name in values and isinstance(context.command, click.Group):
        command = context.command.get_command(context, name)
        if command is not None:
            values[name] = _options(context, command, values[name], f"{context.meta[NAME]}: [{name}]")


def _options(context: click.Context, command: click.Command, table: dict[str, Any], where: str) -> dict[str, Any]:
    """Return the values of ``table`` by the names that click gives the options."""
    known = {option.lstrip("-"): one for one in command.params for option in one.opts if option.startswith("--")}
    known = {name: one for name, one in known.items() if name not in _NOT_THERE}
    group = command if isinstance(command, click.Group) else None
    commands = group.list_commands(context) if group else []
    found: dict[str, Any] = {}
    for name, value in table.items():
        if group and isinstance(value, dict) and name in commands:
            below = group.get_command(context, name) if group is not context.command else None
            found[name] = _options(context, below, value, f"{where[:-1]}.{name}]") if below else value
        elif name in known:
            found[known[name].name or name] = _checked(context, known[name], value, where)
        else:
            names = ", ".join(sorted({*known, *commands}))
            raise UsageError(f"{where} has {name!r}, which is none of its options; there are: {names}")
    return found


def _checked(context: click.Context, parameter: click.Parameter, value: Any, where: str) -> Any:
    """Return ``value`` as the command line would have it: what is neither a list nor ``true`` or ``false``, as text."""
    is_flag, is_list = getattr(parameter, "is_flag", False), getattr(parameter, "multiple", False)
    kind = bool if is_flag else (str, int, float)
    values = value if is_list and isinstance(value, list) else [value]
    wrong = f"{where} has a wrong {parameter.opts[0].lstrip('-')}: "
    if not all(isinstance(one, kind) and isinstance(one, bool) == is_flag for one in values):
        wanted = "true or false" if is_flag else "a list of texts or numbers" if is_list else "a text or a number"
        raise UsageError(f"{wrong}{value!r} is not {wanted}")
    is_on = getattr(parameter, "flag_value", True) is not False  # unlike --no-ir, which sets an option to false
    given = [(one == is_on) if is_flag else str(one) for one in values]
    try:
        parameter.type_cast_value(context, given if is_list else given[0])
    except click.BadParameter as error:
        raise UsageError(f"{wrong}{error.message}") from error
    return given if is_list else given[0]
