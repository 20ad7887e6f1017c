"""Many questions to one system, several at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace

from lab.evaluation.examples import Example
from searchain.cancel import CancelToken
from searchain.events import Turn, fold
from searchain.methods.base import Answerer
from searchain.types import Status

log = logging.getLogger(__name__)


def ask_one(example: Example, answerer_of: Callable[[Example], Answerer], cancel: CancelToken) -> Turn:
    """The finished turn of one example; an error, even an unexpected one, is a turn that ``failed``."""
    cancel.check()
    try:
        return fold(answerer_of(example).stream(example.question, cancel=cancel))
    except Exception as error:
        log.exception("question %r", example.id)
        message = f"unexpected {type(error).__name__}: {error}"
        return replace(Turn(), question=example.question, status=Status.FAILED, message=message)


def ask_all(
    examples: Sequence[Example], answerer_of: Callable[[Example], Answerer], jobs: int
) -> Generator[tuple[Example, Turn], None, None]:
    """Every example with its finished turn, in the order in which they finish, ``jobs`` at a time.

    A run that ends in an error, even an unexpected one, is a turn that ``failed``. Closing the iterator stops the runs
    that are under way; they are not handed out.
    """
    cancel = CancelToken()
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="searchain-eval")
    try:
        futures = {pool.submit(ask_one, example, answerer_of, cancel): example for example in examples}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        cancel.set()
        pool.shutdown(cancel_futures=True)
