"""Name the last two things of a conversation in a question about both: "which is taller", "compare them"."""

from __future__ import annotations

import re

_OF_BOTH = re.compile(
    r"(?<=\bbetween )(?:them|the two|these two|these|both)\b|(?<=^compare )(?:them|the two|both)\b"
    r"|(?<=^how far apart are )they\b|(?<=^are )they(?= (?:the same|related|similar|alike|friends|neighbou?rs)\b)",
    re.IGNORECASE,
)
_WHICH_OF_BOTH = re.compile(
    r"(?:and |so )?(?:which|who) (?:(?:one|of (?:them|the two|these)) )?(?P<verb>is|was|are|were) "
    r"(?:the )?(?P<compared>(?:more|less) [a-z]+|[a-z]+er)(?: one)?\W*",
    re.IGNORECASE,
)


def of_both(question: str, things: tuple[str, str]) -> str:
    """Return the question with two things by their names; ``""`` where it does not ask about both.

    >>> of_both("difference between them", ("osmosis", "diffusion"))
    'difference between osmosis and diffusion'
    >>> of_both("which one is older?", ("Rome", "Athens")), of_both("how old is it", ("Rome", "Athens"))
    ('which is older, Rome or Athens?', '')
    """
    if asked := _WHICH_OF_BOTH.fullmatch(question.strip()):
        return f"which {asked['verb']} {asked['compared']}, {things[0]} or {things[1]}?"
    named = _OF_BOTH.sub(lambda _: " and ".join(things), question)
    return named if named != question else ""
