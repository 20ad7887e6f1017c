"""The page in the language of whoever asks for it: one Gradio app, whose first picture is told anew for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import gradio as gr
from gradio.components import Component

from ui.translation import ENGLISH, language, language_of, speaking

Props = Callable[[], dict[str, Any]]
"""Makes the properties of a component that hold words, in the present language."""
P = ParamSpec("P")
T = TypeVar("T")


class Translated(gr.Blocks):
    """Blocks whose configuration, which is what a browser gets first, speaks the language of the request."""

    _config: Any = None

    def speak(self, component: Component, props: Props) -> None:
        """Let ``props`` make the words of ``component``, which was made with the English ones."""
        self._words[component._id] = props

    @property
    def _words(self) -> dict[int, Props]:
        return self.__dict__.setdefault("words", {})

    @property
    def config(self) -> Any:
        """As Gradio made it, with the words of the present language."""
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
    """A handler of events that speaks the language of its request. Gradio takes each frame in a context of its own."""

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
