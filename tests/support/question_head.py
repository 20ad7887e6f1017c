"""The trained head with the embedding that it was trained on, loaded once."""

import functools

from searchain.question.head import Head
from searchain.reading.similarity import QueryEncoder


@functools.cache
def head() -> Head:
    return Head(QueryEncoder())
