"""A passage with its deciding span marked; a long one is folded around the span."""

from __future__ import annotations

from searchain.language.text import around
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
    begin, until = around(text, span, _AROUND, least=2 * _AROUND) if len(text) > LONG else (0, len(text))
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
