"""The figures of a system over its lines, and the differences of two systems over the questions that both answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.evaluation.summary import interval

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table: a value per line, ``None`` where the line does not count."""

    name: str
    of: Callable[[Line], float | None]
    is_share: bool = True
    """Whether it is shown in percent."""
    statistic: str = "mean"
    """``mean``, or a percentile such as ``p95``."""


@dataclass(frozen=True, slots=True)
class Value:
    """A figure with its 95 % bootstrap interval over ``count`` questions."""

    value: float
    low: float
    high: float
    count: int


def _if(condition: Callable[[Line], bool], value: Callable[[Line], float | None]) -> Callable[[Line], float | None]:
    return lambda line: value(line) if condition(line) else None


def _is_answerable(line: Line) -> bool:
    return line["answerable"] is True


def _is_unanswerable(line: Line) -> bool:
    return line["answerable"] is False


def _says_something(line: Line) -> bool:
    return bool(line["sentences"]) and not line["is_refusal"]


def _searches(line: Line) -> bool:
    return _says_something(line) and bool(line["found"])


def _carried(line: Line) -> float:
    return float(np.mean([said["label"] == "supported" for said in line["sentences"]]))


def _invents(line: Line) -> float:
    return float(any(said["invented"] for said in line["sentences"]))


def _refuses(line: Line) -> float:
    return float(line["is_refusal"])


def _usage(name: str) -> Callable[[Line], float]:
    return lambda line: float(line["usage"][name])


def _is_written(line: Line) -> bool:
    return "model" in line["writers"]


def _is_discarded(line: Line) -> float:
    return float(line["writers"][-1] != "model")


COSTS = (
    Figure("calls of the model", _usage("llm_calls"), is_share=False),
    Figure("prompt tokens", _usage("prompt_tokens"), is_share=False),
    Figure("completion tokens", _usage("completion_tokens"), is_share=False),
    Figure("seconds, median", _usage("seconds"), is_share=False, statistic="p50"),
    Figure("seconds, 95th percentile", _usage("seconds"), is_share=False, statistic="p95"),
    Figure("CPU seconds of this process", lambda line: float(line["cpu"]), is_share=False),
)
COMMON = (
    Figure("sentences with a citation that carries them", _if(_searches, _carried)),
    Figure("replies with an invented detail", _if(_searches, _invents)),
    Figure("model's replies discarded", _if(_is_written, _is_discarded)),
)
SHORT = (
    Figure("right, of the answerable", _if(_is_answerable, lambda line: line["right"])),
    Figure("right anywhere in the reply, of the answerable", _if(_is_answerable, lambda line: line["right_anywhere"])),
    Figure("*not found*, of the unanswerable (rightly)", _if(_is_unanswerable, _refuses)),
    Figure("*not found*, of the answerable (wrongly)", _if(_is_answerable, _refuses)),
    *COMMON,
    *COSTS,
)
"""The rows for questions with short answers."""
TURNS = (
    Figure(
        "refusals that are right (precision)",
        _if(
            lambda line: line["is_refusal"] and line["answerable"] is not None,
            lambda line: float(not line["answerable"]),
        ),
    ),
    Figure("unanswerable turns refused (recall)", _if(_is_unanswerable, _refuses)),
    Figure("a right passage cited, of the answerable", _if(_is_answerable, lambda line: line["cites_right"])),
    Figure("ROUGE-L, of the answerable", _if(_is_answerable, lambda line: line["rouge_l"])),
    *COMMON,
    *COSTS,
)
"""The rows for turns of conversations, which have no short answers."""


def value_of(figure: Figure, lines: Sequence[Line], seed: int = 0) -> Value | None:
    """Return the figure over ``lines``; ``None`` where no line counts."""
    values = [value for line in lines if (value := figure.of(line)) is not None]
    if not values:
        return None
    if figure.statistic != "mean":
        at = float(np.percentile(values, float(figure.statistic.removeprefix("p"))))
        return Value(at, at, at, len(values))
    return Value(float(np.mean(values)), *interval(values, seed), len(values))


def difference(figure: Figure, ours: Sequence[Line], theirs: Sequence[Line], seed: int = 0) -> Value | None:
    """Return the mean of ours − theirs over the questions for which both have a value; ``None`` without any."""
    other = {line["id"]: figure.of(line) for line in theirs}
    pairs = [(figure.of(line), other.get(line["id"])) for line in ours]
    differences = [one - two for one, two in pairs if one is not None and two is not None]
    if not differences:
        return None
    return Value(float(np.mean(differences)), *interval(differences, seed), len(differences))
