"""A GGUF file behind llama.cpp's own server, within this process, on loopback: the embedded one, or the operator's own.

The server speaks the OpenAI protocol, so it is used through ``OpenAIModel`` like any other. What is special is that
each form has a grammar, and that adapters may be loaded beside the file.
"""

from __future__ import annotations

import atexit
import math
import os
import secrets
import threading
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from searchain.cancel import CancelToken
from searchain.errors import SetupError, UsageError
from searchain.llm.base import GREEDY, Form, Piece, Sampling
from searchain.llm.grammars import grammar
from searchain.types import Abilities, Message

if TYPE_CHECKING:
    from searchain.llm.openai import OpenAIModel

STALL_SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """How a file is served."""

    file: Path
    name: str
    """Of the model, for people."""
    slots: int = 2
    """Requests that are served at a time."""
    context: int = 4_096
    """Tokens of prompt and reply, for each slot; what the model was trained for is the most."""
    threads: int = 1
    batch: int = 128
    """Tokens of a prompt that are read at a time. A closed connection is noticed between two batches."""
    limit: int = 512
    """Tokens of a reply where the caller sets no limit."""
    cache_mib: int = 256
    """Memory for the prompts that were read before."""
    adapters: tuple[Path, ...] = ()
    """LoRA adapters in GGUF form, each applied only by the requests that ask for it."""
    is_background: bool = False
    """Whether everything else on this machine goes first."""
    is_mapped: bool = True
    """Whether the file's pages are mapped; else it is read. llama.cpp keeps most weights in a form of its own, so that
    a mapped file takes its size a second time, in pages that the system may drop."""
    remedy: str = "check the file"
    """What to do when it cannot be served."""


class LlamaServer:
    """The server of one file. It starts at the first use. Thread-safe."""

    def __init__(self, serving: Serving) -> None:
        self.serving = serving
        self.address = ""
        """Where it listens, for those who want to look at it; ``key`` opens it."""
        self.key = secrets.token_urlsafe(16)  # other users of the machine have no business here
        self._lock = threading.Lock()
        self._server: Any = None
        self._client: OpenAIModel | None = None

    def client(self) -> OpenAIModel:
        """Return what talks to the server; start that if need be. Raises ``SetupError`` if it cannot serve the file."""
        with self._lock:
            if self._client is None:
                self._server, self._client = self._started()
                atexit.register(_close, weakref.ref(self))
            return self._client

    def close(self) -> None:
        """Stop the server; a later use starts it again."""
        with self._lock:
            if self._client is not None:
                self._client.close()  # else the server waits for the last reply
            self._server = self._client = None

    def ask(self, path: str, seconds: float = 10.0) -> Any:
        """Return the JSON that the running server answers. Raises ``httpx2.HTTPError``, ``ValueError``."""
        import httpx2

        key = {"Authorization": f"Bearer {self.key}"}
        # a proxy of the environment is no way to this machine
        answer = httpx2.get(f"{self.address}{path}", headers=key, trust_env=False, timeout=seconds)
        return answer.raise_for_status().json()

    def _started(self) -> tuple[Any, OpenAIModel]:
        import httpx2
        import xllamacpp

        from searchain.llm.endpoint import Timeouts
        from searchain.llm.openai import OpenAIModel

        how = self.serving
        params = xllamacpp.CommonParams()
        params.model.path = str(how.file)
        params.n_ctx = how.slots * how.context
        params.n_parallel = how.slots
        for cpu in (params.cpuparams, params.cpuparams_batch):
            cpu.n_threads = how.threads
            if how.is_background:
                cpu.priority = xllamacpp.ggml_sched_priority.GGML_SCHED_PRIO_LOW
        if not how.is_mapped:
            params.load_mode = xllamacpp.llama_load_mode.LLAMA_LOAD_MODE_NONE
        params.n_batch = params.n_ubatch = how.batch
        params.n_predict = how.limit
        params.cache_ram_mib = how.cache_mib
        params.api_keys = [self.key]
        params.ui = False
        params.verbosity = 0
        params.offline = True
        params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(file), 1.0) for file in how.adapters]
        params.lora_init_without_apply = True
        try:
            server = xllamacpp.Server(params)
            self.address = server.listening_address
            self.ask("/slots", seconds=STALL_SECONDS)  # a server that ends before its loop has begun waits for ever
        except (RuntimeError, httpx2.HTTPError, ValueError) as error:
            files = ", ".join(path.name for path in (how.file, *how.adapters))
            raise SetupError(f"llama.cpp cannot serve {how.name} ({files}); {how.remedy}") from error
        timeouts = Timeouts(stall=STALL_SECONDS, notice=math.inf)
        return server, OpenAIModel("served", f"{self.address}/v1", self.key, name=how.name, timeouts=timeouts)


def _close(server: weakref.ref[LlamaServer]) -> None:
    if (left := server()) is not None:
        left.close()


class DistantServer:
    """The server of a file that another process started, as ``LlamaServer`` for those who ask it. Thread-safe."""

    def __init__(self, model: str, base_url: str, key: str | None = None, *, name: str) -> None:
        """Raises ``UsageError`` if ``base_url`` is not an http(s) URL."""
        from searchain.llm.endpoint import Timeouts
        from searchain.llm.openai import OpenAIModel

        timeouts = Timeouts(stall=STALL_SECONDS, notice=math.inf)
        self._client = OpenAIModel(model, base_url, key, name=name, timeouts=timeouts)

    def client(self) -> OpenAIModel:
        """Return what talks to the server."""
        return self._client

    def close(self) -> None:
        """Close the connections; the server stays."""
        self._client.close()


CONTEXT = 8_192
"""Tokens: the prompts with their examples, and five rounds with a passage each."""
SMALL_PARAMETERS = 3e9
"""A model with fewer needs the help that those of one or two billion need."""
LIMIT = 1_024
BATCH = 256
WITHOUT_THOUGHTS = {"chat_template_kwargs": {"enable_thinking": False}}
"""What keeps a model from thinking: a grammar leaves no room for thoughts."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the server says of a file."""

    parameters: int
    context: int
    """Tokens of prompt and reply."""
    slots: int
    """Requests at a time."""


class Served:
    """A model whose server starts at the first use; then it raises as ``LlamaServer.client``. Thread-safe."""

    server: LlamaServer | DistantServer
    at_once = 1
    """Two replies in one batch are rounded otherwise than each alone, and a seed would give other texts."""

    def fields(self, form: Form | None, messages: Sequence[Message]) -> dict[str, Any]:
        """Return llama.cpp's own fields of a request for a form, such as its grammar."""
        # the server notices a closed connection when it writes: with its progress, after each batch of the prompt
        fields: dict[str, Any] = {"cache_prompt": True, "return_progress": True}
        if form is not None and (rules := grammar(form, messages)):
            fields["grammar"] = rules
        return fields

    def stream(
        self,
        messages: Sequence[Message],
        *,
        form: Form | None = None,
        max_tokens: int | None = None,
        cancel: CancelToken | None = None,
        sampling: Sampling = GREEDY,
    ) -> Iterator[Piece]:
        """See ``LanguageModel.stream``."""
        yield from self.server.client().stream(
            messages, max_tokens=max_tokens, cancel=cancel, sampling=sampling, extra_body=self.fields(form, messages)
        )

    def start(self) -> None:
        """Start the server unless it runs: about half a second for the embedded model."""
        self.server.client()

    def close(self) -> None:
        """Stop the server; a later request starts it again."""
        self.server.close()


class GgufModel(Served):
    """Any model in GGUF form. Its chat template is the file's own."""

    server: LlamaServer

    def __init__(
        self,
        file: Path,
        *,
        name: str | None = None,
        slots: int = 2,
        context: int = CONTEXT,
        threads: int | None = None,
        is_background: bool = False,
        is_mapped: bool = True,
        remedy: str = "it may be damaged, or of a newer kind: try another file",
    ) -> None:
        """See ``Serving``; ``name`` is the file's by default, and ``threads`` are as many as there are cores.

        Raises ``UsageError`` if there is no such file, or it is in another form.
        """
        file = check_gguf(file)
        self.name = name or f"{file.stem} (GGUF)"
        self.server = LlamaServer(
            Serving(
                file=file,
                name=self.name,
                slots=slots,
                context=context,
                threads=threads or _cores(),
                batch=BATCH,
                limit=LIMIT,
                is_background=is_background,
                is_mapped=is_mapped,
                remedy=remedy,
            )
        )

    def fields(self, form: Form | None, messages: Sequence[Message]) -> dict[str, Any]:
        return super().fields(form, messages) | WITHOUT_THOUGHTS

    @cached_property
    def abilities(self) -> Abilities:
        """What a model of this size does well by itself; the server is started unless it runs."""
        return Abilities.SMALL if self.facts().parameters < SMALL_PARAMETERS else Abilities.CAPABLE

    def facts(self) -> Facts:
        """Ask the server, which is started unless it runs."""
        self.start()
        about = self.server.ask("/v1/models")["data"][0]["meta"]
        served = self.server.ask("/props")
        context = served["default_generation_settings"]["n_ctx"]
        return Facts(int(about["n_params"]), int(context), int(served["total_slots"]))

    def likelihoods(self, messages: Sequence[Message], words: Sequence[str]) -> tuple[float, ...]:
        """See ``OpenAIModel.likelihoods``."""
        return self.server.client().likelihoods(messages, words, extra_body={"cache_prompt": True} | WITHOUT_THOUGHTS)


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_gguf(file: Path) -> Path:
    """Return ``file``. Raises ``UsageError`` if it cannot be read, or does not begin as GGUF files do."""
    try:
        with file.open("rb") as opened:
            sign = opened.read(4)
    except OSError as error:
        raise UsageError(
            f"{str(file)!r} cannot be read ({(error.strerror or str(error)).lower()}); give a GGUF file"
        ) from error
    if sign != b"GGUF":
        raise UsageError(f"{str(file)!r} is no GGUF file; give one that llama.cpp can read")
    return file
