"""Load models without the reports of transformers, which mean nothing to who runs this program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def silenced() -> Iterator[None]:
    """Keep transformers from printing progress, and weights that the form of a model does not use."""
    from transformers.utils import logging

    verbosity = logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity(logging.CRITICAL)
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
