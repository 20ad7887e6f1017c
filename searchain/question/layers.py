"""Linear layers with a softmax, as they are stored with the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


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
