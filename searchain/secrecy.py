"""Keep the secrets of this process out of all texts that are shown or stored.

Whoever holds a secret registers it with ``keep``. It is then replaced where text leaves: in errors at the terminal
(``searchain.console``), in events (``storage.log.event_log``) and in what a model writes (``Outflow``). Only whole
secrets are replaced there. If parts were replaced too, somebody who may write there could find a secret piece by piece.
"""

import base64
import html
import json
import os
import re
import threading
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import quote, quote_plus

from searchain.errors import UsageError

MASK = "…"
API_KEY = "OPENAI_API_KEY"
"""The environment variable with the key of a remote model."""
LEAST = 16
"""Fewest characters of a secret that is replaced everywhere. A shorter one may be a word, such as ``ollama``."""
_LEAST_WHOLE = 4
_PART = 12
"""Fewest consecutive characters of a key that are replaced in the messages of its server."""
_AROUND = " \t\r\n\v\f\u00a0\u2028\u2029\u200b-\u200f\u2060\ufeff\"'`´\u2018-\u201f\u00ab\u00bb\u2039\u203a"
"""Blanks, invisible characters and quotation marks, which come along when a key is copied."""
_STRIPPED = re.compile(rf"^[{_AROUND}]*(?:bearer[{_AROUND}]+)?|[{_AROUND}]+$", re.IGNORECASE)
_UNSENDABLE = re.compile(r"[^\x21-\x7e]")
_STARRED = re.compile(r"(?<![\w-])[\w-]*[*•]{3,}[\w-]*")
"""Matches a secret as servers abridge it: ``sk-ab****yz``."""
_LIKE_A_KEY = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf)[-_][\w*.-]{6,}")

_lock = threading.Lock()
_kept: tuple[str, ...] = ()


def readable_key(key: str | None) -> str | None:
    """Return the key as it is sent: without blanks, quotation marks and ``Bearer`` around it; ``None`` for none.

    Raises:
        UsageError: the key cannot be sent in a header. The message does not contain the key.
    """
    stripped = _STRIPPED.sub("", key or "")
    if odd := _UNSENDABLE.search(stripped):
        what = {"\n": "a line break", "\r": "a line break", " ": "a blank", "\t": "a tab"}.get(
            odd[0], f"the character U+{ord(odd[0]):04X}"
        )
        raise UsageError(
            f"the key in {API_KEY} holds {what} at place {odd.start() + 1} of {len(stripped)} and cannot be sent; "
            "copy the key again, alone and on one line"
        )
    return stripped or None


def keep(secret: str | None) -> None:
    """Register a secret of this process. One with fewer than ``LEAST`` characters is not looked for."""
    global _kept
    with _lock:
        if secret and len(secret) >= LEAST and secret not in _kept:
            _kept = (*_kept, secret)


def hidden(text: str) -> str:
    """Return ``text`` with every registered secret replaced by ``MASK``, as it is or encoded."""
    forms, lowered = _everywhere(_secrets()), text.lower()
    if any(form.lower() in lowered for form in forms):  # much faster than the pattern, which is rarely needed
        return _any_of(forms).sub(MASK, text)
    return text


def holds_secret(text: str) -> bool:
    """Return whether ``text`` contains a registered secret."""
    return hidden(text) != text


def without_key(text: str, key: str | None) -> str:
    """Remove the ``key`` from a server's message, also if it is encoded, partial or abridged."""
    if key and len(key) >= _LEAST_WHOLE:
        text = _without_parts(_any_of(_forms(key)).sub(MASK, text), key)
    return hidden(_LIKE_A_KEY.sub(MASK, _STARRED.sub(MASK, text)))


class Outflow:
    """Hides the registered secrets in a text that comes in pieces. Not thread-safe."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """Add ``piece`` and return the text that can be passed on; a possible beginning of a secret is held back."""
        text = hidden(self._held + piece)
        longest = max(
            (
                n
                for secret in _secrets()
                for n in range(1, min(len(secret), len(text) + 1))
                if text.endswith(secret[:n])
            ),
            default=0,
        )
        self._held = text[len(text) - longest :]
        return text[: len(text) - longest]

    def finish(self) -> str:
        """Return what is still held back."""
        text, self._held = self._held, ""
        return text


def _secrets() -> tuple[str, ...]:
    """Return the registered secrets and the environment's key, which a command may show without using it."""
    named = _STRIPPED.sub("", os.environ.get(API_KEY, ""))
    return (*_kept, named) if len(named) >= LEAST and named not in _kept else _kept


@lru_cache(maxsize=4)
def _everywhere(secrets: tuple[str, ...]) -> frozenset[str]:
    return frozenset(form for secret in secrets for form in _forms(secret))


def _without_parts(text: str, key: str) -> str:
    """Replace by ``MASK`` every run of ``_PART`` or more characters of ``text`` that is also in ``key``."""
    lowered, lowered_key = text.lower(), key.lower()
    if len(key) < LEAST or len(lowered) != len(text):  # a few letters are longer in lower case
        return text
    inside: set[int] = set()
    for at in range(len(text) - _PART + 1):
        if lowered[at : at + _PART] in lowered_key:
            inside |= set(range(at, at + _PART))
    kept = (MASK if at in inside else character for at, character in enumerate(text))
    return re.sub(f"{MASK}+", MASK, "".join(kept)) if inside else text


def _any_of(forms: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(set(forms), key=len, reverse=True))), re.IGNORECASE)


def _forms(secret: str) -> set[str]:
    """Return the secret in all its forms: plain, escaped and encoded."""
    data = secret.encode(errors="replace")  # a variable of the environment may hold what is no text
    forms = {secret, quote(data, safe=""), quote_plus(data), html.escape(secret), data.hex()}
    forms |= {json.dumps(secret)[1:-1], repr(secret)[1:-1]}
    if len(secret) >= LEAST:
        for offset in range(3):  # base64 writes three bytes as four characters: where the secret begins matters
            encoded = base64.b64encode(bytes(offset) + data).decode()
            certain = encoded[-(-offset * 8 // 6) : (offset + len(data)) * 8 // 6]
            forms |= {certain, certain.translate(str.maketrans("+/", "-_"))}
    return forms
