"""Read the fitted values that are stored with the program as JSON, such as linear layers with a softmax."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from searchain.errors import SetupError

Weights = TypeVar("Weights")
Floats = NDArray[np.float64]


def read_weights(file: Path, built: Callable[[dict[str, Any]], Weights]) -> Weights:
    """Return what ``built`` builds from the values in ``file``. Raises ``SetupError`` if it is missing or damaged."""
    try:
        return built(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetupError(f"the weights {str(file)!r} are missing or damaged; install the program again") from error


@dataclass(frozen=True, slots=True)
class Layer:
    """A linear layer with a softmax: one row of weights per label."""

    labels: tuple[str, ...]
    weights: Floats
    bias: Floats

    def shares(self, values: Floats) -> dict[str, float]:
        """Return the probability of each label."""
        logits = self.weights @ values + self.bias
        found = np.exp(logits - logits.max())
        return dict(zip(self.labels, (found / found.sum()).tolist(), strict=True))

    def best(self, values: Floats) -> str:
        """Return the likeliest label."""
        return self.labels[int((self.weights @ values + self.bias).argmax())]


def layer_of(stored: Mapping[str, Any]) -> Layer:
    """Read a layer. Raises ``KeyError``, ``TypeError`` or ``ValueError`` if it is damaged."""
    return Layer(tuple(stored["labels"]), np.array(stored["weights"]), np.array(stored["bias"]))
