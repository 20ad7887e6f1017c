"""Tell people what a model's service keeps them waiting for, where no run has begun that could tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Hear = Callable[[str, str], object]
"""Takes what happened, and what is done about it."""
_HEARS: ContextVar[Hear | None] = ContextVar("hears", default=None)


@contextmanager
def heard_by(hear: Hear) -> Iterator[None]:
    """Pass the notices of this thread to ``hear``, until the end of the block."""
    token = _HEARS.set(hear)
    try:
        yield
    finally:
        _HEARS.reset(token)


def tell(what: str, action: str) -> None:
    """Pass a notice to whoever hears this thread; without one it is lost."""
    if (hear := _HEARS.get()) is not None:
        hear(what, action)
