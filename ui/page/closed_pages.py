"""Frees the texts of closed pages: Gradio keeps the last text of every part of every page, a megabyte each."""

from __future__ import annotations

from collections.abc import Callable

import gradio as gr


def forgetting(blocks: gr.Blocks) -> Callable[[gr.Request], None]:
    """Return the handler for a page of ``blocks`` that was closed or has lost its connection.

    The conversation's state is kept, so a page that reconnects can continue. The texts serve only Gradio's deep links,
    which this page does not have; they are collected again if the page reconnects.
    """

    def forget(request: gr.Request) -> None:
        session = blocks.state_holder.session_data.get(request.session_hash or "")
        if session is not None:
            session.config_values.clear()

    return forget
