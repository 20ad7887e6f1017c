"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def database(command: Command) -> Command:
    """``--db FILE`` as ``db: Path | None``; ``None`` is ``database_path()``."""
    return click.option(
        "--db",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="The database; default: searchain.db in $SEARCHAIN_HOME.",
    )(command)


def parts(command: Command) -> Command:
    """What a run is made of: ``model``, ``base_url``, ``retriever``, ``reader``, each a value or ``None``."""
    for option in (
        click.option(
            "--reader",
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="A DPR reader in a local directory; default: the embedded one.",
        ),
        click.option("--retriever", metavar="URL", help="A remote ColBERT server, used instead of a local index."),
        click.option("--base-url", metavar="URL", help="An OpenAI-compatible endpoint; or set SEARCHAIN_BASE_URL."),
        click.option(
            "--model",
            metavar="NAME",
            help="A remote language model; or set SEARCHAIN_MODEL. Default: the embedded one.",
        ),
    ):
        command = option(command)
    return command
