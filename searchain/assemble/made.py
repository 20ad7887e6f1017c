"""Make values once and keep them, for many threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any


class Made:
    """Values made once each, at first use, and anew when their stamp changes; a failure is tried again.

    Different ones may be made at the same time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[Hashable, tuple[Hashable, Future[Any]]] = {}

    def get(self, key: Hashable, make: Callable[[], Any], stamp: Hashable = None) -> Any:
        with self._lock:
            made = self._values.get(key)
            is_mine = made is None or made[0] != stamp
            future: Future[Any] = Future() if made is None or is_mine else made[1]
            self._values[key] = stamp, future
        if is_mine:
            try:
                future.set_result(make())
            except BaseException as error:
                with self._lock:
                    if self._values.get(key) == (stamp, future):
                        del self._values[key]
                future.set_exception(error)
        return future.result()
