"""``annotate serve``: the annotation desk without the chat."""

from __future__ import annotations

from pathlib import Path

import click

from searchain.errors import UsageError
from storage.database import Database
from storage.database import default_path as database_path
from storage.people import users
from ui.cli import options

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=7861, show_default=True, help="The port to listen on.")
@options.database
def serve(host: str, port: int, db: Path | None) -> None:
    """Serve the annotation desk and its API, without the chat.

    It needs neither models nor an index. By default it is for the person at this machine; with users (`user add`)
    everybody signs in, and programs send `Authorization: Bearer TOKEN` (`user token`). Ends with ctrl-C.
    """
    import uvicorn  # here, because `--help` need not pay for it

    from ui.desk.routes import app
    from ui.server.access import Access, Who
    from ui.server.ports import check_free

    check_free(host, port)
    store = Database(db or database_path())
    try:
        who = Who.USERS if users.are_there(store) else Who.LOCAL
        if who is Who.LOCAL and host not in _LOOPBACK:
            raise UsageError(
                f"--host {host} lets others use the desk; add users first: python assistant.py user add NAME"
            )
        access = Access(who, store, answers_to_any_host=host not in _LOOPBACK)
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"The annotation desk: http://{shown}:{port}/annotate  (ctrl-C ends it)", err=True)
        uvicorn.run(app(store, access), host=host, port=port, log_level="warning", access_log=False)
    finally:
        store.close()
