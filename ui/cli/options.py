"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from searchain.settings import Careful
from searchain.types import Outcome, Status
from storage.history.selection import chosen

Command = TypeVar("Command", bound=Callable[..., Any])


def database(command: Command) -> Command:
    """``--db FILE`` as ``db: Path | None``; ``None`` is ``storage.database.default_path()``."""
    return click.option(
        "--db",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="The database; default: searchain.db in $SEARCHAIN_HOME.",
    )(command)


def databases(command: Command) -> Command:
    """``--db FILE``, which may be repeated, as ``dbs: tuple[Path, ...]``; see ``opening.together``."""
    return click.option(
        "--db",
        "dbs",
        type=click.Path(path_type=Path),
        metavar="FILE",
        multiple=True,
        help="The database; default: searchain.db in $SEARCHAIN_HOME. Several are read as one.",
    )(command)


class _ReaderPlace(click.ParamType[Path | str]):
    """A directory, as a path, or the address of a server."""

    name = "place"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path | str:
        return value if str(value).startswith(("http://", "https://")) else Path(value)


def parts(command: Command) -> Command:
    """What a run is made of: ``model``, ``base_url``, ``gguf``, ``retriever``, ``reader``, each a value or ``None``."""
    for option in (
        click.option(
            "--reader",
            type=_ReaderPlace(),
            metavar="DIR|URL",
            help="A DPR reader in a local directory, or the Reader of `serve --ray`; default: the embedded one.",
        ),
        click.option(
            "--retriever",
            metavar="URL",
            help="A remote ColBERT server, instead of a local index; or searxng=URL, to search the web with SearXNG.",
        ),
        click.option(
            "--gguf",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="A language model in a GGUF file, served here; instead of --model.",
        ),
        click.option("--base-url", metavar="URL", help="An OpenAI-compatible endpoint; or set SEARCHAIN_BASE_URL."),
        click.option(
            "--model",
            metavar="NAME",
            help="A remote language model; or set SEARCHAIN_MODEL. Default: the embedded one.",
        ),
    ):
        command = option(command)
    return command


def careful(default: str) -> Callable[[Command], Command]:
    """``--careful`` as ``careful: str | None``; ``default`` tells what the command does without it."""
    return click.option(
        "--careful",
        type=click.Choice(get_args(Careful)),
        help="What the careful model does: nothing; check replies that are not sure; plan and write. "
        f"Default: {default}.",
    )


_SYSTEM = "Only turns that this method answered, such as self-ask."


def conditions(*, text: bool = True, system_help: str = _SYSTEM) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the conditions as options; the command gets one ``selection``.

    Args:
        text: whether ``--text`` is among them; a command with words of its own leaves it out.
        system_help: the help of ``--system``, where the command takes the name of a system for more than a condition.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run(
            *,
            conversation: str | None,
            user: str | None,
            model: str | None,
            system: str | None,
            status: str | None,
            outcome: str | None,
            since: str | None,
            until: str | None,
            text: str | None = None,
            **others: Any,
        ) -> Any:
            return command(
                selection=chosen(
                    conversation=conversation,
                    owner=user,
                    model=model,
                    system=system,
                    status=status,
                    outcome=outcome,
                    since=since,
                    until=until,
                    text=text,
                ),
                **others,
            )

        named = click.option("--system", metavar="NAME", help=system_help)
        for option in (*(_OPTIONS if text else _OPTIONS[1:]), named, *_WHOSE):
            run = option(run)
        return run

    return decorate


_OPTIONS = (
    click.option("--text", metavar="WORDS", help="Only turns that hold these words, as `logs search` finds them."),
    click.option("--until", metavar="TIME", help="Only turns asked before then; a date includes its day."),
    click.option(
        "--since",
        metavar="TIME",
        help="Only turns asked since then: 2026-01-31, 2026-01-31T18:00 (UTC), or an age such as 7d.",
    ),
    click.option(
        "--outcome",
        type=click.Choice([outcome.value for outcome in Outcome]),
        help="Only turns with this outcome.",
    ),
    click.option(
        "--status", type=click.Choice([status.value for status in Status]), help="Only turns with this status."
    ),
    click.option("--model", metavar="NAME", help="Only turns of models whose name contains this."),
)
_WHOSE = (
    click.option("--user", metavar="NAME", help="Only this user's turns."),
    click.option("--conversation", metavar="ID", help="Only the turns of this conversation."),
)
