"""Replace the keys in a reply with citation numbers, while the reply streams.

The model sees opaque keys (``[k417]``), never numbers. The binder turns each known key into ``[n]``, numbered in order
of first use. It drops and counts keys that were never given, and leaves code and maths alone. Text is held back while
it may be part of a marker, so half a marker is never shown.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from searchain.chain.shown import opaque
from searchain.events import ReplyDelta
from searchain.types import Mark, Node, Source

_ITEM = r"(?:k\d{2,5}|\d{1,3})"
_BLANKS = r"[^\S\n]*"  # a marker stands on one line, so the wait for its end stops there
_MARKER = re.compile(
    rf"(?P<open>[\[［【(]{{1,2}}){_BLANKS}\^?(?:(?:key|source|step|query)s?{_BLANKS}:?{_BLANKS})?(?P<items>{_ITEM}(?:{_BLANKS}[,;、]{_BLANKS}\^?{_ITEM})*){_BLANKS}[\]］】)]{{1,2}}",
    re.IGNORECASE,
)
_VERBATIM = {"`": ("`", "\n"), "$$": ("$$", "\n\n"), "\\(": ("\\)", "\n\n"), "\\[": ("\\]", "\n\n")}
"""Opening delimiter of code or maths → its closing delimiter, and the text that code or maths never contains."""
_LONGEST_VERBATIM = 400
_SPECIAL = re.compile(r"```|`|\$\$|\\\(|\\\[|[\[［【(]")
_LONGEST = 60  # most characters that an unclosed bracket may hold back


@dataclass(frozen=True, slots=True)
class Piece:
    """Bound text that may be shown, with the sources that it cites for the first time."""

    text: str
    sources: tuple[Source, ...]


def deltas(*pieces: Piece) -> Iterator[ReplyDelta]:
    """Yield the events that show ``pieces`` of a reply; an empty one shows nothing."""
    for piece in pieces:
        if piece.text:
            yield ReplyDelta(text=piece.text, sources=piece.sources)


@dataclass(frozen=True, slots=True)
class BoundMark:
    """A citation mark, and the node that its key stands for."""

    mark: Mark
    node: Node


def key_of(node: Node, place: int = 0) -> str:
    """Return the opaque key of a node, or of one of its places: short, stable, and hard for a model to guess.

    >>> key_of(Node(id="n1", parent=None, round=1, query="Who?"))
    'k448'
    """
    return opaque(f"{node.id}\n{node.query}" + (f"\n{place}" if place else ""))


def keys_of(nodes: Iterable[Node]) -> dict[str, Node]:
    """Return key → node for all nodes with a passage to cite; each key is unique."""
    keys: dict[str, Node] = {}
    for node in nodes:
        if node.passage is not None and node.verdict is not None:
            place = 0
            while (key := key_of(node, place)) in keys:
                place += 1
            keys[key] = node
    return keys


def keys_by_node(keys: Mapping[str, Node]) -> dict[str, str]:
    """Return the id of each node → its key."""
    return {node.id: key for key, node in keys.items()}


class Binder:
    """Replaces keys with numbers: feed it the reply, and it returns text with numbers in place of keys."""

    def __init__(self, keys: Mapping[str, Node]) -> None:
        self._keys = {key.lower(): node for key, node in keys.items()}
        self._numbers: dict[object, Source] = {}
        self._tail = ""
        self._closing: str | None = None
        self._length = 0
        self._fresh: list[Source] = []
        self.text = ""
        """All text that was returned so far."""
        self.marks: list[BoundMark] = []
        self.invented = 0
        """The number of markers with a key that was never given; all of them were dropped."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources, numbered 1..n in order of first use."""
        return tuple(self._numbers.values())

    def feed(self, delta: str) -> Piece:
        """Add text of the reply; return what can be shown now."""
        self._tail += delta
        return self._drain(is_end=False)

    def finish(self) -> Piece:
        """Return the rest, at the end of the reply."""
        return self._drain(is_end=True)

    def _drain(self, *, is_end: bool) -> Piece:
        out: list[str] = []

        def emit(text: str) -> None:
            if not self._length:
                text = text.lstrip()
            out.append(text)
            self._length += len(text)

        while self._tail:
            if self._closing is not None:
                if not self._pass_verbatim(emit, is_end):
                    break
                continue
            special = _SPECIAL.search(self._tail)
            if special is None:
                keep = 0 if is_end else min(len(self._tail) - len(self._tail.rstrip(" \t\n\\$")), _LONGEST)
                emit(self._tail[: len(self._tail) - keep])
                self._tail = self._tail[len(self._tail) - keep :]
                break
            before, sign = self._tail[: special.start()], special[0]
            marker = _MARKER.match(self._tail, special.start())
            if marker and (marker.end() < len(self._tail) or is_end):  # a second closing bracket may still come
                self._bind(marker, before, emit)
                self._tail = self._tail[marker.end() :]
            elif marker or self._may_grow(special, is_end):
                spaces = len(before) - len(before.rstrip())
                emit(before[: len(before) - spaces])
                self._tail = self._tail[len(before) - spaces :]
                break
            elif sign == "```":
                emit(before + sign)
                self._closing = sign
                self._tail = self._tail[special.end() :]
            elif sign in _VERBATIM:
                end = self._end_of_verbatim(special, is_end)
                if end is None:
                    emit(before)
                    self._tail = self._tail[special.start() :]
                    break
                emit(self._tail[:end])
                self._tail = self._tail[end:]
            else:
                emit(before + sign)
                self._tail = self._tail[special.end() :]
        fresh, self._fresh = tuple(self._fresh), []
        text = "".join(out)
        self.text += text
        return Piece(text, fresh)

    def _end_of_verbatim(self, opening: re.Match[str], is_end: bool) -> int | None:
        """Return where inline code or maths ends; ``None`` while it is open.

        If the sign is only text (a stray backtick), the end is right after it.
        """
        closing, limit = _VERBATIM[opening[0]]
        body = self._tail[opening.end() : opening.end() + _LONGEST_VERBATIM]
        line_end, at = body.find(limit), body.find(closing)
        if at >= 0 and (line_end < 0 or at < line_end):
            return opening.end() + at + len(closing)
        return opening.end() if line_end >= 0 or is_end or len(body) == _LONGEST_VERBATIM else None

    def _pass_verbatim(self, emit, is_end: bool) -> bool:
        """Pass code or maths on unchanged; return ``False`` if more text is needed to see its end."""
        closing = self._closing or ""
        at = self._tail.find(closing)
        if at >= 0:
            emit(self._tail[: at + len(closing)])
            self._tail, self._closing = self._tail[at + len(closing) :], None
            return True
        keep = 0 if is_end else min(len(closing) - 1, len(self._tail))
        emit(self._tail[: len(self._tail) - keep])
        self._tail = self._tail[len(self._tail) - keep :]
        return False

    def _may_grow(self, special: re.Match[str], is_end: bool) -> bool:
        """Return whether more text may turn the matched bracket or backtick into a marker or a longer delimiter."""
        if is_end:
            return False
        rest = self._tail[special.start() :]
        if special[0] in ("`", "``"):
            return len(rest) < 3 and set(rest) == {"`"}
        if special[0] in ("[", "［", "【", "("):
            return len(rest) < _LONGEST and "\n" not in rest and not re.search(r"[\]］】)].", rest, re.DOTALL)
        return False

    def _bind(self, marker: re.Match[str], before: str, emit) -> None:
        items = re.findall(_ITEM, marker["items"], re.IGNORECASE)
        if marker["open"][0] == "(" and not all(item.lower() in self._keys for item in items):
            emit(before + marker[0])  # "(1889)" and "(km2)" are prose
            return
        known = [self._keys[item.lower()] for item in items if item.lower() in self._keys]
        self.invented += len(items) - len(known)
        is_repeat = not before.strip() and bool(self.marks) and self.marks[-1].mark.end == self._length
        emit(before.rstrip() if is_repeat or not known else before)
        for node in known:
            source = self._source(node)
            last = self.marks[-1].mark if self.marks else None
            if last is not None and last.number == source.number and last.end == self._length:
                self.marks.append(BoundMark(last, node))  # the same passage and span cited twice needs one number
                continue
            start = self._length
            emit(f"[{source.number}]")
            self.marks.append(BoundMark(Mark(source.number, start, self._length), node))

    def _source(self, node: Node) -> Source:
        assert node.passage is not None
        assert node.verdict is not None
        identity = (node.passage, node.span)
        if identity not in self._numbers:
            source = Source(
                number=len(self._numbers) + 1,
                passage=node.passage,
                span=node.span,
                confidence=node.confidence or 0.0,
                query=node.query,
                verdict=node.verdict,
                node=node.id,
                probability=node.probability,
            )
            self._numbers[identity] = source
            self._fresh.append(source)
        return self._numbers[identity]
