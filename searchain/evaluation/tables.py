"""Summaries as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from searchain.evaluation.summary import SCORES
from searchain.safe_text import one_line


def summary_table(summary: Mapping[str, Any]) -> Iterator[str]:
    """A summary in a few lines: the scores by type, then what else is counted."""
    run = summary["run"]
    yield one_line(f"{run['system']} on {run['data']} · index {run['index']} · {run['model']}")
    names = [name for name in SCORES if summary["scores"][name]]
    rows = {f"all ({summary['questions']})": summary["scores"]}
    if len(summary["types"]) > 1:
        rows |= {f"{kind or 'no type'} ({of['questions']})": of["scores"] for kind, of in summary["types"].items()}
    first = max(len(one_line(row)) for row in rows) + 2
    yield " " * first + "".join(f"{name:>22}" for name in names)
    for row, scores in rows.items():
        yield f"{one_line(row):{first}}" + "".join(f"{_score(scores[name]):>22}" for name in names)
    for name in ("statuses", "verdicts", "knowledge", "per_question", "seconds"):
        values = " · ".join(f"{one_line(str(key))} {value:,}" for key, value in summary[name].items() if value)
        yield f"{name.replace('_', ' ')}: {values or 'none'}"


def _score(score: Mapping[str, Any] | None) -> str:
    return f"{score['mean']:.1f} [{score['low']:.1f}, {score['high']:.1f}]" if score else "–"
