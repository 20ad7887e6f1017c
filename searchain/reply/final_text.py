"""The model's final reply: the steps that its prompt lists, and the labels in its text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from searchain.reply.citations import key_of, keys_by_node
from searchain.reply.plain_prose import PlainProse
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
    _CHATTER = 160
    """Characters before the first label that are held back; they are dropped when the label comes."""

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
