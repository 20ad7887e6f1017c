"""``assistant.py chat``: serve the page."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from searchain.chain.memory import keep_loaded, share_arenas, uncollected
from searchain.embedded.assets import CAREFUL, FILE
from searchain.errors import UsageError
from searchain.llm.base import heard_by
from searchain.llm.choose import names_endpoint
from searchain.methods.base import find, systems
from searchain.pipeline import SearChain
from searchain.retrieval import registry
from searchain.retrieval.corpus import DEFAULT
from searchain.setup import careful as careful_setup
from searchain.setup.progress import GIGABYTE
from storage.database import Database, default_path
from storage.people import users
from storage.people.users import NewUser
from ui.cli import options
from ui.cli.options import LOOPBACK
from ui.cli.user import warn_of_short
from ui.cli.warm import Door, place
from ui.page.choices import Offers
from ui.server import spans
from ui.server.access import Access, Who
from ui.server.limits import allowed
from ui.server.oidc import Provider, Settings
from ui.show import terminal
from ui.show.labels import name_of

if TYPE_CHECKING:
    from ui.page.own_documents import Library

_LOOK = 0.5  # seconds
_FAREWELL = 0.3  # seconds in which those who follow a run hear that it was stopped


@click.command()
@click.option("--host", default="127.0.0.1", help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65_535), default=7860, help="The port to listen on.")
@click.option("--share", is_flag=True, help="Also make a public Gradio link, up to a week; needs users or --public.")
@click.option(
    "--public", is_flag=True, help="Allow anonymous visitors. Each visitor sees only their own conversations."
)
@options.public_url("users or --public")
@options.oidc
@click.option(
    "--auth-file",
    type=options.PATH,
    metavar="FILE",
    help="Take users from FILE, lines name:role:password or name:password; who uses the page must sign in.",
)
@click.option(
    "--runs-at-once",
    type=click.IntRange(1),
    metavar="N",
    help="Questions one user or visitor may have answered at once; default: 2 where others may ask.",
)
@click.option(
    "--runs-per-hour",
    type=click.IntRange(1),
    metavar="N",
    help="Questions one user or visitor may ask in an hour; default: 60 where others may ask.",
)
@options.tokens_per_day
@click.option(
    "--parallel",
    type=click.IntRange(1),
    metavar="N",
    default=8,
    help="Questions answered at a time; others wait in a fair queue.",
)
@click.option(
    "--min-free-disk",
    "min_free",
    type=options.Number(0),
    metavar="GB",
    default=1.0,
    help="Gigabytes of the disk below which the page takes no documents.",
)
@click.option(
    "--keep-days",
    type=options.Number(0, 36_500, min_open=True),
    metavar="N",
    help="Delete conversations that did not change for N days, again and again, but none with a reply on the desk or a "
    "shared link that works; also entries of the audit trail. Default: never.",
)
@click.option("--index", metavar="NAME", default="default", help="The index to search.")
@click.option(
    "--also-index",
    "also_indexes",
    metavar="NAME",
    multiple=True,
    help="Another index that people may choose; may be given several times.",
)
@click.option(
    "--also-model",
    "also_models",
    metavar="NAME",
    multiple=True,
    help="Another model at the same endpoint that people may choose; may be given several times.",
)
@click.option(
    "--home",
    type=click.IntRange(1),
    metavar="N",
    help="The number of this process behind a proxy that assigns users to several (docs/scale.md).",
)
@options.careful("check, where it is installed and no other model is named; off with --public")
@click.option(
    "--fetch-careful",
    is_flag=True,
    help="Fetch the careful model (1.1 GB) behind the page, where memory and disk allow and it is not off.",
)
@click.option(
    "--systems",
    metavar="NAMES",
    multiple=True,
    help="Methods that people may choose and compare besides searchain, separated by commas; may be given several "
    "times. Default: all, and with --public searchain and searchain-paper.",
)
@options.limits
@options.parts
@options.database
@click.pass_obj
def chat(
    open_assistant: Callable[..., Any],
    host: str,
    port: int,
    share: bool,
    public: bool,
    public_url: str | None,
    auth_file: Path | None,
    runs_at_once: int | None,
    runs_per_hour: int | None,
    tokens_per_day: int | None,
    min_free: float,
    keep_days: float | None,
    index: str,
    also_indexes: tuple[str, ...],
    also_models: tuple[str, ...],
    systems: tuple[str, ...],
    home: int | None,
    fetch_careful: bool,
    oidc: Settings | None,
    **named: Any,
) -> None:
    """Serve the chat page and the API.

    Both are served until ctrl-C or SIGTERM, by default for the person at this machine alone. With users (--auth-file,
    or `user add`) everybody must sign in. Another --host, or --share, needs users or --public.
    """
    new = [] if auth_file is None else users.read_file(auth_file)
    others = _lets_in(host, share, public_url)
    store = Database(named["db"] or default_path())
    with closing(store), spans.sending() as named["watch"]:
        _add(store, new)
        who = _who(store, others, is_public=public, has_provider=oidc is not None)
        is_shared = bool(others) or public
        limits = allowed(runs_at_once, runs_per_hour, is_shared or who is not Who.LOCAL)
        limits["tokens_per_day"] = tokens_per_day
        access = Access(who, store, answers_to_any_host=is_shared, public_url=public_url, **limits)
        if public and tokens_per_day:
            click.echo("visitors have no budget: who signs out asks on without one, within --runs-per-hour", err=True)
        provider = _provider(oidc, access, home)
        if named["careful"] is None and public:
            named["careful"] = "off"  # strangers would keep the machine busy
        offers = _offers((index, *also_indexes), also_models, is_shared, named)
        offers = replace(offers, systems=_systems(systems, public))
        is_fetched = fetch_careful and _is_embedded(named) and offers.careful == "check" and _is_wanted()
        kept = {"min_free": min_free, "keep_days": keep_days}
        _serve(open_assistant, store, access, host, port, share, home, offers, named, is_fetched, kept, provider)


def _who(store: Database, others: str, *, is_public: bool, has_provider: bool) -> Who:
    """Return who may use the page. Raises ``UsageError`` where the option ``others`` lets in whom nobody allowed."""
    if is_public:
        return Who.ANYBODY
    if has_provider or users.are_there(store):
        return Who.USERS
    if others:
        raise UsageError(
            f"{others} lets others use this page; add users (--auth-file FILE) or --public to allow "
            f"that, or leave {others} out"
        )
    return Who.LOCAL


def _provider(oidc: Settings | None, access: Access, home: int | None) -> Provider | None:
    if oidc and home:
        raise UsageError("--home assigns people by the name in the sign-in form; leave it or --oidc-issuer out")
    return Provider(oidc, access) if oidc else None


def _lets_in(host: str, share: bool, public_url: str | None) -> str:
    """Return the option that lets others reach the page; ``""`` without one."""
    if share and public_url:
        raise UsageError("--share gives the page a public address of its own; leave --share or --public-url out")
    return "--share" if share else f"--host {host}" if host not in LOOPBACK else "--public-url" if public_url else ""


def _is_embedded(named: dict[str, Any]) -> bool:
    return not named["gguf"] and not names_endpoint(named["model"], named["base_url"])


def _is_wanted() -> bool:
    """Tell whether the careful model is to be fetched behind the page, and say so."""
    if (CAREFUL.place / FILE).is_file():
        return False
    if reason := careful_setup.reason_against():
        click.echo(f"the careful model, which checks replies, is not fetched: {reason}", err=True)
        return False
    told = f"the careful model, which checks replies, is fetched behind the page ({CAREFUL.size / GIGABYTE:.1f} GB)"
    click.echo(f"{told}; Stop on the page ends that, and so does CAREFUL=0 before `make chat`", err=True)
    return True


def _offers(indexes: tuple[str, ...], models: tuple[str, ...], is_shared: bool, named: dict[str, Any]) -> Offers:
    """What people may choose. Raises ``UsageError`` or ``IndexNotFound`` for what is not there."""
    if named["retriever"] and len(indexes) > 1:
        raise UsageError("--retriever searches its own index alone; leave out --also-index")
    if models and (named["gguf"] or not names_endpoint(named["model"], named["base_url"])):
        raise UsageError("--also-model needs an endpoint; name it with --base-url, or a model of OpenAI's with --model")
    for name in indexes[1:]:
        registry.get(name)
    offers = Offers(
        indexes=tuple(dict.fromkeys(indexes)),
        models=tuple(dict.fromkeys(models)),
        careful=named["careful"] or ("check" if _is_embedded(named) else "off"),
    )
    return offers if is_shared else replace(offers, rounds=20, passages=100)  # what settings allow at all


def _systems(names: tuple[str, ...], public: bool) -> tuple[str, ...]:
    """The methods that people may choose: those named beside SearChain, which always is one of them.

    Args:
        names: as they were given, each one name or several with commas between.

    Raises:
        UsageError: there is no such method.
    """
    if names:
        named = [name.strip() for name in ",".join(names).split(",") if name.strip()]
        return tuple(dict.fromkeys(("searchain", *(find(name).name for name in named))))
    return ("searchain", "searchain-paper") if public else tuple(systems())


def _load_behind(ready: SearChain) -> None:
    """Load behind the page the models that not every question needs."""
    from searchain.reading.similarity import QueryEncoder
    from searchain.reading.stance import ByKind

    for part in (ready.similarity, ready.stance):
        if isinstance(part, QueryEncoder | ByKind):
            threading.Thread(target=part.load, name="load", daemon=True).start()


def _serve(
    open_assistant: Callable[..., Any],
    store: Database,
    access: Access,
    host: str,
    port: int,
    share: bool,
    home: int | None,
    offers: Offers,
    named: dict[str, Any],
    is_fetched: bool,
    kept: dict[str, Any],
    provider: Provider | None,
) -> None:
    from searchain.setup.index import Behind
    from ui.api.openai_routes import Api  # here, because Gradio takes seconds that a mistake need not wait for
    from ui.page.app import build, serve
    from ui.page.careful import Careful, Health
    from ui.page.export import Exports
    from ui.page.own_documents import Library
    from ui.page.share import Shares
    from ui.page.sidebar import Searching, Titles
    from ui.server.connections import check_free
    from ui.server.operating import Operating
    from ui.server.people import PeoplePage

    share_arenas()
    check_free(host, port)
    is_encoding = threading.Event()
    atexit.register(_leave, is_encoding)  # before all others register, so that it is called after them
    signal.signal(signal.SIGTERM, _stop)
    index = offers.indexes[0]
    assistant = open_assistant(**named, **({"models": offers.models} if offers.models else {}))
    with ExitStack() as ending:
        ending.callback(time.sleep, _FAREWELL)
        ending.callback(assistant.close)
        if access.who is Who.LOCAL:  # the shell has no user's rights
            ending.enter_context(Door(assistant, place(named)))
        with heard_by(terminal.warn), uncollected():
            ready = assistant.prepare(index=index)
        about = f"{ready.model.name} · index {name_of(ready.index)}"
        titles = None
        if isinstance(ready, SearChain) and isinstance(ready.retriever, Iterable):
            titles = Titles(ready.collection, ready.retriever, access)
        library = Library(store, assistant, access, **kept)
        ending.callback(_close, library, is_encoding)
        careful = Careful(access, offers.careful, is_behind=is_fetched)
        behind = Behind() if DEFAULT in offers.indexes and not named["retriever"] else None
        health = Health(store, lambda: assistant.prepare(index=index), library)
        page = build(
            assistant,
            about=ready.model.name,
            offers=offers,
            access=access,
            exports=Exports(assistant, access),
            shares=Shares(store, access, home, min_free=kept["min_free"]),
            careful=careful,
            library=library,
            titles=titles,
            searching=Searching(access, behind) if behind else None,
            provider=provider,
            others=(
                health,
                Operating(store, health.fault),
                PeoplePage(store, access),
                Api(assistant, access, index, offers.systems),
            ),
        )
        served = serve(page, host=host, port=port, share=share)
        keep_loaded()
        click.echo("\n".join(filter(None, (about, served.url, access.public_url))))
        if behind is not None:
            behind.start(lambda: assistant.prepare(index=index))  # opens what was built before somebody asks
        if is_fetched:
            careful.begin()
        if isinstance(ready, SearChain):
            _load_behind(ready)
        if share:
            lost = "no public link: Gradio’s link service cannot be reached; the page is served at the address above"
            click.echo(served.shared_url or lost, err=served.shared_url is None)
        while True:  # a signal that another thread received is only seen between two waits
            time.sleep(_LOOK)


def _close(library: Library, is_encoding: threading.Event) -> None:
    """Close the library; set ``is_encoding`` if its thread goes on."""
    library.close()
    if library.is_alive:
        is_encoding.set()


def _leave(is_encoding: threading.Event) -> None:
    """End the process at once if a thread is encoding: PyTorch would abort it. The next process encodes again."""
    if is_encoding.is_set():
        os._exit(0)


def _stop(signal_number: int, _: object) -> None:
    """End as ctrl-C does: runs stop, deleted text leaves the file. A second signal ends the process at once."""
    signal.signal(signal_number, signal.SIG_DFL)
    click.echo("stopping", err=True)
    sys.exit(0)


def _add(store: Database, new: list[NewUser]) -> None:
    for name in users.replace_users(store, new):
        click.echo(f"{name} was removed and stays so; to undo that: python assistant.py user add {name}", err=True)
    for user in new:
        warn_of_short(user.password, user.name)
