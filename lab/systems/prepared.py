"""What a system prepares once for a model and a set of questions: kept in a file that its content names."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Generator, Sequence
from typing import Any

from searchain.cancel import CancelToken
from searchain.events import Event, ModelFault
from searchain.files.home import home
from searchain.files.writing import write_whole

_lock = threading.Lock()


def prepared(
    name: str, depends_on: Sequence[str], make: Callable[[], Any], *, calls: int, cancel: CancelToken
) -> Generator[Event, None, Any]:
    """Return what ``make`` returned when it was called first with the same texts in ``depends_on``; JSON values.

    Runs at the same time wait for the first one. ``calls`` is how often ``make`` asks the model at most: an event says
    so.

    Raises:
        Cancelled: the run was stopped while it waited.
    """
    digest = hashlib.sha256("\n".join([name, *depends_on]).encode()).hexdigest()[:16]
    path = home() / "systems" / f"{name}-{digest}.json"
    if not path.is_file():
        what = "this method first writes examples of its own, once for a model and its questions"
        yield ModelFault(what=what, action=f"asks the model up to {calls} times more, this time only")
    while not _lock.acquire(timeout=0.1):
        cancel.check()
    try:
        if path.is_file():
            return json.loads(path.read_text(encoding="utf-8"))
        value = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        with write_whole(path) as file:
            file.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
        return value
    finally:
        _lock.release()
