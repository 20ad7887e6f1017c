"""The page: its layout, its events, and the server behind it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # Gradio reads it on import; else it reports to its makers
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

import gradio as gr
from gradio.route_utils import FnIndexInferError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route

from assistant import Assistant
from ui.api import openai_routes
from ui.api.gradio_calls import Calls, no_endpoint
from ui.api.gradio_endpoints import Endpoints
from ui.api.openai_routes import Api
from ui.desk import pages
from ui.desk import routes as site
from ui.html import render
from ui.page import careful as careful_model
from ui.page import evidence, export, own_documents, settings_form, share, sidebar, static, tree_view
from ui.page.careful import Careful
from ui.page.chat import Chat, of_event
from ui.page.choices import Offers
from ui.page.export import Exports
from ui.page.own_documents import Library
from ui.page.replay import SPEEDS, Replay
from ui.page.settings_form import Chosen
from ui.page.share import Shares
from ui.page.sidebar import Sidebar
from ui.page.titles import Titles
from ui.page.translated import Translated, in_language
from ui.page.turn_routes import TurnRoutes
from ui.server.access import Access
from ui.server.guard import Guard
from ui.server.plain_page import broken
from ui.server.ports import check_free
from ui.server.sign_in import SignIn
from ui.translation import N_, _

EXAMPLES = (
    "On which Japanese island is the city where Nintendo has its headquarters?",
    "In which year did the pope who commissioned The School of Athens die?",
    "In which country was Rudyard Kipling born?",  # the embedded model is sure, and wrong
    "Which is higher, Mount Fuji or Mount Everest?",
    "The Eiffel Tower was built before the Statue of Liberty.",
    "How do vaccines work?",
)
_WITH_CHOSEN = "(...inputs) => [...inputs.slice(0, -1), window.searchain?.chosen?.() ?? '']"
"""The settings form is the page's own; what was chosen in it goes with the question, as its last input."""
_WITH_SPEED = "(...inputs) => [...inputs.slice(0, -1), document.getElementById('replay-speed').value]"
RULES = (
    *careful_model.RULES,
    *export.RULES,
    *share.RULES,
    *own_documents.RULES,
    *openai_routes.RULES,
    *pages.RULES,
)
"""What the guard asks of whoever uses the page, the desk and the API."""
_PAGES = frozenset(rule.path for rule in RULES if rule.is_page)
_MAX_RUNS = 200  # open streams; each holds a thread while it waits for events
_THEME = gr.themes.Default(
    primary_hue="indigo",
    secondary_hue="indigo",
    neutral_hue="slate",
    radius_size="md",
    font=("system-ui", "sans-serif"),
    font_mono=("ui-monospace", "monospace"),
)


@dataclass(frozen=True, slots=True)
class Page:
    """What ``serve`` serves: the page and the routes that its scripts use."""

    blocks: gr.Blocks
    routes: tuple[Route, ...]


def build(
    assistant: Assistant,
    *,
    about: str,
    index: str = "default",
    access: Access | None = None,
    exports: Exports | None = None,
    shares: Shares | None = None,
    offers: Offers | None = None,
    careful: Careful | None = None,
    library: Library | None = None,
    titles: Titles | None = None,
) -> Page:
    """The page over ``assistant``.

    ``about`` is one line that names model and host in use; questions are answered from ``index``, or as ``offers`` lets
    people choose. ``access`` tells who is asking, and sees no others' conversations; by default it is the person at
    this machine. ``exports`` and ``shares``, which ``serve`` then needs too, give the page their menus, ``library`` its
    panel of documents, ``titles`` what can be asked about. ``careful`` fetches the careful model; by default the real
    one.
    """
    access, offers = access or Access(), offers or Offers(indexes=(index,))
    chat, replay = Chat(assistant, offers, access), Replay(assistant, access)
    with Translated(title="SearChain", analytics_enabled=False, fill_width=True, elem_id="page") as page:
        Endpoints(assistant, index, access).add()  # first: events of the same names get others
        conversation, running = gr.State(None), gr.State(None)
        _top(page, access, exports, shares, titles)
        with gr.Row(elem_id="columns"):
            _frame(page, lambda: sidebar.frame(access), elem_id="nav-panel")
            with gr.Column(scale=3, min_width=330, elem_id="chat-column"):
                messages = _messages(page, titles)
                chosen, question, ask, stop = _compose(page, offers, library is not None)
                _frame(page, lambda: render("page/about.html", about=about), elem_id="about-panel")
            with gr.Column(scale=2, min_width=320, elem_id="side"):
                again, speed, reasoning, cards = _side(page)

        outputs = [messages, reasoning, cards, conversation, running]
        quiet: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
        stream: dict[str, Any] = {"outputs": outputs, "concurrency_limit": None, "postprocess": False, **quiet}
        asked: dict[str, Any] = {
            "fn": in_language(chat.ask),
            "inputs": [question, conversation, running, chosen],
            "js": _WITH_CHOSEN,
            **stream,
        }
        question.submit(**asked)
        ask.click(**asked)
        messages.example_select(_example, None, question, **quiet).then(**asked)
        reasoning.again(in_language(chat.ask_again), [conversation, running, chosen], js=_WITH_CHOSEN, **stream)
        again.click(in_language(replay.show), [conversation, running, speed], js=_WITH_SPEED, **stream)
        stop.click(chat.stop, running, None, queue=False, **quiet)
        stop.click(replay.hurry, running, None, queue=False, **quiet)
        page.load(in_language(chat.open), None, **stream)
    page.queue(default_concurrency_limit=_MAX_RUNS, max_size=1_000, api_open=False)
    parts = (
        Sidebar(assistant, access),
        Chosen(assistant, access, offers),
        TurnRoutes(assistant, access),
        careful or Careful(access, offers.careful),
    )
    others = [route for part in (library, titles) if part is not None for route in part.routes]
    return Page(page, (*(route for part in parts for route in part.routes), *others))


def _frame(page: Translated, make: Callable[[], str], **options: Any) -> gr.HTML:
    """A part of the page's own HTML, made anew in each language."""
    part = gr.HTML(make(), apply_default_css=False, **options)
    page.speak(part, lambda: {"value": str(make())})
    return part


def _top(
    page: Translated, access: Access, exports: Exports | None, shares: Shares | None, titles: Titles | None
) -> None:
    with gr.Row(elem_id="top"):
        _frame(page, lambda: render("page/header.html", **_known(titles)))
        if exports is not None:
            _frame(page, export.menu, elem_id="export", js_on_load=export.SCRIPT)
        if shares is not None:
            _frame(page, lambda: share.menu(access), elem_id="share")
        if access.store is not None:
            _frame(page, lambda: site.link(access), elem_id="annotate-panel")
        _frame(page, lambda: render("page/new.html"), elem_id="new-panel")


def _known(titles: Titles | None) -> dict[str, object]:
    """What is searched, for the templates that say so."""
    if titles is None:
        return {"knows": "", "has_titles": False}
    collection = titles.collection
    number = f"{collection.passages:,} " if collection.passages else ""
    return {"knows": f"{number}{_(collection.holds)}", "has_titles": True}


_HOLDS = (N_("introductions of English Wikipedia articles"), N_("passages"))
"""What collections hold, as far as it is known beforehand."""


def _called(index: str) -> str:
    """``index`` by the name that people know it by."""
    return _("the encyclopedia") if index == "default" else f"“{index}”"


def _messages(page: Translated, titles: Titles | None) -> gr.Chatbot:
    def words() -> dict[str, Any]:
        return {"label": _("Conversation"), "placeholder": str(render("page/welcome.html", **_known(titles)))}

    messages = gr.Chatbot(
        **words(),
        show_label=False,
        elem_id="chat",
        height=None,
        latex_delimiters=[],
        buttons=[],
        allow_tags=False,
        feedback_options=None,
        container=False,
        layout="panel",
        autoscroll=False,  # it takes readers to the end from wherever they are: see static/scrolling.js
        examples=[{"text": text} for text in EXAMPLES],
    )
    page.speak(messages, words)
    return messages


def _compose(
    page: Translated, offers: Offers, has_library: bool
) -> tuple[gr.Textbox, gr.Textbox, gr.Button, gr.Button]:
    """The line below the conversation: what is chosen and asked, and the buttons Ask and Stop."""
    with gr.Row(elem_id="compose"):
        _frame(page, lambda: settings_form.form(offers), elem_id="settings-panel")
        if has_library:
            _frame(page, lambda: own_documents.panel(_called(offers.indexes[0])), elem_id="documents-panel")
        chosen = gr.Textbox(visible=False)
        question = gr.Textbox(
            **_asking(),
            show_label=False,
            lines=1,
            max_lines=6,
            container=False,
            scale=1,
            min_width=160,
            autofocus=True,
            elem_id="question",
        )
        page.speak(question, _asking)
        ask = _button(page, N_("Ask"), variant="primary", min_width=88, elem_id="ask")
        stop = _button(page, N_("Stop"), variant="secondary", min_width=88, elem_id="stop")
    return chosen, question, ask, stop


def _asking() -> dict[str, Any]:
    return {"placeholder": _("Ask a question"), "label": _("Question")}


def _button(page: Translated, word: str, **options: Any) -> gr.Button:
    button = gr.Button(word, scale=0, **options)
    page.speak(button, lambda: {"value": _(word)})
    return button


def _side(page: Translated) -> tuple[gr.Button, gr.Textbox, gr.HTML, gr.HTML]:
    """The column beside the conversation: the sources, how they were found, and the button Replay with its speed."""
    _frame(page, lambda: render("page/side_head.html"), elem_id="sources-head")
    cards = _frame(page, lambda: evidence.panel(()), elem_id="evidence-panel")
    with gr.Row(elem_id="reasoning-head"):
        _frame(page, lambda: render("page/tree_head.html", speeds=SPEEDS))
        speed = gr.Textbox(visible=False)
        again = _button(page, N_("Replay"), size="sm", elem_id="replay", min_width=90)
    reasoning = _frame(page, lambda: tree_view.panel((), None), elem_id="reasoning-panel", js_on_load=static.script())
    return again, speed, reasoning, cards


@dataclass(frozen=True, slots=True)
class Served:
    """A page that is being served until ``close``."""

    page: Page
    url: str
    shared_url: str | None

    def close(self) -> None:
        self.page.blocks.close(verbose=False)


def serve(
    page: Page,
    *,
    host: str,
    port: int,
    share: bool = False,
    access: Access | None = None,
    api: Api | None = None,
    exports: Exports | None = None,
    shares: Shares | None = None,
) -> Served:
    """Serve ``page`` to those whom ``access`` lets in, the sign-in page, the annotation desk, ``api``, ``exports`` and
    ``shares``.

    Returns when the address answers.

    Raises:
        SetupError: the port is taken; the message names a free one.
    """
    check_free(host, port)
    access = access or Access()
    routes = [
        *page.routes,
        *(SignIn(access, access.store, _PAGES).routes if access.store else ()),
        *(api.routes if api else ()),
        *(exports.routes if exports else ()),
        *(shares.routes if shares else ()),
        *(site.routes(access.store, access) if access.store else ()),
    ]
    # whose headers say where visitors come from: Gradio's tunnel, and otherwise whom this variable names
    os.environ.setdefault("FORWARDED_ALLOW_IPS", "127.0.0.1" if share else "")
    _, url, shared_url = page.blocks.launch(
        server_name=host,
        server_port=port,
        share=share,
        prevent_thread_lock=True,
        quiet=True,
        inbrowser=False,
        max_threads=_MAX_RUNS,
        max_file_size="1kb",
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        ssr_mode=False,
        pwa=False,
        mcp_server=False,
        show_error=False,
        theme=_THEME,
        css=static.style(),
        head=sidebar.HEAD + static.HEAD,
        app_kwargs={
            "middleware": [
                Middleware(Guard, access=access, rules=RULES),
                _calls(page.blocks),
            ],
            "routes": routes,
            "docs_url": None,
            "redoc_url": None,
            "exception_handlers": {FnIndexInferError: no_endpoint, HTTPException: broken},
        },
    )
    return Served(page, url, shared_url)


def _calls(blocks: gr.Blocks) -> Middleware:
    """What refuses events that the page does not have."""
    inputs = {number: len(handler.inputs) for number, handler in blocks.fns.items()}
    return Middleware(Calls, inputs=inputs, sessions=blocks._queue.pending_messages_per_session)


def _example(choice: gr.EventData) -> str:
    value = of_event(choice, "value")
    return str(value["text"]) if isinstance(value, dict) and "text" in value else ""
