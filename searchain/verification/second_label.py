"""Decide a yes/no question from a second reading of its passages, by a rule for own documents or one for articles.

A language model of one or two billion parameters says yes too easily. How likely it says so still tells one question
from another, so two logistic regressions correct it: whether the passages answer the question, and whether with yes.
``lab.training.second_label`` fits them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from searchain.files.weights import read_weights
from searchain.verification.probability import Logistic, logit
from searchain.verification.second_opinion import WEIGHTS as OPINION

WEIGHTS = OPINION.with_name("second_label.json")
"""The file of the fitted values for own documents."""
ARTICLES = OPINION.with_name("second_label_articles.json")
"""The same for articles of the embedded encyclopedia."""
LABELS = ("yes", "no")
FEATURES = ("yes", "unknown", "holds", "stance")
"""The log-odds of the model's “yes” against “no”, of “unknown”, and of “yes, the passages answer it”; and by how much
more a sentence supports yes than no, by the stance model (−1 to 1)."""
ANSWERED, AFFIRMED = ("unknown", "holds", "decided"), ("yes", "stance")


@dataclass(frozen=True, slots=True)
class SecondLabel:
    """The regressions and their thresholds."""

    answered: Logistic
    affirmed: Logistic
    given: float
    """The least probability with which a label is given."""
    least: float
    """The least probability with which it is supported: nine of ten such were right."""

    def weigh(self, values: Sequence[float]) -> dict[str, float]:
        """Return how likely “yes” and “no” are right; both are unlikely where the passages do not answer."""
        known = dict(zip(FEATURES, values, strict=True)) | {"decided": abs(values[-1])}
        is_answered = self.answered.probability([known[name] for name in ANSWERED])
        is_yes = self.affirmed.probability([known[name] for name in AFFIRMED])
        return {"yes": is_answered * is_yes, "no": is_answered * (1 - is_yes)}

    def said(self, weights: Mapping[str, float]) -> str:
        """Return the likelier label, ``""`` where it is not likely enough to be given."""
        best = max(LABELS, key=lambda label: weights[label])
        return best if weights[best] >= self.given else ""


def features(yes: float, unknown: float, holds: float, stance: float) -> list[float]:
    """Return the features, in the order of ``FEATURES``, of the shares of a reading and the stance of its passages."""
    return [logit(yes), logit(unknown), logit(holds), stance]


def read_second_label(file: Path = WEIGHTS) -> SecondLabel:
    """Return the fitted rule in ``file``.

    Raises:
        SetupError: the file is missing or damaged.
    """

    def built(stored: dict[str, Any]) -> SecondLabel:
        answered = Logistic.from_json(stored["answered"], ANSWERED)
        affirmed = Logistic.from_json(stored["affirmed"], AFFIRMED)
        return SecondLabel(answered, affirmed, float(stored["given"]), float(stored["least"]))

    return read_weights(file, built)
