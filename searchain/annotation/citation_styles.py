"""Rewrite citations in the styles of many systems as single ``[n]`` marks, and list those not understood.

    read("Kyoto is old [1, 2]. It is big【3†source】.", sources)   # "Kyoto is old [1][2]. It is big[3]."

A number without a document stays in the answer as an invented mark, which annotators must see. Code and mathematics
are left alone. ``(1)`` is read as a citation only on request, because enumerations look the same. The documents of an
answer are those that came with it, and those that it names by URL or in footnotes.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from searchain.annotation import citation_patterns as patterns
from searchain.annotation.protocol import ItemMark, ItemSource

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
                number = int(line["one"] or line["other"] or max((*self.known(), 0)) + 1)
                self._define(number, line["body"])
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
            url = inside[0].rstrip(".,;)")
            rest = (rest[: inside.start()] + rest[inside.end() :]).strip(" -–—:|()<>[]\"'")
        self.add(number, parts["name"] or rest[:120] or url or "", url, rest if len(rest) > 120 else "")


def _same_place(address: str) -> str:
    address = re.sub(r"^https?://(?:www\.)?", "", address.strip().casefold())
    return re.sub(r"(?:[?&]utm_[^&#]*)+|#.*$", "", address).rstrip("/")


PAREN = "paren"
STYLES = (PAREN,)
"""Styles that are read only on request."""
_WIDEST = 30  # greatest difference of the first and the last number of a range
_SHOWN = 60  # most characters shown of a text that is not understood


@dataclass(frozen=True, slots=True)
class Understood:
    """An answer with its citations as marks."""

    answer: str
    marks: tuple[ItemMark, ...]
    """The marks by position; a mark whose number no source has is invented."""
    sources: tuple[ItemSource, ...]
    """The given documents, then those that the answer itself names by a URL or a footnote."""
    forms: Mapping[str, int]
    """Citation style → number of marks read in it."""
    unclear: tuple[str, ...]
    """Texts that look like citations but are not understood."""

    @property
    def invented(self) -> int:
        """How many marks have no document."""
        numbers = {source.number for source in self.sources}
        return sum(mark.number not in numbers for mark in self.marks)


def read(
    answer: str, sources: Sequence[ItemSource], *, styles: Sequence[str] = (), aliases: Mapping[str, int] | None = None
) -> Understood:
    """Read the citations of ``answer``, with which the documents ``sources`` came.

    ``styles`` are those of ``STYLES`` to read besides the usual ones; ``aliases`` map texts in the answer, such as
    ``【4:0†source】``, to the number that each stands for.
    """
    documents = Documents(list(sources))
    return _Reading(documents, styles, aliases or {}).read(documents.without_definitions(answer))


@dataclass
class _Reading:
    documents: Documents
    styles: Sequence[str]
    aliases: Mapping[str, int]
    forms: Counter[str] = field(default_factory=Counter)
    unclear: list[str] = field(default_factory=list)

    def read(self, text: str) -> Understood:
        answer, at = "", 0
        marks: list[ItemMark] = []
        for start, end, found in self._citations(text):
            answer += text[at:start]
            at = end
            for piece in found:
                begin = len(answer)
                answer += piece if isinstance(piece, str) else f"[{piece}]"
                if isinstance(piece, int):
                    marks.append(ItemMark(len(marks), piece, begin, len(answer)))
        sources = tuple(self.documents.sources)
        return Understood(answer + text[at:], tuple(marks), sources, dict(self.forms), tuple(self.unclear))

    def _citations(self, text: str) -> Iterator[tuple[int, int, list[str | int]]]:
        """Yield (start, end, replacement) of each citation; a replacement holds numbers and words that stay."""
        at, aliases = 0, [re.escape(alias) for alias in sorted(self.aliases, key=len, reverse=True) if alias]
        known = re.compile("|".join(aliases)) if aliases else None
        while match := patterns.ANY.search(text, at):
            if known and (alias := known.search(text, at, max(match.end(), at + 1))) and alias.start() <= match.start():
                yield alias.start(), alias.end(), self._marked([self.aliases[alias[0]]], "named by the export")
                at = alias.end()
                continue
            at = max(match.end(), match.start() + 1)
            if match["code"] is not None or match["image"] is not None:
                continue
            found = self._found(match)
            if found is None:
                if len(shown := match[0].strip()) > 0 and self._is_worth_naming(match):
                    self.unclear.append(shown[:_SHOWN])
            elif found:
                yield match.start(), match.end(), found

    def _found(self, match: re.Match[str]) -> list[str | int] | None:
        """Return the replacement of a match, ``[]`` to keep its text; ``None`` if it is not understood."""
        for group, numbers, form in _NUMBERED:
            if match[group] is not None:
                return self._numbered(match[numbers] if numbers else match[group], form, match)
        if match["circled"] is not None:
            return self._marked([int(unicodedata.numeric(sign)) for sign in match["circled"]], "① signs")
        if match["linked"] is not None:
            return self._link(match)
        if match["bare"] is not None:
            return self._bare(match)
        if match["parentheses"] is not None:
            return self._numbered(match["inside"], "(1)", match) if PAREN in self.styles else None
        if match["titled"] is not None:
            return self._titled(match["title"]) or self._authored(match["title"], is_aside=True)
        return self._authored(match[0].strip("()"), is_aside=match[0].startswith("("))

    def _numbered(self, text: str, form: str, match: re.Match[str]) -> list[str | int] | None:
        if form == "superscript" and patterns.UNIT.search(match.string, 0, match.start()):
            return []
        numbers, known = self._superscripts(text) if form == "superscript" else _numbers(text), self.documents.known()
        if not numbers or not all(number in known or 1 <= number <= LARGEST for number in numbers):
            return None
        address = match["numbered"] if form == "[1]" else None
        is_new = len(numbers) == 1 and numbers[0] not in known
        if address and address.lower().startswith("http") and is_new:
            self.documents.add(numbers[0], address, address)
        return self._marked(numbers, "[1](address)" if address else form)

    def _superscripts(self, text: str) -> list[int] | None:
        """Read ``¹²`` as 1 and 2 if only these documents exist, else as 12."""
        plain = unicodedata.normalize("NFKC", text.replace("⁻", "-"))
        whole = _numbers(plain)
        digits = [int(digit) for digit in plain if digit.isdigit()]
        known = self.documents.known()
        if plain.isdigit() and whole and whole[0] not in known and set(digits) <= known:
            return digits
        return whole

    def _link(self, match: re.Match[str]) -> list[str | int]:
        words, address = match["words"], match["target"].strip("<>")
        if not address.lower().startswith("http"):
            return []
        number, is_aside = self.documents.at(address, words), match[0].startswith("(")
        is_name = is_aside or bool(re.fullmatch(r"(?i)[\w.-]+\.[a-z]{2,}(?:\s*\+\d+)?|sources?|link|here|\W*", words))
        self.forms["[words](address)"] += 1
        closing = "" if not is_aside or match[0].endswith("))") else "("
        return [closing, number] if is_name else [("(" if is_aside else "") + words + " ", number]

    def _bare(self, match: re.Match[str]) -> list[str | int]:
        text, address = match[0], match["address"]
        while address[-1] in ".,;:!?" or (address[-1] == ")" and address.count(")") > address.count("(")):
            address = address[:-1]
        opening, _, tail = text.partition(address)
        if opening:
            tail = tail.replace({"(": ")", "<": ">", "[": "]"}[opening], "", 1)
        self.forms["address"] += 1
        return [self.documents.at(address, ""), tail]

    def _titled(self, title: str) -> list[str | int] | None:
        label = title.strip().removeprefix("^").removesuffix("^").casefold()
        if label in self.documents.labels:
            return self._marked([self.documents.labels[label]], "footnote")
        for source in self.documents.sources:
            if source.title.strip() and source.title.strip().casefold() == label:
                return self._marked([source.number], "[title]")
        return None

    def _authored(self, text: str, *, is_aside: bool) -> list[str | int] | None:
        """Read ``(Smith, 2020; Doe, 2021)`` and ``Smith (2020)`` if each names one document by author and year."""
        numbers: list[int] = []
        for piece in text.split(";"):
            words = _words(piece)
            said = {word for word in words if word[0].isupper() or word[:4].isdecimal()}
            found = [one for one in self.documents.sources if said <= set(_words(one.title))]
            found = [one for one in found if one.text] or found
            is_year = any(word[:4].isdecimal() and len(word) in (4, 5) for word in words)
            if len(found) != 1 or not is_year or not any(word[0].isupper() for word in words):
                return None
            numbers.append(found[0].number)
        marks = self._marked(numbers, "(author, year)")
        return marks if is_aside else [f"{text}) " if "(" in text else f"{text} ", *marks]

    def _is_worth_naming(self, match: re.Match[str]) -> bool:
        """Tell whether a text looks like a citation; words in brackets that only quote or explain do not."""
        if match["parentheses"] is not None:
            numbers = _numbers(match["inside"])
            return bool(numbers) and set(numbers or ()) <= self.documents.known()
        if match["titled"] is None:
            return True
        title = match["title"].strip()
        return bool(
            patterns.PLAIN_LETTER.fullmatch(title)
            or re.search(r"\d|†|^[@^]|\bcitation\b|\bsource\b|\.(?:pdf|html?|docx?|txt|md)$", title, re.IGNORECASE)
        )

    def _marked(self, numbers: Sequence[int], form: str) -> list[str | int]:
        self.forms[form] += len(numbers)
        return list(numbers)


_NUMBERED: tuple[tuple[str, str | None, str], ...] = (
    ("brackets", "numbers", "[1]"),
    ("sup", None, "<sup>"),
    ("cite", None, "<cite>"),
    ("attribute", None, "<cite>"),
    ("latex", None, "\\cite"),
    ("caret", "careted", "^1^"),
    ("superscript", None, "superscript"),
    ("wrapped", None, "superscript"),
    ("worded", "said", "(source 1)"),
)
"""(group of the match, group of its numbers, name of the style)."""


def _numbers(text: str) -> list[int] | None:
    """Return the numbers of a list such as ``1, 3–5``; ``None`` for a range that is reversed or too long."""
    found: list[int] = []
    for one in patterns.ITEM.finditer(unicodedata.normalize("NFKC", text)):
        first, last = int(one["first"]), int(one["last"] or one["first"])
        if not 0 <= last - first <= _WIDEST:
            return None
        found += range(first, last + 1)
    return found


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() or letter in "'’-" else " " for letter in text).split()
