"""The chat page as one Gradio app: its events, and the server behind it."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # Gradio reads it on import, and would report usage without it
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

import gradio as gr
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from assistant import Assistant
from ui.api import openai_routes
from ui.desk import pages
from ui.desk import routes as site
from ui.page import careful as careful_model
from ui.page import checking, export, layout, own_documents, share, sidebar, static
from ui.page.careful import Careful
from ui.page.chat import Chat, of_event
from ui.page.checking import Texts
from ui.page.choices import Chosen, Offers
from ui.page.export import Exports
from ui.page.lacking import Lacking
from ui.page.layout import Translated, in_language
from ui.page.own_documents import Library
from ui.page.share import Shares
from ui.page.sidebar import Searching, Sidebar, Titles
from ui.page.turn_routes import TurnRoutes
from ui.server import connections, operating, people
from ui.server.access import Access
from ui.server.connections import check_free
from ui.server.gradio_events import Events
from ui.server.guard import Guard
from ui.server.oidc import Provider
from ui.server.plain_page import SignIn, broken

EXAMPLES = (
    "What is the capital of the country where Machu Picchu is?",
    "In which year did the pope who commissioned The School of Athens die?",
    "Which is higher, Mount Fuji or Mount Everest?",
    "Who composed The Four Seasons?",
    "When did the Titanic sink?",
    "What is photosynthesis?",
)
"""Questions that the embedded parts answer from the encyclopedia rightly, with a tick; a test asks them."""
_WITH_CHOSEN = "(...inputs) => [...inputs.slice(0, -1), window.searchain?.chosen?.() ?? '']"
"""JavaScript that appends the choices in the settings form, which Gradio does not know, as the last input."""
RULES = (
    *careful_model.RULES,
    *checking.RULES,
    *export.RULES,
    *share.RULES,
    *own_documents.RULES,
    *operating.RULES,
    *people.RULES,
    *openai_routes.RULES,
    *pages.RULES,
)
"""The guard's rules for the page, the desk and the API."""
_PAGES = frozenset(rule.path for rule in RULES if rule.is_page)
_MAX_RUNS = 200  # most open streams; each holds a thread while it waits for events
_REMEMBERED = 500
"""The most opened pages whose state Gradio keeps, closed ones included; ``_forget`` deletes the texts of
closed pages.
"""
_THEME = gr.themes.Default(
    primary_hue="indigo",
    secondary_hue="indigo",
    neutral_hue="slate",
    radius_size="md",
    font=("system-ui", "sans-serif"),
    font_mono=("ui-monospace", "monospace"),
)


class Part(Protocol):
    """A part of the server with routes of its own."""

    @property
    def routes(self) -> Sequence[BaseRoute]: ...


@dataclass(frozen=True, slots=True)
class Page:
    """The page and the routes of its scripts, for ``serve``."""

    blocks: gr.Blocks
    routes: tuple[BaseRoute, ...]
    access: Access
    left: Callable[[str], None]
    """Called with Gradio's session hash of each page that was closed."""


def build(
    assistant: Assistant,
    *,
    about: str,
    access: Access | None = None,
    exports: Exports | None = None,
    shares: Shares | None = None,
    offers: Offers | None = None,
    careful: Careful | None = None,
    library: Library | None = None,
    titles: Titles | None = None,
    searching: Searching | None = None,
    provider: Provider | None = None,
    others: Sequence[Part] = (),
) -> Page:
    """Build the page over ``assistant``.

    Args:
        about: one line that names the model and the host in use.
        access: decides who is asking, and whose conversations are shown; by default the person at this machine.
        exports, shares: add the menus Export and Share.
        offers: the models, indexes and methods that people may choose from.
        careful: fetches the careful model; by default the real one.
        library: adds the panel of own documents.
        titles: lists what can be asked about.
        searching: says in the header how the encyclopedia is searched.
        provider: lets people sign in, beside passwords.
        others: parts that are not seen on the page, such as the API.
    """
    access, offers = access or Access(), offers or Offers()
    careful = careful or Careful(access, offers.careful)
    chat = Chat(assistant, offers, access)
    assistant.deletions.forget()
    with Translated(title="SearChain", analytics_enabled=False, fill_width=True, elem_id="page") as page:
        conversation, running = gr.State(None), gr.State(None)
        layout.top(page, access, exports, shares, titles, searching, is_fetching=careful.is_behind)
        with gr.Row(elem_id="columns"):
            layout.frame(page, lambda: sidebar.frame(access), elem_id="nav-panel")
            with gr.Column(scale=3, min_width=330, elem_id="chat-column"):
                messages = layout.messages(page, titles, EXAMPLES if offers.indexes[0] == "default" else ())
                chosen, question, ask, stop = layout.compose(page, offers, library is not None)
                layout.about(page, about)
            layout.divider(page)
            with gr.Column(scale=2, min_width=320, elem_id="side"):
                reasoning, cards = layout.side(page)

        outputs = [messages, reasoning, cards, conversation, running]
        quiet: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
        stream: dict[str, Any] = {"outputs": outputs, "concurrency_limit": None, "postprocess": False, **quiet}
        chosen_too: dict[str, Any] = {"js": _WITH_CHOSEN, **stream}
        asked = {"fn": in_language(chat.ask), "inputs": [question, conversation, chosen], **chosen_too}
        # what is asked while the last event still ends is asked after it; asking.js and actions.js hold back all else
        question.submit(**asked, trigger_mode="always_last")
        ask.click(**asked, trigger_mode="always_last")
        messages.example_select(_example, None, question, **quiet).then(**asked)
        again = in_language(chat.ask_again)
        reasoning.again(again, [conversation, chosen], trigger_mode="always_last", **chosen_too)
        reasoning.check(in_language(chat.check), [conversation, chosen], **chosen_too)
        reasoning.follow(in_language(chat.follow), conversation, **stream)
        stop.click(chat.stop, running, None, queue=False, **quiet)
        page.load(in_language(chat.open), None, **stream)
    page.queue(default_concurrency_limit=_MAX_RUNS, max_size=1_000, api_open=False)
    parts: list[Part | None] = [
        *(Sidebar(assistant, access, library.store if library else None), Chosen(assistant, access, offers)),
        *(TurnRoutes(assistant, access), Texts(access), careful, library),
        Lacking(library.store, assistant, access, offers) if library else None,
        *(titles, searching, exports, shares, *others),
        SignIn(access, access.store, _PAGES, provider) if access.store else None,
    ]
    return Page(page, tuple(route for part in parts if part is not None for route in part.routes), access, chat.left)


@dataclass(frozen=True, slots=True)
class Served:
    """A page that is served until ``close`` is called."""

    page: Page
    url: str
    shared_url: str | None

    def close(self) -> None:
        self.page.blocks.close(verbose=False)


def serve(page: Page, *, host: str, port: int, share: bool = False) -> Served:
    """Serve ``page`` and the annotation desk.

    Only people whom the page's ``access`` admits are served. Returns when the address answers. Raises ``SetupError`` if
    the port is taken; the message names a free one.
    """
    check_free(host, port)
    access = page.access
    routes = [*page.routes, *(site.routes(access.store, access) if access.store else ())]
    # proxies whose headers are trusted for visitors' addresses: one on this machine, else those named in this variable
    os.environ.setdefault("FORWARDED_ALLOW_IPS", "127.0.0.1" if share or access.public_url else "")
    _, url, shared_url = page.blocks.launch(
        server_name=host,
        server_port=port,
        share=share,
        prevent_thread_lock=True,
        quiet=True,
        inbrowser=False,
        max_threads=_MAX_RUNS,
        max_file_size="1kb",
        state_session_capacity=_REMEMBERED,
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        ssr_mode=False,
        pwa=False,
        mcp_server=False,
        show_error=False,
        _frontend=False,  # else a busy machine that takes 3 s to answer is an error; ``launch`` has asked it before
        theme=_THEME,
        css=static.style(),
        head=sidebar.HEAD + static.HEAD,
        app_kwargs={
            "middleware": [
                Middleware(Guard, access=access, rules=RULES),
                Middleware(
                    Events,
                    inputs={number: len(handler.inputs) for number, handler in page.blocks.fns.items()},
                    sessions=page.blocks._queue.pending_messages_per_session,
                    on_closed=partial(_forget, page),
                ),
            ],
            "routes": routes,
            "docs_url": None,
            "redoc_url": None,
            "exception_handlers": {HTTPException: broken},
        },
    )
    connections.apply(page.blocks.server.config)
    return Served(page, url, shared_url)


def _example(choice: gr.EventData) -> str:
    value = of_event(choice, "value")
    return str(value["text"]) if isinstance(value, dict) and "text" in value else ""


def _forget(page: Page, session_hash: str) -> None:
    """Delete the texts of an opened ``page`` that was closed or has lost its connection, and what was temporary in it.

    Gradio keeps the last text of every part of every page, a megabyte each. It needs them only for deep links, which
    this page does not have, and collects them again if the page reconnects. The conversation's state is kept. Gradio's
    own event for closed pages is slow, and many pages may be closed at once.
    """
    page.left(session_hash)
    session = page.blocks.state_holder.session_data.get(session_hash)
    if session is not None:
        session.config_values.clear()
