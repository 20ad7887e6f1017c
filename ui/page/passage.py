"""Render a passage with its span marked; a long one is folded around the span."""

from __future__ import annotations

from markupsafe import Markup

from searchain.language.text import around
from searchain.types import Span
from ui.html import render

LONG = 700
"""Characters; a longer passage is folded."""
_AROUND = 240  # characters kept before and after the span


def passage(text: str, span: Span | None) -> Markup:
    """Render all of ``text`` as a quotation; parts far from ``span`` are hidden until they are opened."""
    start, end = (span.start, span.end) if span else (0, 0)
    begin, until = around(text, span, _AROUND, least=2 * _AROUND) if len(text) > LONG else (0, len(text))
    return render(
        "page/passage.html",
        head=text[:begin],
        before=text[begin:start],
        quote=text[start:end] if span else None,
        after=text[end:until],
        tail=text[until:],
        is_folded=(begin, until) != (0, len(text)),
    )
