"""The embedded default: SmolLM2-135M in llama.cpp's own server, within this process, on loopback.

The server speaks the OpenAI protocol, so it is used through ``OpenAIModel`` like any other; what is special is that
each form has a grammar, and that the project's planner adapter is applied to the forms it was trained on.
"""

from __future__ import annotations

import atexit
import secrets
import threading
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from searchain import assets
from searchain.cancel import CancelToken
from searchain.errors import SetupError
from searchain.llm.base import Form
from searchain.types import Message, Usage

NAME = "SmolLM2-135M (embedded)"
ADAPTERS = Path(str(resources.files("searchain"))) / "weights" / "planner"
ADAPTED_FORMS = (Form.CHAIN,)
"""The forms that the planner adapter was trained on."""


class EmbeddedModel:
    """The language model that needs no account: ``stream`` starts the server at first use. Thread-safe."""

    name = NAME

    def __init__(self, adapter: Path | None = None, *, slots: int = 2, context: int = 4096) -> None:
        """``slots`` requests are served at a time, each with ``context`` tokens for prompt and reply.

        ``adapter`` is a LoRA adapter in GGUF form; the default is the committed planner, if there is one.
        """
        self._adapter = adapter or next(iter(sorted(ADAPTERS.glob("*.gguf"))), None)
        self._slots = slots
        self._context = context
        self._lock = threading.Lock()
        self._server: Any = None
        self._client: Any = None

    def stream(self, messages: Sequence[Message], *, form: Form | None = None, max_tokens: int | None = None,
               cancel: CancelToken | None = None) -> Iterator[str | Usage]:
        """See ``LanguageModel.stream``.

        Raises:
            SetupError: the model's file or the server cannot be used.
            ContextTooLong, ModelTimeout, ModelServerError: the request failed.
            Cancelled: ``cancel`` was set.
        """
        self.start()
        return self._client.stream(messages, form=form, max_tokens=max_tokens, cancel=cancel)

    def start(self) -> None:
        """Start the server unless it runs: about half a second.

        Raises:
            SetupError: the model's file or the server cannot be used.
        """
        with self._lock:
            if self._server is None:
                self._server, self._client = self._started()
                atexit.register(self.close)

    def close(self) -> None:
        """Stop the server; a later request starts it again."""
        with self._lock:
            self._server = self._client = None

    def _started(self) -> tuple[Any, Any]:
        import xllamacpp

        from searchain.llm.openai import OpenAIModel

        key = secrets.token_urlsafe(16)  # other users of the machine have no business here
        params = xllamacpp.CommonParams()
        params.model.path = str(assets.find(assets.SMOLLM2))
        params.n_ctx = self._slots * self._context
        params.n_parallel = self._slots
        params.cache_ram_mib = 256
        params.api_keys = [key]
        params.ui = False
        params.verbosity = 0
        params.offline = True
        if self._adapter:
            params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(self._adapter), 1.0)]
            params.lora_init_without_apply = True
        try:
            server = xllamacpp.Server(params)
        except Exception as error:
            raise SetupError(f"the embedded model did not start ({_line(error)}); run: make repair") from error
        return server, OpenAIModel("embedded", server.listening_address + "/v1", key, name=NAME,
                                   extra_body={form: self._fields(form) for form in (*Form, None)})

    def _fields(self, form: Form | None) -> dict[str, Any]:
        """llama.cpp's own request fields for a form."""
        fields: dict[str, Any] = {"cache_prompt": True}
        if form is not None:
            fields["grammar"] = (resources.files("searchain.llm") / "grammars" / f"{form.value}.gbnf").read_text()
        if self._adapter:
            fields["lora"] = [{"id": 0, "scale": 1.0 if form in ADAPTED_FORMS else 0.0}]
        return fields


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
