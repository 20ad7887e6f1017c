"""The command line: ``searchain``, or ``python assistant.py``. Each command is imported when it is used."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from searchain.version import VERSION
from storage.database import default_path
from ui.cli.group import Commands, log_to_file

if TYPE_CHECKING:
    from assistant import Assistant


@click.group(
    cls=Commands,
    elsewhere={
        "ask": ("ui.cli.ask:ask", "Answer one question."),
        "chat": ("ui.cli.chat:chat", "Serve the chat page and the API."),
        "check": ("ui.cli.check:check", "Say of each sentence of a text whether documents support it."),
        "mcp": ("ui.cli.mcp:mcp", "Offer ask, check, search and open_source to MCP clients."),
        "index": ("ui.cli.index:index", "Build, list, extend and remove passage indexes."),
        "documents": ("ui.cli.documents:documents", "Add own files to collections, list and remove them."),
        "serve": ("ui.cli.index:serve", "Serve an index to other processes."),
        "logs": ("ui.cli.logs:logs", "Find, show, replay, check and remove past questions with their evidence."),
        "export": ("ui.cli.transfer:export", "Write conversations to a file."),
        "verify": ("ui.cli.verify:verify", "Check a proof file: each quotation, place and hash in it."),
        "import": (
            "ui.cli.transfer:import_",
            "Add the conversations of an exported file, all of them or none.",
        ),
        "user": (
            "ui.cli.user:user",
            "Add, change, list and remove the users of a shared page, and make their API tokens.",
        ),
        "annotate": (
            "ui.cli.annotate:annotate",
            "Have people judge the citations of replies, and measure SKC and AMP.",
        ),
        "calibrate": (
            "ui.cli.calibrate:calibrate",
            "Find a Reader's thresholds, and store them.",
        ),
        "check-support": ("ui.cli.calibrate:check_support", "Say how far passages support sentences."),
        "setup": ("ui.cli.setup:setup", "Install models and corpus, and build the index."),
        "doctor": ("ui.cli.doctor:doctor", "Check this machine and say what is missing."),
    },
    of_laboratory=("eval", "tables"),
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(VERSION, prog_name="searchain")
@click.pass_context
def cli(context: click.Context) -> None:
    """Ask questions that take several steps, and get replies whose every citation opens the passage it rests on."""
    context.obj = context.obj or _open_assistant
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character still gets the rest
    log_to_file(default_path().with_name("searchain.log"))


def _open_assistant(**named: Any) -> Assistant:
    from assistant import open_assistant  # here, because `--help` need not load what answers questions

    return open_assistant(**named)
