"""Count the parts of a question that hint at several steps: clauses and possessives."""

from __future__ import annotations

import re

_CLAUSE = frozenset("who whom whose which that where when".split())


def nesting(question: str) -> tuple[int, int]:
    """Return the number of nested clauses in a question, and the number of "of" and possessives.

    >>> nesting("On which island is the city where the maker of Mario has its headquarters?")
    (1, 1)
    """
    words = [word.casefold() for word in re.findall(r"[\w'’]+", question)]
    return sum(word in _CLAUSE for word in words[2:]), sum(
        word == "of" or word.endswith(("'s", "’s")) for word in words[1:]
    )
