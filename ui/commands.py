"""``assistant.py chat``: serve the page."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import click

from searchain import options
from searchain.errors import UsageError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65_535), default=7860, show_default=True,
              help="The port to listen on.")
@click.option("--share", is_flag=True, help="Also make a public Gradio link, for up to a week; needs --public.")
@click.option("--public", is_flag=True, help="Let whoever reaches the page chat; each visitor sees only their own.")
@click.option("--index", metavar="NAME", default="default", show_default=True, help="The index to search.")
@options.parts
@options.database
@click.pass_obj
def chat(open_assistant: Callable[..., Any], host: str, port: int, share: bool, public: bool, index: str,
         **named: Any) -> None:
    """Serve the chat page until ctrl-C.

    On this machine alone by default. Another --host, or --share, needs --public.
    """
    if (share or host not in _LOOPBACK) and not public:
        what = "--share" if share else f"--host {host}"
        raise UsageError(f"{what} lets others use this page; add --public to allow that, or leave {what} out")
    from ui.app import build, check_free, serve  # here, because Gradio takes seconds that a mistake need not wait for

    check_free(host, port)
    assistant = open_assistant(**named)
    try:
        ready = assistant.prepare(index=index)
        about = f"{ready.model.name} · index {ready.index}"
        page = build(assistant, about=about, index=index, is_local=not public)
        served = serve(page, host=host, port=port, share=share, is_local=not public)
        click.echo(f"{about}\n{served.url}")
        if share:
            click.echo(served.shared_url or "no public link: Gradio’s link service cannot be reached; the page is "
                       "served at the address above", err=served.shared_url is None)
        threading.Event().wait()
    finally:
        assistant.close()
