"""The embedded default: SmolLM2-135M in llama.cpp's own server, within this process, on loopback.

The server speaks the OpenAI protocol, so it is used through ``OpenAIModel`` like any other; what is special is that
each form has a grammar, and that the project's planner adapter is applied to the forms it was trained on.
"""

from __future__ import annotations

import atexit
import secrets
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from searchain.cancel import CancelToken
from searchain.embedded import assets
from searchain.errors import SetupError
from searchain.files.checkout import REPAIR
from searchain.llm.base import GREEDY, TRAINED, Form, Piece, Sampling
from searchain.llm.grammars import grammar
from searchain.types import Message

if TYPE_CHECKING:
    from searchain.llm.openai import OpenAIModel

NAME = "SmolLM2-135M (embedded)"
OPENNESS = 2.4
"""What is taken from the logit of leaving a step open. The planner learnt from plans with hardly any step answered, and
without this answers none; with it the one in five of simple questions of which it is surest, about 60 % of them rightly
(the rest is what evidence corrects)."""


def committed_adapters() -> dict[Form, Path]:
    """The project's planner adapters; a file is named after the forms it was trained on, as in ``chain-final.gguf``."""
    folder = Path(str(resources.files("searchain"))) / "weights" / "planner"
    return {Form(form): path for path in sorted(folder.glob("*.gguf")) for form in path.stem.split("-")}


class EmbeddedModel:
    """The language model that needs no account: ``stream`` starts the server at first use. Thread-safe."""

    name = NAME

    def __init__(self, adapters: Mapping[Form, Path] | None = None, *, slots: int = 2, context: int = 4096) -> None:
        """``slots`` requests are served at a time, each with ``context`` tokens for prompt and reply.

        ``adapters`` are LoRA adapters in GGUF form, each applied to its form; by default those committed.
        """
        self._adapters = committed_adapters() if adapters is None else adapters
        self._files = tuple(dict.fromkeys(self._adapters.values()))
        self._slots = slots
        self._context = context
        self.address = ""
        """Where the server listens, for those who want to look at it; ``key`` opens it."""
        self.key = secrets.token_urlsafe(16)  # other users of the machine have no business here
        self.abilities = replace(TRAINED, knows_forms=Form.CHAIN in self._adapters)
        self._lock = threading.Lock()
        self._server: Any = None
        self._client: OpenAIModel | None = None

    def stream(
        self,
        messages: Sequence[Message],
        *,
        form: Form | None = None,
        max_tokens: int | None = None,
        cancel: CancelToken | None = None,
        sampling: Sampling = GREEDY,
        has_grammar: bool = True,
    ) -> Iterator[Piece]:
        """See ``LanguageModel.stream``; without ``has_grammar`` nothing but its training keeps the model to the form.

        Raises:
            SetupError: the model's file or the server cannot be used.
            ContextTooLong, ModelTimeout, ModelServerError: the request failed.
            Cancelled: ``cancel`` was set.
        """
        fields = self._fields(form, messages, has_grammar)
        return self._running().stream(
            messages, max_tokens=max_tokens, cancel=cancel, sampling=sampling, extra_body=fields
        )

    def start(self) -> None:
        """Start the server unless it runs: about half a second.

        Raises:
            SetupError: the model's file or the server cannot be used.
        """
        self._running()

    def close(self) -> None:
        """Stop the server; a later request starts it again."""
        with self._lock:
            if self._client is not None:
                self._client.close()  # else the server waits for the last reply
            self._server = self._client = None

    def _running(self) -> OpenAIModel:
        with self._lock:
            if self._client is None:
                self._server, self._client = self._started()
                atexit.register(self.close)
            return self._client

    def _started(self) -> tuple[Any, OpenAIModel]:
        import xllamacpp

        from searchain.llm.openai import OpenAIModel

        params = xllamacpp.CommonParams()
        params.model.path = str(assets.find(assets.SMOLLM2))
        params.n_ctx = self._slots * self._context
        params.n_parallel = self._slots
        # two threads wait for each other by spinning: beside a searcher on 2 cores that costs 90 % of the speed, and
        # alone the second gains next to nothing on a model this small
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
        params.n_batch = params.n_ubatch = 128  # larger ones are no faster on a CPU
        params.n_predict = 512  # where the caller sets no limit: a longer reply of a model this small has run on
        params.cache_ram_mib = 256
        params.api_keys = [self.key]
        params.ui = False
        params.verbosity = 0
        params.offline = True
        params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(file), 1.0) for file in self._files]
        params.lora_init_without_apply = True
        try:
            server = xllamacpp.Server(params)
        except RuntimeError as error:
            names = ", ".join(Path(path).name for path in (params.model.path, *self._files))
            raise SetupError(f"llama.cpp cannot serve the embedded model ({names}); run: {REPAIR}") from error
        self.address = server.listening_address
        return server, OpenAIModel("embedded", f"{self.address}/v1", self.key, name=NAME)

    def _fields(self, form: Form | None, messages: Sequence[Message], has_grammar: bool) -> dict[str, Any]:
        """llama.cpp's own request fields for a form."""
        # the server notices a closed connection when it writes: with its progress, after each batch of the prompt
        fields: dict[str, Any] = {"cache_prompt": True, "return_progress": True}
        if form is not None and has_grammar:
            fields["grammar"] = grammar(form, messages)
        if form is Form.CHAIN and self.abilities.knows_forms:
            fields["logit_bias"] = [["Unsolved", -OPENNESS]]
        if self._files:
            chosen = self._adapters.get(form) if form else None
            fields["lora"] = [{"id": id, "scale": float(file == chosen)} for id, file in enumerate(self._files)]
        return fields
