"""A language model in a GGUF file of the operator's own, which llama.cpp serves within this process."""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPException
from pathlib import Path
from typing import Any

from searchain.cancel import CancelToken
from searchain.errors import ModelServerError, UsageError
from searchain.llm.base import FIRST_TOKEN_SECONDS, GREEDY, Form, Piece, Sampling
from searchain.llm.likelihoods import TOP, likelihoods_of
from searchain.llm.served import LlamaServer, Serving, request_fields
from searchain.types import Abilities, Message

CONTEXT = 8_192
"""Tokens: the prompts with their examples, and five rounds with a passage each."""
SMALL_PARAMETERS = 3e9
"""A model with fewer needs the help that those of one or two billion need."""
LIMIT = 1_024
BATCH = 256


@dataclass(frozen=True, slots=True)
class Facts:
    """What the server says of a file."""

    parameters: int
    context: int
    """Tokens of prompt and reply."""
    slots: int
    """Requests at a time."""


class GgufModel:
    """Any model in GGUF form. Its chat template is the file's own. The server starts at the first use. Thread-safe."""

    at_once = 1

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

        Raises:
            UsageError: there is no such file, or it is in another form.
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

    def stream(
        self,
        messages: Sequence[Message],
        *,
        form: Form | None = None,
        max_tokens: int | None = None,
        cancel: CancelToken | None = None,
        sampling: Sampling = GREEDY,
    ) -> Iterator[Piece]:
        """See ``LanguageModel.stream``.

        Raises:
            SetupError: llama.cpp cannot serve the file.
            ContextTooLong, ModelTimeout, ModelServerError: the request failed.
            Cancelled: ``cancel`` was set.
        """
        fields = request_fields(form, messages)
        fields["chat_template_kwargs"] = {"enable_thinking": False}  # a grammar leaves no room for thoughts
        return self.server.client().stream(
            messages, max_tokens=max_tokens, cancel=cancel, sampling=sampling, extra_body=fields
        )

    def start(self) -> None:
        """Start the server unless it runs.

        Raises:
            SetupError: llama.cpp cannot serve the file.
        """
        self.server.client()

    def close(self) -> None:
        """Stop the server; a later request starts it again."""
        self.server.close()

    @cached_property
    def abilities(self) -> Abilities:
        """What a model of this size does well by itself; the server is started unless it runs.

        Raises:
            SetupError: llama.cpp cannot serve the file.
        """
        return Abilities.SMALL if self.facts().parameters < SMALL_PARAMETERS else Abilities.CAPABLE

    def facts(self) -> Facts:
        """Ask the server, which is started unless it runs.

        Raises:
            SetupError: llama.cpp cannot serve the file.
        """
        self.start()
        about = self._ask("/v1/models")["data"][0]["meta"]
        served = self._ask("/props")
        return Facts(int(about["n_params"]), _context_of(served), int(served["total_slots"]))

    def likelihoods(self, messages: Sequence[Message], words: Sequence[str]) -> tuple[float, ...]:
        """Return how likely the reply to ``messages`` begins with each of ``words``, 0–1. Case does not count.

        Raises:
            SetupError: llama.cpp cannot serve the file.
            ModelServerError: the request failed.
        """
        self.start()
        asked = {
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "max_tokens": 1,
            "temperature": 0.0,
            "logprobs": True,
            "top_logprobs": TOP,
            "cache_prompt": True,
            "chat_template_kwargs": {"enable_thinking": False},
        }
        try:
            return likelihoods_of(self._ask("/v1/chat/completions", asked, FIRST_TOKEN_SECONDS), words)
        except (OSError, HTTPException, ValueError, LookupError, TypeError) as error:
            raise ModelServerError(f"{self.name} did not judge an answer ({error}); ask again") from error

    def _ask(self, path: str, body: Any = None, seconds: float = 10.0) -> Any:
        request = urllib.request.Request(
            f"{self.server.address}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.server.key}", "Content-Type": "application/json"},
        )
        # a proxy of the environment is no way to this machine
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=seconds) as answer:
            return json.load(answer)


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_gguf(file: Path) -> Path:
    """Return ``file`` where it begins as GGUF files do.

    Raises:
        UsageError: it cannot be read, or it is in another form.
    """
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


def _context_of(served: dict[str, Any]) -> int:
    return int(served["default_generation_settings"]["n_ctx"])
