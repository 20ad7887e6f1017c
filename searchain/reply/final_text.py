"""The model's final reply: the steps that its prompt lists, the labels in its text, and its Markdown as plain prose.

Replies are shown as plain text. Removing only some marks of Markdown would leave unpaired ones, so all marks of a kind
are removed.
"""

import re
from collections.abc import Mapping, Sequence

from searchain.reply.citations import key_of, keys_by_node
from searchain.reply.template import quote_of
from searchain.types import Node


def render_steps(path: Sequence[Node], keys: Mapping[str, Node], *, with_evidence: bool = True) -> str:
    """Write the path for the prompt: each step with its answer, its key and, if wanted, its evidence."""
    key_by_node = keys_by_node(keys)
    lines = []
    for number, node in enumerate(path, 1):
        key = f" (key {key_by_node[node.id]})" if node.id in key_by_node else ""
        lines.append(f"[Query {number}]: {node.query}\n[Answer {number}]: {node.answer or 'not found'}{key}")
        if with_evidence and node.passage is not None and (quote := quote_of(node)):
            lines.append(f"Evidence, from {node.passage.title!r}: {quote}")
    return "\n".join(lines)


def example_key(keys: Mapping[str, Node]) -> str:
    """Return one of ``keys`` for the prompt's example; an invented key if there are no keys."""
    return next(iter(keys), key_of(Node(id="n0", parent=None, round=0, query="")))


class FinalReader:
    """Reads ``[Answer]: …`` and ``[Final Content]: …`` as they stream: keeps the answer, passes the content on.

    A reply without labels is all content. Bold text, headings and starred lists become plain text.
    """

    _LABEL = re.compile(
        r"(?:[*_#]+\s*)?(?:[\[［【]\s*(?:final\s+)?(?P<bracketed>answer|content)\s*[\]］】][*_]*\s*[:：]?"
        r"|(?:final\s+)?(?P<bare>answer|content)[*_]*\s*[:：])[\s*_]*",
        re.IGNORECASE,
    )
    _LATER = re.compile(r"^[*_# \t]*[\[［【]\s*(?:final\s+content|answer)\s*[\]］】]", re.IGNORECASE | re.MULTILINE)
    _ANSWER_END = re.compile(r"\n|[\[［【]\s*final\s+content", re.IGNORECASE)
    _CHATTER = 160  # characters before the first label that are held back; they are dropped when the label comes

    def __init__(self) -> None:
        self.answer = ""
        self._text = ""
        self._is_content = self._has_begun = False
        self._plain = PlainProse()

    def feed(self, delta: str) -> str:
        """Add text of the reply; return the content that it completes."""
        if self._is_content:
            return self._plain.feed(self._begun(delta))
        self._text = (self._text + delta).lstrip()
        return self._plain.feed(self._begun(self._read(is_end=False)))

    def finish(self) -> str:
        """Return the rest, at the end of the reply."""
        rest = "" if self._is_content else self._begun(self._read(is_end=True))
        return self._plain.feed(rest) + self._plain.finish()

    def _begun(self, content: str) -> str:
        """Return ``content`` without the white space and bold signs that may still follow the label."""
        if not self._has_begun:
            content = content.lstrip(" \n\t*_:：")
            self._has_begun = bool(content)
        return content

    def _read(self, *, is_end: bool) -> str:
        if not self.answer and (later := self._LATER.search(self._text)) and self._text[: later.start()].strip():
            self._text = self._text[later.start() :].lstrip()
        while label := self._LABEL.match(self._text):
            if (label["bracketed"] or label["bare"]).lower() == "content":
                return self._open(label.end())
            rest = self._text[label.end() :]
            end = self._ANSWER_END.search(rest)
            if not rest.strip() or not (end or is_end):
                return ""
            at = end.start() if end else len(rest)
            self.answer, self._text = rest[:at].strip(" *_\t"), rest[at:].lstrip()
        may_come = len(self._text) < self._CHATTER and (not self.answer or self._text[:1] in ("", "[", "［", "【", "*"))
        return "" if may_come and not is_end else self._open(0)

    def _open(self, start: int) -> str:
        content, self._text, self._is_content = self._text[start:], "", True
        return content


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
        self._before = "\n"  # the last character read
        self._code = ""  # the backticks that opened the present code; empty outside code

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
