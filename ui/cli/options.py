"""Options that several commands share."""

import json
import os
from collections.abc import Callable, Sequence
from functools import wraps
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from searchain.errors import UsageError
from searchain.llm.base import FIRST_TOKEN_SECONDS
from searchain.llm.choose import names_endpoint
from searchain.settings import MOST_SECONDS, MOST_TOKENS, Careful
from searchain.types import Abilities, Outcome, Status
from storage.history.selection import chosen

if TYPE_CHECKING:
    from ui.server.oidc import Settings

Command = TypeVar("Command", bound=Callable[..., Any])
Option = tuple[str, str | None, click.ParamType[Any] | None, str]
"""Names, metavar, type, help."""
PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
TO_READ = click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True)
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
NEW = click.Path(path_type=Path, dir_okay=False)
LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""The addresses to listen on at which only this machine is heard."""
yes = click.option("--yes", is_flag=True, help="Do not ask.")


def echo_json(values: Any) -> None:
    """Print ``values`` as one line of JSON, which is UTF-8, whatever the terminal speaks."""
    click.echo(json.dumps(values, ensure_ascii=False).encode())


def database(command: Command) -> Command:
    """``--db FILE`` as ``db: Path | None``; ``None`` is ``storage.database.default_path()``."""
    help = "The database; default: searchain.db in $SEARCHAIN_HOME."
    return click.option("--db", metavar="FILE", type=PATH, multiple=True, callback=_only, help=help)(command)


def _only(context: click.Context, parameter: click.Parameter, files: tuple[Path, ...]) -> Path | None:
    """Return the one file that was named, if any; of two the last would count, and nobody would see it."""
    if len(files) > 1:
        raise click.BadParameter("name one database; import brings several together (docs/scale.md)")
    return files[0] if files else None


def public_url(needed: str) -> Callable[[Command], Command]:
    """``--public-url`` as ``public_url: str | None``; the command needs what ``needed`` tells."""
    return click.option(
        "--public-url",
        metavar="URL",
        envvar="SEARCHAIN_PUBLIC_URL",
        help=f"The https:// address that a proxy gives this page; needs {needed}. Or set SEARCHAIN_PUBLIC_URL.",
    )


tokens_per_day = click.option(
    "--tokens-per-day",
    type=click.IntRange(1),
    metavar="N",
    help="Tokens of the language model that each user may spend in a day (UTC), unless `user budget` says otherwise; "
    "default: no limit.",
)


_OIDC: tuple[tuple[str, dict[str, Any]], ...] = (
    ("issuer", {"metavar": "URL", "help": "The OpenID Connect provider by which users sign in; needs --public-url."}),
    ("client", {"metavar": "ID", "help": "The client ID that the provider gave this page."}),
    (
        "secret-file",
        {
            "metavar": "FILE",
            "type": click.File(encoding="utf-8"),
            "help": "The client secret's file; or set SEARCHAIN_OIDC_SECRET.",
        },
    ),
    ("name", {"metavar": "NAME", "help": "How the sign-in page calls the provider; default: its host."}),
    ("claim", {"metavar": "NAME", "help": "The claim that is the user's name; default: email, if it is verified."}),
    ("domain", {"metavar": "NAME", "help": "Let in those alone whose verified mail address has this domain."}),
    ("group", {"metavar": "NAME", "help": "Let in those alone who are in this group."}),
    ("new", {"is_flag": True, "help": "Make users of the role chat of people who are not; else they are refused."}),
)


def oidc(command: Command) -> Callable[..., Any]:
    """``--oidc-issuer`` and the others, each also from the environment, as ``oidc``: settings, or ``None``."""

    @wraps(command)
    def run(**named: Any) -> Any:
        given = {name: named.pop(f"oidc_{name.replace('-', '_')}") for name, _ in _OIDC}
        return command(oidc=_provider(given), **named)

    decorated: Callable[..., Any] = run
    for name, kinds in reversed(_OIDC):
        variable = f"SEARCHAIN_OIDC_{name.upper().replace('-', '_')}"
        decorated = click.option(f"--oidc-{name}", envvar=variable, **kinds)(decorated)
    return decorated


def _provider(given: dict[str, Any]) -> "Settings | None":
    from ui.server.oidc import Settings  # here, because most commands need not load it

    secret = os.environ.pop("SEARCHAIN_OIDC_SECRET", "")  # no child process gets it
    if file := given.pop("secret-file"):
        secret = file.read()
    if not given["issuer"] and not any(given.values()):
        return None
    if not (given["issuer"] and given["client"] and secret.strip()):
        raise UsageError(
            "signing in with a provider needs --oidc-issuer, --oidc-client, and the client secret in "
            "SEARCHAIN_OIDC_SECRET or --oidc-secret-file"
        )
    makes_users = given.pop("new")
    return Settings(secret=secret.strip(), makes_users=makes_users, **{name: one for name, one in given.items() if one})


class Number(click.FloatRange):
    """A finite number in a range; ``nan`` is in every range of click's."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{number} is not in the range {self._describe_range()}.", param, ctx)
        return number


class _ReaderPlace(click.ParamType[Path | str]):
    """A directory, as a path, or the address of a server."""

    name = "place"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path | str:
        return value if str(value).startswith(("http://", "https://")) else Path(value)


def parts(command: Command) -> Command:
    """What a run is made of: ``model``, ``base_url``, ``gguf``, ``retriever``, ``reader``, each a value or ``None``."""
    return _with(_PARTS, command)


def limits(command: Command) -> Callable[..., Any]:
    """``timeout``, ``reasoning_effort`` and ``abilities`` of a remote model; settings of each run as ``limits``.

    A remote model may have to be loaded and think for a long time, so its runs may take as long as two tries.
    """

    @wraps(command)
    def run(**named: Any) -> Any:
        limits = {name: named.pop(name) for name in ("max_seconds", "max_tokens")}
        if limits["max_seconds"] is None and names_endpoint(named["model"], named["base_url"]):
            limits["max_seconds"] = min(2 * (named["timeout"] or FIRST_TOKEN_SECONDS), MOST_SECONDS)
        return command(limits={name: value for name, value in limits.items() if value is not None}, **named)

    return _with(_LIMITS, run)


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

    A command with words of its own leaves ``text`` out; one that takes a system for more has its own ``system_help``.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run(**named: Any) -> Any:
            conditions = {name: named.pop(name) for name in _CONDITIONS if name in named}
            return command(selection=chosen(**conditions), **named)

        of_system: Option = ("--system", "NAME", None, system_help)
        return _with((*_WHOSE, of_system, *_WHICH, *((_TEXT,) if text else ())), run)

    return decorate


def _with(options: Sequence[Option], command: Command) -> Command:
    for name, metavar, type, help in reversed(options):
        command = click.option(*name.split(), metavar=metavar, type=type, help=help)(command)
    return command


_PARTS: tuple[Option, ...] = (
    ("--model", "NAME", None, "A remote language model; or set SEARCHAIN_MODEL. Default: the embedded one."),
    ("--base-url", "URL", None, "An OpenAI-compatible endpoint; or set SEARCHAIN_BASE_URL."),
    ("--gguf", "FILE", PATH, "A language model in a GGUF file, served here; instead of --model."),
    (
        "--retriever",
        "URL",
        None,
        "A remote ColBERT server, instead of a local index; or searxng=URL, to search the web with SearXNG.",
    ),
    (
        "--reader",
        "DIR|URL",
        _ReaderPlace(),
        "A DPR reader in a local directory, or the Reader of `serve --ray`; default: the embedded one.",
    ),
)
_SECONDS = Number(1, MOST_SECONDS)
_LIMITS: tuple[Option, ...] = (
    ("--timeout", "N", _SECONDS, f"Seconds until the first word of a remote model; default: {FIRST_TOKEN_SECONDS:g}."),
    ("--max-seconds", "N", _SECONDS, "Seconds of one run; default: 180, and with a remote model twice --timeout."),
    ("--max-tokens", "N", click.IntRange(64, MOST_TOKENS), "Tokens that the model writes in one run; default: 8000."),
    ("--reasoning-effort", "LEVEL", None, "How much a remote model thinks, such as none, low or high."),
    (
        "--abilities",
        None,
        click.Choice([Abilities.SMALL.value, Abilities.CAPABLE.value]),
        "What a remote model does well: read answers, or plan and write too. Default: measured at its first use.",
    ),
)
_TEXT: Option = ("--text", "WORDS", None, "Only turns that hold these words, as `logs search` finds them.")
_WHICH: tuple[Option, ...] = (
    ("--model", "NAME", None, "Only turns of models whose name contains this."),
    ("--status", None, click.Choice([status.value for status in Status]), "Only turns with this status."),
    ("--outcome", None, click.Choice([outcome.value for outcome in Outcome]), "Only turns with this outcome."),
    ("--since", "TIME", None, "Only turns asked since then: 2026-01-31, 2026-01-31T18:00 (UTC), or an age such as 7d."),
    ("--until", "TIME", None, "Only turns asked before then; a date includes its day."),
)
_WHOSE: tuple[Option, ...] = (
    ("--conversation", "ID", None, "Only the turns of this conversation."),
    ("--user owner", "NAME", None, "Only this user's turns."),
)
_CONDITIONS = ("conversation", "owner", "model", "system", "status", "outcome", "since", "until", "text")
"""As ``chosen`` names them."""


DEFAULT = "documents"
"""The default collection."""
of_user = click.option(
    "--user",
    "owner",
    metavar="NAME",
    help="Act for this user of a shared page, also a removed one; default: the person at this machine.",
)
in_collection = click.option("--collection", default=DEFAULT, metavar="NAME", help="The collection, by name or id.")
