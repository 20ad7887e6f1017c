"""The command line: ``searchain``, or ``python assistant.py``. Each command is imported when it is used."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from searchain.console import fail, one_line_errors
from searchain.methods import laboratory
from searchain.version import VERSION
from storage.database import default_path
from ui.cli import config

if TYPE_CHECKING:
    from assistant import Assistant


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
        own = [(name, command.get_short_help_str(80)) for name, command in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl([*own, *((name, help) for name, (_, help) in self.elsewhere.items())])

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


class JsonLines(logging.Formatter):
    """Formats each record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = {"time": time, "level": record.levelname.lower(), "logger": record.name, "message": record.getMessage()}
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


_OWN = ("assistant", "searchain", "storage", "ui")
"""The loggers that speak from ``--log-level`` on; those of libraries only from warnings on."""
_TEXT = "%(asctime)s %(name)s %(levelname)s %(message)s"


def log_path() -> Path:
    """Return the file to which all processes with the same home log."""
    return default_path().with_name("searchain.log")


def log_to(place: str, level: str, path: Path) -> None:
    """Log from ``level`` on to ``path`` if ``place`` is file, else as text or json to standard error."""
    if os.environ.get("SEARCHAIN_DEBUG"):
        place, level = "text", "info"
    handler = _log_file(path) if place == "file" else logging.StreamHandler()
    handler.setFormatter(JsonLines() if place == "json" else logging.Formatter(_TEXT))
    logging.basicConfig(level=max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()]), handlers=[handler])
    for name in _OWN:
        logging.getLogger(name).setLevel(level.upper())


def _log_file(path: Path) -> logging.Handler:
    logging.raiseExceptions = False  # a log that cannot be written is not worth a traceback
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return RotatingFileHandler(path, maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True)
    except OSError:
        return logging.NullHandler()


@click.group(
    cls=Commands,
    elsewhere={
        "ask": ("ui.cli.ask:ask", "Answer one question."),
        "chat": ("ui.cli.chat:chat", "Serve the chat page and the API."),
        "check": ("ui.cli.ask:check", "Say of each sentence of a text whether documents support it."),
        "mcp": ("ui.cli.mcp:mcp", "Offer ask, check, search and open_source to MCP clients."),
        "index": ("ui.cli.index:index", "Build, list, extend and remove passage indexes."),
        "documents": ("ui.cli.documents:documents", "Add own files to collections, list and remove them."),
        "serve": ("ui.cli.index:serve", "Serve an index to other processes."),
        "logs": ("ui.cli.logs:logs", "Find, show, replay, check and remove past questions with their evidence."),
        "backup": ("ui.cli.transfer:backup", "Copy database, documents and indexes to a file, while they are used."),
        "restore": ("ui.cli.transfer:restore", "Restore what `backup` wrote."),
        "export": ("ui.cli.transfer:export", "Write conversations to a file."),
        "verify": ("ui.cli.transfer:verify", "Check a proof file: each quotation, place and hash in it."),
        "import": ("ui.cli.transfer:import_", "Add the conversations of an exported file, all of them or none."),
        "user": (
            "ui.cli.user:user",
            "Add, change, list and remove the users of a shared page, and make their API tokens.",
        ),
        "annotate": (
            "ui.cli.annotate:annotate",
            "Have people judge the citations of replies, and measure SKC and AMP.",
        ),
        "calibrate": ("ui.cli.calibrate:calibrate", "Set the tick of a collection by the replies that were judged."),
        "eval": ("ui.cli.gate:evaluate", "Ask a named set of own questions, and gate on the answers."),
        "check-support": ("ui.cli.calibrate:check_support", "Say how far passages support sentences."),
        "setup": ("ui.cli.doctor:setup", "Install models and corpus, and build the index."),
        "doctor": ("ui.cli.doctor:doctor", "Check this machine and say what is missing."),
    },
    of_laboratory=("tables",),
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(VERSION, prog_name="searchain")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    envvar="SEARCHAIN_CONFIG",
    is_eager=True,
    expose_value=False,
    callback=config.read,
    help="Options in TOML, a table for each command; default: config.toml in $SEARCHAIN_HOME, if it is there.",
)
@click.option(
    "--log",
    type=click.Choice(["file", "text", "json"]),
    default="file",
    envvar="SEARCHAIN_LOG",
    help="Log to searchain.log in $SEARCHAIN_HOME, or as text or JSON to standard error. Or set SEARCHAIN_LOG.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    envvar="SEARCHAIN_LOG_LEVEL",
    help="The least that is logged; info has each request. Or set SEARCHAIN_LOG_LEVEL.",
)
@click.pass_context
def cli(context: click.Context, log: str, log_level: str) -> None:
    """Ask questions that take several steps, and get replies whose every citation opens the passage it rests on."""
    context.obj = context.obj or _open_assistant
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character still gets the rest
    log_to(log, log_level, log_path())
    config.check(context)


def _open_assistant(**named: Any) -> Assistant:
    from assistant import open_assistant  # here, because `--help` need not load what answers questions

    return open_assistant(**named)
