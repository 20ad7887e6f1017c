"""Forget what closed pages showed: Gradio keeps the last text of every part of every page, a megabyte each."""

from __future__ import annotations

from collections.abc import Callable

import gradio as gr


def forgetting(blocks: gr.Blocks) -> Callable[[gr.Request], None]:
    """Return the handler for a page of ``blocks`` that was closed, or has lost its connection.

    Its conversation is kept, so a page that comes back goes on in it. The texts were for Gradio's deep links, which
    this page does not have, and are gathered anew if it does come back.
    """

    def forget(request: gr.Request) -> None:
        session = blocks.state_holder.session_data.get(request.session_hash or "")
        if session is not None:
            session.config_values.clear()

    return forget
