"""Bars that show the origin of knowledge, in a terminal or as an SVG file."""

from collections.abc import Iterator, Sequence

from searchain.safe_text import escape, one_line
from storage.history.usage import Knowledge

WIDTH = 50
_PARTS = (("LLM", "█", "#4338ca"), ("corrected", "▓", "#b45309"), ("completed", "░", "#1d4ed8"))


def bars(sources: Sequence[Knowledge]) -> Iterator[str]:
    """Yield one bar per model, and a legend."""
    for source in sources:
        ends = [round(WIDTH * sum(source.shares[:number])) for number in range(1, 4)]
        lengths = (ends[0], ends[1] - ends[0], ends[2] - ends[1])
        yield one_line(
            "".join(sign * length for (_, sign, _), length in zip(_PARTS, lengths, strict=True)) + f" {source.model}"
        )
    yield "  ".join(f"{sign} {name}" for name, sign, _ in _PARTS)


def svg(sources: Sequence[Knowledge]) -> str:
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
