"""How many look-ups questions need, as training data: decompositions of questions, and questions of one step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from lab.evaluation.metrics import area
from lab.training.natural import For
from lab.training.question_head import OWN, Row, questions, read_questions, records, talk_rows, typed
from searchain.chain.rounds import SEVERAL
from searchain.language.questions import nesting

ROWS = Path(__file__).parent / "data" / "steps.jsonl"
"""A question a line: ``{"text", "steps", "about", "part"}``, with 1 ``steps``, or 2 for several. ``about`` and
``part`` (``learn``, ``judge``) are as in ``lab.training.conversations``."""
STEP = "step of "
"""Begins the source of a row that is a step of a decomposition."""


def asked(record: dict[str, Any]) -> list[str]:
    """Return the steps of a decomposition that are looked up, without those that name an earlier one by its number."""
    steps = [one.get("resolved") or one["query"] for one in record["steps"] if one.get("search", True)]
    return [one for one in steps if "#" not in one]


def typed_rows(part: str) -> list[Row]:
    """Return questions as people type them, with their number of steps, written for this."""
    return [Row(one["text"], str(one["steps"]), one["about"]) for one in records(ROWS) if one["part"] == part]


def step_rows(data: Path) -> list[Row]:
    """Return questions with their number of steps, and the steps themselves, which need one look-up each.

    Those of ``multihop/hops`` are left out, which is only measured. A question of the Reader's data is answered by one
    paragraph. Over a library one with a clause may need two, and so may a step that BREAK's operators made.
    """
    hops = records(data / "multihop" / "hops.jsonl.gz")
    apart = (
        {one["id"] for one in hops} | {one["question"] for one in hops} | {step for one in hops for step in asked(one)}
    )
    whole = [
        one
        for one in records(data / "decompose" / "train.jsonl.gz")
        if one["id"] not in apart and one["question"] not in apart
    ]
    rows = [Row(one["question"], str(min(3, len(one["steps"]))), one["source"]) for one in whole]
    steps = {step: one["source"] for one in whole if len(one["steps"]) > 1 for step in asked(one)}
    rows += [
        Row(step, "1", f"{STEP}{source}")
        for step, source in steps.items()
        if step not in apart and (not source.startswith("break") or nesting(step) == (0, 0))
    ]
    rows += [Row(one, "1", "everyday") for one in questions(data / "everyday" / "train.jsonl.gz")]
    rows += [Row(one, "1", "reader") for one in read_questions(data) if nesting(one) == (0, 0)]
    rows += [Row(one, "1", "natural") for one in typed(For.READERS)]
    return rows + [Row(row.text, "1", row.source) for row in talk_rows(data) if row.source == OWN[0]]


def step_figures(expected: Callable[[str], float], data: Path) -> Iterator[tuple[str, str]]:
    """Yield the name of each measured set, and how well one look-up is kept apart from several.

    ``expected`` is the probability that a question needs several.
    """
    for about in ("world", "own"):
        rows = [row for row in typed_rows("judge") if row.source == about]
        rated, several = np.array([expected(row.text) for row in rows]), np.array([row.kind != "1" for row in rows])
        yield f"steps, typed, {about}", f"AUC {area(rated, several):.3f}"
        for name, chosen in (("several", several), ("one", ~several)):
            yield (
                f"steps, planned, typed, {about}, {name}",
                f"{int((rated[chosen] >= SEVERAL).sum())} of {chosen.sum()}",
            )
    hops = records(data / "multihop" / "hops.jsonl.gz")
    sets = {name: questions(data / f"{name}.jsonl.gz") for name in ("multihop/hops", "multihop/tune", "everyday/dev")}
    sets |= {"natural": typed(For.JUDGING), "bridges": [one["question"] for one in hops if one["type"] == "bridge"]}
    sets["their own steps"] = list(dict.fromkeys(step for one in hops for step in asked(one)))
    found = {name: np.array([expected(one) for one in some]) for name, some in sets.items()}
    for name, other in (
        ("bridges", "their own steps"),
        ("multihop/hops", "everyday/dev"),
        ("multihop/tune", "everyday/dev"),
        ("multihop/tune", "natural"),
    ):
        several, one_each = found[name], found[other]
        rated = np.concatenate([several, one_each])
        yield f"steps, {name} against {other}", f"AUC {area(rated, np.arange(len(rated)) < len(several)):.3f}"
    for name in sets:
        yield f"steps, planned, {name}", f"{int((found[name] >= SEVERAL).sum())} of {len(found[name])}"
