"""Read from a completion how likely it begins with a word."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

TOP = 20
"""How many of the likeliest first tokens are asked for; no server that was seen gives more."""
SURE = 0.8
"""The likelihood of the word that a model wrote, where its server gives none."""


def likelihoods_of(completion: Mapping[str, Any], words: Sequence[str]) -> tuple[float, ...]:
    """Return how likely the reply begins with each of ``words``, 0–1. Case does not count.

    Where the server gives no probabilities, the word that was written counts as ``SURE``.

    Raises:
        LookupError, TypeError: the completion has no text.
    """
    choice = completion["choices"][0]
    content = (choice.get("logprobs") or {}).get("content") or []
    if content and content[0].get("top_logprobs"):
        first = content[0]["top_logprobs"]
        return tuple(
            sum(math.exp(min(one["logprob"], 0.0)) for one in first if _begins(word, one["token"])) for word in words
        )
    written = str(choice["message"]["content"] or "").strip(' *_"“[').casefold()
    return tuple(SURE if written.startswith(word.casefold()) else (1 - SURE) / len(words) for word in words)


def _begins(word: str, token: str) -> bool:
    token = token.strip().casefold()
    return bool(token) and word.casefold().startswith(token)
