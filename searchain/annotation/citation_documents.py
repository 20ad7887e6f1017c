"""Collect the documents of an answer: those that came with it, and those that it names by URL or in footnotes."""

import re
from dataclasses import dataclass, field

from searchain.annotation import citation_patterns as patterns
from searchain.annotation.protocol import ItemSource

LARGEST = 999
"""The greatest number of an invented mark. A greater number in brackets without a document may be a year."""


@dataclass
class Documents:
    """The documents that are known so far."""

    sources: list[ItemSource]
    labels: dict[str, int] = field(default_factory=dict)
    """Names of footnotes → numbers."""

    def known(self) -> set[int]:
        """Return the numbers that have a document."""
        return {source.number for source in self.sources}

    def at(self, address: str, title: str) -> int:
        """Return the number of the document at ``address``; add one without text for a new address."""
        for source in self.sources:
            if source.url and _same_place(source.url) == _same_place(address):
                return source.number
        number = max((*self.known(), 0)) + 1
        self.add(number, title or address, address)
        return number

    def add(self, number: int, title: str, url: str | None, text: str = "") -> None:
        """Add a document with the unused ``number``."""
        self.sources.append(ItemSource(number, title.strip()[:300], text, url))

    def without_definitions(self, text: str) -> str:
        """Turn the answer's footnotes and list of sources into documents; return the answer without them."""
        if found := patterns.LIST.search(text):
            for line in patterns.LISTED.finditer(found["lines"]):
                self._define(int(line["one"] or line["other"]), line["body"])
            text = text[: found.start()].rstrip() + "\n"
        cited = {label["label"].casefold() for label in patterns.NAMED.finditer(text)}
        spans = []
        for line in patterns.DEFINITION.finditer(text):
            label, body = line["label"].casefold(), line["body"]
            is_footnote = bool(line["caret"]) or label in cited or label.isdigit()
            if not is_footnote:
                continue
            number = int(label) if label.isdigit() and int(label) <= LARGEST else max((*self.known(), 0)) + 1
            self._define(number, body)
            self.labels[label] = number
            spans.append(line.span())
        for start, end in reversed(spans):
            text = text[:start] + text[end:].lstrip("\n")
        return text.rstrip("\n") if spans else text

    def _define(self, number: int, body: str) -> None:
        if number in self.known():
            return
        parts = patterns.BODY.match(body)
        assert parts is not None  # every part may be empty
        rest = parts["rest"].strip(" -–—:|\"'")
        url = parts["link"] or parts["url"]
        if url is None and (inside := re.search(patterns.ADDRESS, rest)):
            url, rest = (
                inside[0].rstrip(".,;)"),
                (rest[: inside.start()] + rest[inside.end() :]).strip(" -–—:|()<>[]\"'"),
            )
        self.add(number, parts["name"] or rest[:120] or url or "", url, rest if len(rest) > 120 else "")


def _same_place(address: str) -> str:
    address = re.sub(r"^https?://(?:www\.)?", "", address.strip().casefold())
    return re.sub(r"(?:[?&]utm_[^&#]*)+|#.*$", "", address).rstrip("/")
