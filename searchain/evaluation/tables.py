"""Summaries as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from searchain.evaluation.summary import SCORES
from searchain.evaluation.trust import BETWEEN_0_AND_1, NAMES
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


SURE_BY = {"probability": "its probability", "confidence": "the Reader's f of its last step"}


def trust_table(trust: Mapping[str, Any]) -> Iterator[str]:
    """The figures of ``trust`` in a line each; where there is none, the reason."""
    yield (
        f"the tick, over {trust['questions']} questions, {trust['answerable']} of them answerable; "
        f"how sure a reply is: {SURE_BY[trust['sure_by']]}"
    )
    for name, words in NAMES.items():
        yield f"  {words:47}{figure_text(name, trust)}"


def figure_text(name: str, trust: Mapping[str, Any]) -> str:
    """A figure with its interval, or the reason for which there is none."""
    figure = trust["figures"][name]
    if not figure:
        return f"– ({trust['reasons'][name]})"
    if name in BETWEEN_0_AND_1:
        return f"{figure['mean']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}]"
    return _score(figure)


def _score(score: Mapping[str, Any] | None) -> str:
    return f"{score['mean']:.1f} [{score['low']:.1f}, {score['high']:.1f}]" if score else "–"
