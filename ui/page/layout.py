"""The parts of the chat page, from its top line to the column of sources."""

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import gradio as gr
from gradio.components import Component
from markupsafe import Markup

from ui.html import render
from ui.page import checking, choices, evidence, export, own_documents, share, static, tree_view
from ui.page.choices import Offers
from ui.page.export import Exports
from ui.page.share import Shares
from ui.page.sidebar import Searching, Titles
from ui.server.access import Access
from ui.show.signs import REPLIES, SENTENCES, VERDICTS
from ui.translation import ENGLISH, N_, _, language, language_of, number, speaking

Props = Callable[[], dict[str, Any]]
"""Returns the texts of a component, in the language of the request."""
P = ParamSpec("P")
T = TypeVar("T")


class Translated(gr.Blocks):
    """Gradio ``Blocks`` that send their configuration in the language of the request."""

    _config: Any = None

    def speak(self, component: Component, props: Props) -> None:
        """Register ``props`` as the source of the texts of ``component``, which was built with English ones."""
        self._words[component._id] = props

    @property
    def _words(self) -> dict[int, Props]:
        return self.__dict__.setdefault("words", {})

    @property
    def config(self) -> Any:
        """Gradio's configuration, with the texts in the language of the request."""
        if self._config is None or language() == ENGLISH:
            return self._config
        components = [
            one | {"props": one["props"] | self._words[one["id"]]()} if one["id"] in self._words else one
            for one in self._config["components"]
        ]
        return self._config | {"components": components}

    @config.setter
    def config(self, config: Any) -> None:
        self._config = config


def in_language(handler: Callable[P, Iterator[T]]) -> Callable[P, Iterator[T]]:
    """Wrap an event handler so that each frame, which Gradio runs in its own context, has the request's language."""

    @wraps(handler)
    def spoken(*args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        request = next((one for one in (*args, *kwargs.values()) if isinstance(one, gr.Request)), None)
        tag = language_of(request.headers) if request is not None and request.headers is not None else ENGLISH
        frames = handler(*args, **kwargs)
        try:
            while True:
                with speaking(tag):
                    try:
                        frame = next(frames)
                    except StopIteration:
                        return
                yield frame
        finally:
            frames.close()  # type: ignore[attr-defined]

    return spoken


def frame(page: Translated, make: Callable[[], str], **options: Any) -> gr.HTML:
    """Add HTML that is not a Gradio component; ``make`` writes it in the reader's language."""
    part = gr.HTML(make(), apply_default_css=False, **options)
    page.speak(part, lambda: {"value": str(make())})
    return part


def top(
    page: Translated,
    access: Access,
    exports: Exports | None,
    shares: Shares | None,
    titles: Titles | None,
    searching: Searching | None,
    *,
    is_fetching: bool,
) -> None:
    """Add the top line: the name, what is searched and how, the menus and the button for a new conversation."""
    with gr.Row(elem_id="top"):
        behind = {"is_built_behind": searching is not None, "is_fetching": is_fetching}
        frame(page, lambda: render("page/header.html", check=checking.panel(), **_known(titles), **behind))
        if exports is not None:
            frame(page, export.menu, elem_id="export", js_on_load=export.SCRIPT)
        if shares is not None:
            frame(page, lambda: share.menu(access), elem_id="share")
        frame(page, lambda: render("page/new.html"), elem_id="new-panel")


def _known(titles: Titles | None) -> dict[str, object]:
    """Describe the searched collection, for the templates."""
    if titles is None:
        return {"knows": "", "has_titles": False}
    collection = titles.collection
    size = f"{number(collection.passages)} " if collection.passages else ""
    return {"knows": f"{size}{_(collection.holds)}", "has_titles": True}


_HOLDS = (N_("introductions of English Wikipedia articles"), N_("passages"))
"""Descriptions of collections, marked for translation."""


def _called(index: str) -> str:
    return _("the encyclopedia") if index == "default" else _("“{words}”", words=index)


def messages(page: Translated, titles: Titles | None, examples: Sequence[str]) -> gr.Chatbot:
    """Add the conversation; while it is empty, it shows the ``examples`` of questions."""

    def words() -> dict[str, Any]:
        return {"label": _("Conversation"), "placeholder": str(render("page/welcome.html", **_known(titles)))}

    chatbot = gr.Chatbot(
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
        autoscroll=False,  # it moves readers to the end from wherever they are: see static/scrolling.js
        examples=[{"text": text} for text in examples],
    )
    page.speak(chatbot, words)
    return chatbot


def compose(page: Translated, offers: Offers, has_library: bool) -> tuple[gr.Textbox, gr.Textbox, gr.Button, gr.Button]:
    """Add the line below the conversation: settings, documents, question box, and the buttons Ask and Stop."""
    with gr.Row(elem_id="compose"):
        frame(page, lambda: choices.form(offers), elem_id="settings-panel")
        if has_library:
            frame(page, lambda: own_documents.panel(_called(offers.indexes[0])), elem_id="documents-panel")
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


def about(page: Translated, line: str) -> None:
    """Add the line about the model, and the sheet that says what signs mean and which keys there are."""

    def words() -> Markup:
        legend = [(_("A reply"), REPLIES), (_("A sentence"), SENTENCES.values()), (_("A step"), VERDICTS.values())]
        return render("page/about.html", about=line, legend=legend, keys=[(key, _(does)) for key, does in _KEYS])

    frame(page, words, elem_id="about-panel")


_KEYS = (
    ("/", N_("type a question")),
    (".", N_("open the next source")),
    ("a", N_("ask about the words selected in a source, or about the source that is open")),
    ("x", N_("stop the reply")),
    ("n", N_("begin a new conversation")),
    ("t", N_("begin a temporary conversation")),
    ("u", N_("bring back what was just deleted")),
    ("c", N_("check a text")),
    ("s", N_("search conversations and documents")),
    ("← → ↑ ↓", N_("move in a row of buttons, in the list of conversations and in the tree")),
    ("Esc", N_("lead back, and close what is open")),
    ("?", N_("show this")),
)
"""Keys of ``ui/page/static/keys.js``, and what they do."""


def divider(page: Translated) -> None:
    """Add the line between the conversation and its sources, which shares out the width and folds the sources."""
    frame(page, lambda: render("page/divider.html", least=40, most=80, usual=62), elem_id="divider")


def side(page: Translated) -> tuple[gr.HTML, gr.HTML]:
    """Add the column beside the conversation: the tree of searches and the sources."""
    frame(page, lambda: render("page/side_head.html"), elem_id="sources-head")
    cards = frame(page, lambda: evidence.panel(()), elem_id="evidence-panel")
    frame(page, lambda: render("page/tree_head.html"), elem_id="reasoning-head")
    reasoning = frame(page, lambda: tree_view.panel((), None), elem_id="reasoning-panel", js_on_load=static.script())
    return reasoning, cards
