"""Sum up the lines of an out file: means with intervals, shares, costs; and as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from searchain.safe_text import one_line

Line = Mapping[str, Any]

SCORES = (
    "cover_em",
    "cover_em_reply",
    "f1",
    "rouge_l",
    "recall_1",
    "recall_5",
    "citation_precision",
    "citation_recall",
)
OFFICIAL = ("cover_em_paper", "em_official", "f1_official")
"""Scores as others compute them: summed up, and shown in the paper's tables alone."""
RESAMPLES = 2_000
VERDICTS = ("agreed", "corrected", "completed", "disputed", "unconfirmed")


def summarise(lines: Sequence[Line], seed: int = 0) -> dict[str, Any]:
    """Scores in percent with 95 % bootstrap intervals over the questions that have them (``None`` where none has),
    verdicts and sources of knowledge as shares of the nodes on the paths, seconds and tokens per question."""
    on_path = [node for line in lines for node in line["tree"]["nodes"] if node["on_path"]]
    usage = [line["usage"] for line in lines]
    seconds = [one["seconds"] for one in usage]
    return {
        "questions": len(lines),
        "scores": _scores(lines, seed),
        "types": {
            kind: {"questions": len(those), "scores": _scores(those, seed)}
            for kind in sorted({line["type"] for line in lines})
            if (those := [line for line in lines if line["type"] == kind])
        },
        "statuses": dict(sorted(Counter(line["status"] for line in lines).items())),
        "outcomes": dict(sorted(Counter(map(_outcome, filter(_has_ended, lines))).items())),
        "verdicts": _shares((node["verdict"] or "unchecked" for node in on_path), VERDICTS),
        "knowledge": _shares(map(_knowledge, on_path), ("llm", "corrected", "completed", "none")),
        "per_question": {
            "skc": _mean([float(line["skc"]) for line in lines if "skc" in line]),
            "nodes": _mean([float(sum(n["on_path"] for n in line["tree"]["nodes"])) for line in lines]),
            "rounds": _mean([float(line["rounds"]) for line in lines]),
            "llm_calls": _mean([float(one["llm_calls"]) for one in usage]),
            "prompt_tokens": _mean([float(one["prompt_tokens"]) for one in usage]),
            "completion_tokens": _mean([float(one["completion_tokens"]) for one in usage]),
        },
        "seconds": {"p50": _percentile(seconds, 50), "p95": _percentile(seconds, 95), "mean": _mean(seconds)},
    }


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
        yield f"{one_line(row):{first}}" + "".join(f"{with_interval(scores[name]):>22}" for name in names)
    for name in ("statuses", "outcomes", "verdicts", "knowledge", "per_question", "seconds"):
        counted = summary.get(name, {})  # a summary that was written before there were outcomes has none
        values = " · ".join(f"{one_line(str(key))} {value:,}" for key, value in counted.items() if value)
        yield f"{name.replace('_', ' ')}: {values or 'none'}"


def interval(values: Sequence[float], seed: int) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean of ``values``, from ``RESAMPLES`` resamples."""
    array = np.asarray(values, dtype=float)
    places = np.random.default_rng(seed).integers(0, len(array), (RESAMPLES, len(array)))
    low, high = np.percentile(array[places].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def _scores(lines: Sequence[Line], seed: int) -> dict[str, dict[str, Any] | None]:
    return {
        name: _score([line[name] for line in lines if line.get(name) is not None], seed)
        for name in (*SCORES, *OFFICIAL)
    }


def _score(values: Sequence[float], seed: int) -> dict[str, Any] | None:
    if not values:
        return None
    low, high = interval(values, seed)
    return {"mean": _percent(float(np.mean(values))), "low": _percent(low), "high": _percent(high), "n": len(values)}


def _has_ended(line: Line) -> bool:
    return line["status"] in ("answered", "partial", "not_found")


def _outcome(line: Line) -> str:
    """How far the reply of a line can be believed; lines written before there were outcomes do not say."""
    return line.get("outcome") or "not rated"


def _knowledge(node: Mapping[str, Any]) -> str:
    """Where the answer of a node is from (Table 2 of the paper)."""
    if node["verdict"] in ("corrected", "completed"):
        return node["verdict"]
    if not node["answer"]:
        return "none"
    return "llm" if node["model_answer"] else "completed"  # by a reading too weak to settle the node


def _shares(values: Iterator[str], names: Sequence[str]) -> dict[str, float]:
    counted = Counter(values)
    total = counted.total() or 1
    return {name: _percent(counted[name] / total) for name in (*names, *sorted(counted.keys() - set(names)))}


def _percent(share: float) -> float:
    return round(100 * share, 2)


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), 3) if values else 0.0


def _percentile(values: Sequence[float], percent: float) -> float:
    return round(float(np.percentile(values, percent)), 3) if values else 0.0


def with_interval(score: Mapping[str, Any] | None) -> str:
    """Write a score of a summary with its interval; a dash when there is none."""
    return f"{score['mean']:.1f} [{score['low']:.1f}, {score['high']:.1f}]" if score else "–"
