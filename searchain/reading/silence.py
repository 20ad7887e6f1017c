"""Load models without the messages that transformers prints while it loads them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def silenced() -> Iterator[None]:
    """Keep transformers from printing its progress, and its warnings about unused weights."""
    from transformers.utils import logging

    verbosity = logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity(logging.CRITICAL)
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
