"""Serve the page in the language of each request, from one Gradio app."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import gradio as gr
from gradio.components import Component

from ui.translation import ENGLISH, language, language_of, speaking

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
