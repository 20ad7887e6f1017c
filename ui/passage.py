"""A passage with its deciding span marked; a long one is folded around the span."""

from __future__ import annotations

from searchain.safe_text import escape
from searchain.types import Span

LONG = 700
"""Characters: a longer passage is folded."""
_AROUND = 240  # characters kept before and after the span
_BUTTON = (
    '<button type="button" class="whole" aria-expanded="false"><span class="to-whole">Show whole passage</span>'
    '<span class="to-part">Show less</span></button>'
)


def passage(text: str, span: Span | None) -> str:
    """``text`` as a quotation, all of it: what is far from ``span`` is hidden until it is asked for."""
    start, end = (span.start, span.end) if span else (0, 0)
    begin, until = _shown(text, start, end) if len(text) > LONG else (0, len(text))
    marked = f"<mark>{escape(text[start:end])}</mark>" if span else ""
    parts = (
        f'<span class="rest">{escape(text[:begin])}</span><span class="gap"></span>' if begin else "",
        escape(text[begin:start]),
        marked,
        escape(text[end:until]),
        f'<span class="gap"></span><span class="rest">{escape(text[until:])}</span>' if until < len(text) else "",
    )
    button = _BUTTON if (begin, until) != (0, len(text)) else ""
    return f'<blockquote class="passage">{"".join(parts)}</blockquote>{button}'


def _shown(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the part around ``start:end`` begins and ends: at spaces, as far as there are any."""
    begin, until = start - _AROUND, max(end + _AROUND, 2 * _AROUND)
    if begin <= 0:
        begin = 0
    elif (space := text.find(" ", begin, start)) >= 0:
        begin = space + 1
    if until >= len(text):
        until = len(text)
    elif (space := text.rfind(" ", max(end, begin), until)) >= 0:
        until = space
    return begin, until
