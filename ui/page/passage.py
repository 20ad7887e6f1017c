"""Render a passage with its span marked; a long one is folded around the span."""

from __future__ import annotations

from markupsafe import Markup

from searchain.language.descriptions import after_description
from searchain.language.text import around
from searchain.types import Span
from ui.html import render
from ui.show.passages import captioned

LONG = 700
"""Characters; a longer passage is folded."""
_AROUND = 240  # characters kept before and after the span


def passage(text: str, span: Span | None) -> Markup:
    """Render all of ``text`` as a quotation; parts far from ``span`` are hidden until they are opened.

    A short description stands above it as a caption.
    """
    lead = after_description(text)
    caption, _body = captioned(text, [span] if span else [])
    text, span = text[lead:], Span(span.start - lead, span.end - lead) if span and span.start >= lead else None
    start, end = (span.start, span.end) if span else (0, 0)
    begin, until = around(text, span, _AROUND, least=2 * _AROUND) if len(text) > LONG else (0, len(text))
    return render(
        "page/passage.html",
        caption=caption,
        head=text[:begin],
        before=text[begin:start],
        quote=text[start:end] if span else None,
        after=text[end:until],
        tail=text[until:],
        is_folded=(begin, until) != (0, len(text)),
    )
