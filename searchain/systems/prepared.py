"""What a system prepares once for a model and a set of questions: kept in a file that its content names."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

from searchain.files.home import home
from searchain.files.writing import write_whole

_lock = threading.Lock()


def prepared(name: str, depends_on: Sequence[str], make: Callable[[], Any]) -> Any:
    """What ``make`` returned when it was called first with the same texts in ``depends_on``; JSON values.

    Runs at the same time wait for the first one.
    """
    digest = hashlib.sha256("\n".join([name, *depends_on]).encode()).hexdigest()[:16]
    path = home() / "systems" / f"{name}-{digest}.json"
    with _lock:
        if path.is_file():
            return json.loads(path.read_text(encoding="utf-8"))
        value = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        with write_whole(path) as file:
            file.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
        return value
