"""The base of the command line: lazy imports of commands, one-line errors, and a log file."""

import logging
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib import import_module
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

import click

from searchain.console import fail, one_line_errors
from searchain.methods import laboratory


class Commands(click.Group):
    """A group that imports a command when it is used, and reports every error in one line."""

    def __init__(
        self, *args: Any, elsewhere: dict[str, tuple[str, str]], of_laboratory: Collection[str], **kwargs: Any
    ) -> None:
        """``elsewhere`` maps a command's name to its place, as ``module:attribute``, and its one-line help.

        If the laboratory is installed, its commands are added. ``of_laboratory`` names the commands that only it has.
        """
        super().__init__(*args, **kwargs)
        more = laboratory.load("cli").COMMANDS if laboratory.is_here() else {}
        self.elsewhere, self.of_laboratory = {**elsewhere, **more}, of_laboratory

    def list_commands(self, context: click.Context) -> list[str]:
        return [*self.commands, *self.elsewhere]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self.elsewhere:
            if name in self.of_laboratory:
                laboratory.check(f"the command {name!r}")
            return super().get_command(context, name)
        module, attribute = self.elsewhere[name][0].split(":")
        return getattr(import_module(module), attribute)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command named by ``args``. Raises ``NoSuchCommand``, which suggests the nearest name."""
        try:
            return super().resolve_command(context, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(args[0], possibilities=self.list_commands(context), ctx=context) from error

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    *((name, command.get_short_help_str(80)) for name, command in self.commands.items()),
                    *((name, help) for name, (_, help) in self.elsewhere.items()),
                ]
            )

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _one_line():
            return super().make_context(*args, **kwargs)

    def invoke(self, context: click.Context) -> Any:
        with _one_line():
            return super().invoke(context)


@contextmanager
def _one_line() -> Iterator[None]:
    with one_line_errors():
        try:
            yield
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else "python assistant.py"
            fail(f"{error.format_message()} See: {command} --help", error.exit_code)


def log_to_file(path: Path) -> None:
    """Log to the file ``path``, so that the terminal stays clean; with SEARCHAIN_DEBUG=1, log to the terminal."""
    if os.environ.get("SEARCHAIN_DEBUG"):
        logging.basicConfig(level=logging.INFO)
        return
    logging.raiseExceptions = False  # a log that cannot be written is not worth a traceback
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = RotatingFileHandler(
            path, maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True
        )
    except OSError:
        handler = logging.NullHandler()
    logging.basicConfig(
        level=logging.WARNING, handlers=[handler], format="%(asctime)s %(name)s %(levelname)s %(message)s"
    )
