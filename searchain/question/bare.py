"""Remove greetings and polite phrases around a question."""

from __future__ import annotations

import re

_ASKING = r"(?:(?:and|but|so)\s+)*(?:who|whom|whose|what|which|when|where|why|how)\b"
_ORDER = r"(?:tell|explain|describe|name|list|give|summari[sz]e)\b"
_YOU = r"(?:can|could|would|will|do)\s+(?:you|u)\s+(?:please\s+|pls\s+|kindly\s+)?"
_TELLING = re.compile(
    rf"(?:(?:please,?\s+)?(?:{_YOU})?(?:(?:tell|let)\s+me\s+(?:know\s+)?|say\s+|know\s+|find\s+out\s+|look\s+up\s+)"
    rf"(?:please,?\s+)?(?={_ASKING})|{_YOU}(?={_ORDER})|please,?\s+(?={_ORDER}|{_ASKING})"
    rf"|i\s+(?:(?:want|need|would\s+like)\s+to\s+know|wonder),?\s+(?={_ASKING}))",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"(?:(?:hi|hello|hey|good\s+(?:morning|afternoon|evening|day))(?:\s+there)?|thanks|thank\s+you|thx|ok|okay|well)"
    rf"(?:\s*[,.!:;–-]+\s+(?={_ASKING}|{_TELLING.pattern}|(?:is|are|was|were|do|does|did|can)\b|{_ORDER})"
    rf"|\s+(?={_ASKING}|{_TELLING.pattern}))",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"(?:,\s+|(?<!\s)\s+)(?:please|pls|plz|exactly)(?=\W*$)", re.IGNORECASE)


def bare_question(question: str) -> str:
    """Return the question without a greeting, thanks or a polite frame around it.

    >>> bare_question("hi, could you please tell me who wrote Hamlet?")
    'who wrote Hamlet?'
    >>> bare_question("Hello, Dolly! is set in which city?"), bare_question("Can you tell me about Rome?")
    ('Hello, Dolly! is set in which city?', 'tell me about Rome?')
    """
    rest = question.strip()
    rest = rest[greeting.end() :] if (greeting := _LEADING.match(rest)) else rest
    rest = rest[frame.end() :] if (frame := _TELLING.match(rest)) else rest
    return _TRAILING.sub("", rest) or question
