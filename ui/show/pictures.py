"""The Tree-of-Reasoning as a self-contained SVG file, in light or dark mode like the reader's system.

It has no scripts and makes no requests; all of its text is escaped.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from searchain.events import Turn
from searchain.safe_text import escape, escape_xml, one_line
from storage.history.usage import Knowledge
from ui.show.labels import old_answer, state
from ui.show.tree_order import Placed, depth_first, set_aside, story

WIDTH = 760
_MARGIN, _INDENT, _GAP, _PADDING = 20, 22, 10, 12
_LINE = 19  # pixels from one line of text to the next
_DEEPEST = 8  # the level from which nodes are indented no further
_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


class _Line(NamedTuple):
    text: str
    name: str
    """Its CSS class."""


class _Box(NamedTuple):
    left: int
    top: int
    bottom: int


def svg(turn: Turn, *, is_full: bool = False) -> str:
    """Draw the question and the story of ``turn``, each step below its parent with its verdict and its reason.

    With ``is_full``, draw every node, with its round.
    """
    question = [_Line(text, "question") for text in wrap(turn.question, (WIDTH - 2 * _MARGIN) * 13 / 17)]
    top = _MARGIN + _LINE * len(question) + _GAP
    root = _Box(_MARGIN, _MARGIN, top - _GAP)
    reasons = set_aside(turn)
    boxes: dict[str | None, _Box] = {}
    drawn = []
    for placed in depth_first(turn if is_full else story(turn)):
        lines = list(_lines(turn, placed, reasons.get(placed.node.id), is_full=is_full))
        left = _MARGIN + _INDENT * min(placed.level, _DEEPEST)
        box = _Box(left, top, top + len(lines) * _LINE + _PADDING)
        boxes[placed.node.id] = box
        name = state(turn, placed.node).name + (" aside" if placed.node.id in reasons else "")
        drawn.append(_join(boxes.get(placed.node.parent, root), box) + _node(box, name, lines))
        top = box.bottom + _GAP
    height = top - _GAP + _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img"><title>How it was found: {escape_xml(turn.question)}</title><style>{_STYLE}</style>'
        f'<rect class="page" width="{WIDTH}" height="{height}"/>{_texts(_MARGIN, _MARGIN - 3, question)}'
        f"{''.join(drawn)}</svg>\n"
    )


def wrap(text: str, width: float) -> list[str]:
    """Split ``text`` into lines of about ``width`` pixels in a 13-pixel font, breaking longer words."""
    lines, line = [], ""
    for word in text.split():
        while _width(word) > width:
            fits = max(1, next(at for at in range(len(word) + 1) if _width(word[: at + 1]) > width))
            lines += [line] if line else []
            lines.append(word[:fits])
            line, word = "", word[fits:]
        if line and _width(f"{line} {word}") > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return [*lines, line] if line or not lines else lines


def _lines(turn: Turn, placed: Placed, reason: str | None, *, is_full: bool) -> Iterator[_Line]:
    node, label, old = placed.node, state(turn, placed.node), old_answer(turn, placed.node)
    width = WIDTH - 2 * _MARGIN - 2 * _PADDING - _INDENT * min(placed.level, _DEEPEST)
    opens = " · new branch" if node.mends is not None else ""
    yield _Line(f"{label.icon} {label.word}{f' · round {node.round}{opens}' if is_full else ''}", "head")
    yield from (_Line(text, "query") for text in wrap(node.query, width))
    yield from (_Line(text, "old") for text in wrap(old or "", width) if old)
    if node.answer:
        yield from (_Line(text, "answer") for text in wrap(f"→ {node.answer}" if old else node.answer, width))
    else:
        yield _Line("no answer", "open")
    yield from (_Line(text, "reason") for text in wrap(reason or "", width) if reason)


def _node(box: _Box, name: str, lines: list[_Line]) -> str:
    height = box.bottom - box.top
    return (
        f'<g class="{name}"><rect class="node" x="{box.left}" y="{box.top}" width="{WIDTH - _MARGIN - box.left}" '
        f'height="{height}" rx="6"/><rect class="edge" x="{box.left}" y="{box.top + 4}" width="3" '
        f'height="{height - 8}"/>{_texts(box.left + _PADDING, box.top + 2, lines)}</g>'
    )


def _join(parent: _Box, box: _Box) -> str:
    at = parent.left + _INDENT // 2
    across = f"H{box.left}" if box.left > parent.left else ""
    end = box.top + 14 if across else box.top
    return f'<path class="join" d="M{at} {parent.bottom}V{end}{across}"/>'


def _texts(left: int, top: int, lines: list[_Line]) -> str:
    return "".join(_text(left, top + _LINE * number, line) for number, line in enumerate(lines, 1))


def _text(left: int, baseline: int, line: _Line) -> str:
    strong = next((kind for kind in map(unicodedata.bidirectional, line.text) if kind in ("L", "R", "AL")), "L")
    at = f'x="{left}"' if strong == "L" else f'x="{WIDTH - _MARGIN - _PADDING}" direction="rtl"'
    return f'<text class="{line.name}" {at} y="{baseline - 3}">{escape_xml(line.text)}</text>'


def _width(text: str) -> float:
    """Estimate the width of ``text`` in pixels; the reader's font is not known."""
    return sum(
        0.0
        if unicodedata.combining(letter)
        else 13.5
        if unicodedata.east_asian_width(letter) in "WF"
        else 9.5
        if letter.isupper()
        else 7.2
        for letter in text
    )


_BAR = 50
_PARTS = (("LLM", "█", "#4338ca"), ("corrected", "▓", "#b45309"), ("completed", "░", "#1d4ed8"))


def bars(sources: Sequence[Knowledge]) -> Iterator[str]:
    """Yield one bar per model, and a legend."""
    for source in sources:
        ends = [round(_BAR * sum(source.shares[:number])) for number in range(1, 4)]
        lengths = (ends[0], ends[1] - ends[0], ends[2] - ends[1])
        yield one_line(
            "".join(sign * length for (_, sign, _), length in zip(_PARTS, lengths, strict=True)) + f" {source.model}"
        )
    yield "  ".join(f"{sign} {name}" for name, sign, _ in _PARTS)


def knowledge_svg(sources: Sequence[Knowledge]) -> str:
    """Return a self-contained picture: one bar per model, with the shares written on it."""
    rows = "".join(_row(source, 34 + 48 * number) for number, source in enumerate(sources))
    keys = "".join(
        f'<rect x="{10 + 130 * number}" y="{48 * len(sources) + 34}" width="12" height="12" fill="{color}"/>'
        f'<text x="{28 + 130 * number}" y="{48 * len(sources) + 45}">{name}</text>'
        for number, (name, _, color) in enumerate(_PARTS)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 {48 * len(sources) + 60}" '
        'font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Where knowledge is from">'
        '<rect width="100%" height="100%" fill="#fff"/>'
        '<text x="10" y="20" font-weight="600">Where the knowledge of the replies is from</text>'
        f"{rows}{keys}</svg>\n"
    )


def _row(source: Knowledge, top: int) -> str:
    parts, at = [f'<text x="10" y="{top + 13}">{escape(one_line(source.model))}</text>'], 10.0
    for (_, _, color), share in zip(_PARTS, source.shares, strict=True):
        width = 600 * share
        parts.append(f'<rect x="{at:.1f}" y="{top + 18}" width="{width:.1f}" height="20" fill="{color}"/>')
        if width > 40:
            parts.append(f'<text x="{at + 6:.1f}" y="{top + 33}" fill="#fff">{share:.1%}</text>')
        at += width
    return "".join(parts)
