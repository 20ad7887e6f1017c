"""Remove bold signs, headings and starred lists from a model's Markdown while it streams.

Replies are shown as plain text. Removing only some marks would leave unpaired ones, so all marks of a kind are removed.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"(?P<fence>```)|(?P<code>`)|(?P<line>\n)|(?P<bold>(?<!\*)\*{2,3}(?!\*))"
    r"|(?P<heading>#{1,6}[ \t]+)|(?P<bullet>[*+][ \t]+)"
)
_SIGNS = " \t\n#*+`"
"""Characters that are held back at the end of the text, because they may belong to an incomplete mark."""


class PlainProse:
    """A stream filter: feed it text, and it returns the text without marks. Code stays as it is."""

    def __init__(self) -> None:
        self._held = ""
        self._before = "\n"
        """The last character read."""
        self._code = ""
        """The backticks that opened the present code; empty outside code."""

    def feed(self, delta: str) -> str:
        """Add text; return what can be shown now."""
        text = self._held + delta
        cut = len(text.rstrip(_SIGNS))
        self._held = text[cut:]
        return self._read(text[:cut], text[cut : cut + 1])

    def finish(self) -> str:
        """Return what is left at the end."""
        rest, self._held = self._held, ""
        return self._read(rest, "")

    def _read(self, text: str, after: str) -> str:
        kept, at = [], 0
        for token in _TOKEN.finditer(text):
            before = text[token.start() - 1] if token.start() else self._before
            follows = text[token.end() : token.end() + 1] or after
            kept.append(text[at : token.start()])
            at = token.end()
            kept.append(self._kept(token, before, follows))
        kept.append(text[at:])
        self._before = text[-1:] or self._before
        return "".join(kept)

    def _kept(self, token: re.Match[str], before: str, follows: str) -> str:
        """Return what is kept of ``token`` between the characters ``before`` and ``follows``."""
        sign = token[0]
        if token["fence"] or token["code"]:
            if not self._code or self._code == sign:
                self._code = "" if self._code else sign
            return sign
        if token["line"]:
            self._code = "" if self._code == "`" else self._code
            return sign
        if self._code:
            return sign
        if token["bold"]:
            return sign if _is_operator(before, follows) else ""
        if before != "\n":
            return sign
        return "" if token["heading"] else "- "


def _is_operator(before: str, follows: str) -> bool:
    """Return whether stars are not bold marks: they stand inside a word, as in 2**10, or between spaces."""
    return (before.isalnum() and follows.isalnum()) or not (before.strip() or follows.strip())
