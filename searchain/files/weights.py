"""Read the fitted values that are stored with the program as JSON."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from searchain.errors import SetupError

Weights = TypeVar("Weights")


def read_weights(file: Path, built: Callable[[dict[str, Any]], Weights]) -> Weights:
    """Read the values in ``file`` and return the weights that ``built`` builds from them.

    Raises:
        SetupError: the file is missing or damaged.
    """
    try:
        return built(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetupError(f"the weights {str(file)!r} are missing or damaged; install the program again") from error
