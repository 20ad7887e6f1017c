"""Two pictures of whether sure replies are right: the reliability diagram and the risk–coverage curve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor
from typing import Any

from searchain.safe_text import escape

WIDTH, HEIGHT = 560, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 540, 50, 300
_INK, _SOFT, _GRID, _TONE = "#1f2933", "#52606d", "#d5dbe1", "#4338ca"
Point = tuple[float, float, float, float]
"""Across, up, and the interval of up."""


def pictures(trust: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Names and SVG files of the values that ``eval`` calls ``trust``."""
    if trust["bins"]:
        yield "reliability", reliability(trust["bins"], by_probability=trust["sure_by"] == "probability")
    yield "risk-coverage", risk_coverage(trust["curve"])


def reliability(bins: Sequence[Mapping[str, float]], *, by_probability: bool) -> str:
    """Draw the share of right replies over how sure they are; with probabilities, beside the diagonal."""
    points = [(one["sure"], one["right"], one["low"], one["high"]) for one in bins]
    if by_probability:
        diagonal = (
            f'<line x1="{_LEFT}" y1="{_BOTTOM}" x2="{_RIGHT}" y2="{_TOP}" stroke="{_SOFT}" stroke-dasharray="5 4"/>'
        )
        return _picture("Right replies, by their probability", "probability", (0.0, 1.0), points, diagonal)
    across = (float(floor(points[0][0])), float(ceil(points[-1][0])))
    return _picture("Right replies, by the Reader’s confidence", "f of the last step", across, points)


def risk_coverage(curve: Sequence[Mapping[str, float]]) -> str:
    """Draw the share of wrong replies among the surest ones, over how many of all those are."""
    points = [(one["coverage"], one["risk"], one["low"], one["high"]) for one in curve]
    return _picture("Wrong replies among the surest", "share of all questions, the surest first", (0.0, 1.0), points)


def _picture(title: str, label: str, across: tuple[float, float], points: Sequence[Point], behind: str = "") -> str:
    low, high = across if across[1] > across[0] else (across[0], across[0] + 1)
    places = [
        (_LEFT + (_RIGHT - _LEFT) * (x - low) / (high - low), *map(_up, (value, least, most)))
        for x, value, least, most in points
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in places)
    dots = "".join(
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{least:.1f}" y2="{most:.1f}" stroke="{_TONE}" stroke-width="2" '
        f'opacity="0.5"/><circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{_TONE}"/>'
        for x, y, least, most in places
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="system-ui, sans-serif" '
        f'font-size="12" fill="{_SOFT}" role="img" aria-label="{escape(title)}">'
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="12" y="24" font-size="14" font-weight="600" fill="{_INK}">{escape(title)}</text>'
        f"{''.join(_grid(low, high))}{behind}"
        f'<polyline points="{line}" fill="none" stroke="{_TONE}" stroke-width="1.6" opacity="0.6"/>{dots}'
        f'<text x="{(_LEFT + _RIGHT) / 2}" y="{HEIGHT - 14}" text-anchor="middle">{escape(label)}</text></svg>\n'
    )


def _up(share: float) -> float:
    return _BOTTOM + (_TOP - _BOTTOM) * share


def _grid(low: float, high: float) -> Iterator[str]:
    """Five lines each way, with their values."""
    for tick in range(6):
        x, y = _LEFT + (_RIGHT - _LEFT) * tick / 5, _up(tick / 5)
        yield f'<line x1="{_LEFT}" x2="{_RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{_GRID}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{20 * tick} %</text>'
        yield f'<text x="{x:.1f}" y="{_BOTTOM + 20}" text-anchor="middle">{low + (high - low) * tick / 5:.2g}</text>'
