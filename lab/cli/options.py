"""The option that several commands of the laboratory share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def ray(what: str) -> Callable[[Command], Command]:
    """The option ``--ray``, whose help says ``what`` is done in the cluster."""
    return click.option(
        "--ray",
        is_flag=False,
        flag_value="local",
        metavar="[HOST:PORT]",
        help=f"{what} a Ray cluster: one that is started on this machine, or the one at HOST:PORT (docs/scale.md).",
    )
