"""The thresholds on the relevance logit f of one Reader, and the file beside the Reader that holds them."""

import json
from dataclasses import dataclass
from pathlib import Path

from searchain.errors import ReaderError


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholds on the relevance logit f of one Reader, stored with the model."""

    theta: float
    """θ: above it a passage is taken to answer its query, and its reading may contradict the model."""
    floor: float
    """Below it a passage is taken not to answer its query."""


PAPER = Thresholds(theta=1.5, floor=-1.5)
"""The thresholds of a DPR reader without its own: θ of Xu et al. 2024, section 4.1.3. The paper has no floor, so −θ is
taken."""


def read_thresholds(directory: Path) -> Thresholds:
    """Return the thresholds stored with the Reader in ``directory``, else the paper's.

    Raises ``ReaderError`` if ``thresholds.json`` is there but cannot be read.
    """
    file = Path(directory) / "thresholds.json"
    if not file.is_file():
        return PAPER
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
        return Thresholds(theta=float(stored["theta"]), floor=float(stored["floor"]))
    except (ValueError, KeyError, TypeError) as error:
        raise ReaderError(
            f"{str(file)!r} holds no thresholds",
            hint="remove it, or make it anew in a checkout: python assistant.py calibrate --reader DIR",
        ) from error
