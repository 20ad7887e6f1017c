"""``assistant.py mcp``: offer the assistant's tools to programs that speak the Model Context Protocol."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from typing import TYPE_CHECKING, Any

import click

from searchain.errors import UsageError
from storage.database import Database, default_path
from storage.people import users
from ui.cli import options
from ui.server import spans
from ui.server.access import Access, Who
from ui.server.limits import allowed

if TYPE_CHECKING:
    from assistant import Assistant

log = logging.getLogger(__name__)


@click.command()
@click.option("--http", "is_http", is_flag=True, help="Serve over HTTP at /mcp, instead of standard input and output.")
@click.option("--host", default="127.0.0.1", help="With --http: the address to listen on.")
@click.option("--port", type=click.IntRange(1, 65_535), default=7862, help="With --http: the port to listen on.")
@options.public_url("--http and users")
@options.tokens_per_day
@click.option("--index", metavar="NAME", default="default", help="The index to search.")
@options.careful("check, where it is installed and no other model is named")
@options.parts
@options.database
@click.pass_obj
def mcp(
    open_assistant: Callable[..., Any],
    is_http: bool,
    host: str,
    port: int,
    public_url: str | None,
    tokens_per_day: int | None,
    index: str,
    **named: Any,
) -> None:
    """Offer ask, check, search and open_source to MCP clients.

    A client starts this command and speaks with it over standard input and output. With --http it is served to
    programs on this machine; where users were added, or with another --host, each needs a token (`user token`).
    """
    store = Database(named["db"] or default_path())
    with closing(store), spans.sending() as named["watch"]:
        if is_http:
            _serve_tools(open_assistant, store, host, port, public_url, tokens_per_day, index, named)
        else:
            _speak(open_assistant, Access(Who.LOCAL, store, tokens_per_day=tokens_per_day), index, named)


def _speak(open_assistant: Callable[..., Any], access: Access, index: str, named: dict[str, Any]) -> None:
    """Serve over standard input and output; nothing else is written to standard output."""
    from ui.api.mcp_tools import Tools  # here, because `--help` need not load it

    if sys.stdin.isatty():
        click.echo("an MCP client starts this command itself; see docs/mcp.md. ctrl-D ends it.", err=True)
    with redirect_stdout(sys.stderr):  # the server itself keeps what is printed later from standard output
        assistant: Assistant = open_assistant(**named)
    try:
        # a client waits only a short time for its server to start, so the models load meanwhile
        threading.Thread(target=_prepare, args=(assistant, index), name="prepare", daemon=True).start()
        Tools(assistant, access, index).server().run("stdio")
    finally:
        assistant.close()


def _serve_tools(
    open_assistant: Callable[..., Any],
    store: Database,
    host: str,
    port: int,
    public_url: str | None,
    tokens_per_day: int | None,
    index: str,
    named: dict[str, Any],
) -> None:
    from ui.api import mcp_tools  # here, because `--help` need not load it
    from ui.api.mcp_tools import Tools
    from ui.server.connections import check_free

    who = Who.USERS if users.are_there(store) else Who.LOCAL
    public = "--public-url (SEARCHAIN_PUBLIC_URL)" if public_url else ""
    others = f"--host {host}" if host not in options.LOOPBACK else public
    if others and who is Who.LOCAL:
        raise UsageError(f"{others} lets others ask; add users (`user add NAME`) first, or leave {others} out")
    check_free(host, port)
    limits = allowed(None, None, who is not Who.LOCAL) | {"tokens_per_day": tokens_per_day}
    access = Access(who, store, answers_to_any_host=bool(others), public_url=public_url, **limits)
    assistant: Assistant = open_assistant(**named)
    try:
        ready = assistant.prepare(index=index)
        here = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        click.echo(f"{ready.model.name} · {access.public_url or here}{mcp_tools.PATH}")
        mcp_tools.serve(Tools(assistant, access, index).server(), access, host, port)
    finally:
        assistant.close()


def _prepare(assistant: Assistant, index: str) -> None:
    try:
        assistant.prepare(index=index)
    except Exception as error:  # the first question meets it again, and is answered with it
        log.warning("the models could not be loaded yet", exc_info=error)
