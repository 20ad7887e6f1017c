"""Write the numbers of a spreadsheet as it shows them: dates, currencies, percentages. All functions are pure."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext
from functools import lru_cache
from typing import NamedTuple

from babel.dates import format_datetime
from babel.numbers import parse_pattern

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 14: "yyyy-mm-dd",
    15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 41: "#,##0", 42: "$#,##0", 43: "#,##0.00", 44: "$#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss",
    47: "mm:ss", 48: "0.0E+0",
}  # fmt: skip
"""Number of a format that no workbook spells out → its code. A date in the system's form is written as ISO 8601."""
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<currency>[^][-]*)(?:-[^][]*)?\]|[_*].|\[(?P<elapsed>h+|m+|s+)\]|\[[^][]*\]'
    r"|(?P<half>AM/PM|A/P)|(?P<date>y+|m+|d+|h+|s+)|(?P<general>General)"
    r"|(?P<digits>[0#?][0#?,]*(?:\.[0#?]*,*)?|\.[0#?]+)(?P<power>E[+-]0+)?|(?P<end>;)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CLDR = {"m": "M", "mm": "MM", "mmm": "MMM", "mmmm": "MMMM", "mmmmm": "MMM", "ddd": "EEE", "dddd": "EEEE"}
"""Parts of a date that have other letters in Babel's patterns."""
_UNITS = {"h": 3600, "m": 60, "s": 1}


class _Token(NamedTuple):
    kind: str
    text: str


def shown(value: float, code: str, *, from_1904: bool = False) -> str:
    """Write ``value`` as a spreadsheet shows it in a cell with the format ``code``.

    >>> shown(1234.5, '"$"#,##0.00'), shown(0.125, "0.0%"), shown(45415, "d mmm yyyy"), shown(3.0, "General")
    ('$1,234.50', '12.5%', '3 May 2024', '3')
    """
    if code == "General":
        return _general(value)
    sections = _sections(code)
    tokens = sections[0]
    is_other = len(sections) > 1 and value < 0
    if is_other:
        tokens, value = sections[1], -value
    elif len(sections) > 2 and value == 0:
        tokens = sections[2]
    kinds = {token.kind for token in tokens}
    try:
        if kinds & {"date", "elapsed"}:
            return _date(value, tokens, from_1904)
        text = _number(abs(value), tokens)
    except (InvalidOperation, OverflowError, ValueError):
        text = None
    sign = "-" if value < 0 else ""
    return sign + text if text is not None else _general(value)


@lru_cache(maxsize=1000)
def _sections(code: str) -> list[list[_Token]]:
    """Cut a format into its sections: for positive numbers, for negative ones, for zero."""
    sections: list[list[_Token]] = [[]]
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup or "", match[match.lastgroup] if match.lastgroup else ""
        if kind == "end":
            sections.append([])
        elif kind in ("quoted", "escaped", "currency") or (kind == "other" and text != "@"):
            sections[-1].append(_Token("text", text))
        elif kind == "power":
            sections[-1].append(_Token("digits", match[0].upper()))
        elif kind:
            sections[-1].append(_Token("general" if text == "@" else kind, text))
    return [section or [_Token("text", "")] for section in sections]


def _general(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.10g}"


def _number(value: float, tokens: list[_Token]) -> str | None:
    """Write a number that is not negative; ``None`` if the format has several groups of digits, as fractions have."""
    groups = [token.text for token in tokens if token.kind == "digits"]
    if len(groups) > 1 or any(token.kind == "half" for token in tokens):
        return None
    number = Decimal(f"{value:.15g}")
    number *= 100 ** sum(token.text.count("%") for token in tokens if token.kind == "text")
    texts = (
        _digits(number, text) if kind == "digits" else _general(value) if kind == "general" else text
        for kind, text in tokens
    )
    return " ".join("".join(texts).split())


def _digits(number: Decimal, code: str) -> str:
    """Write a number by its placeholders, such as ``#,##0.0#``; each comma at their end divides it by a thousand."""
    pattern = code.rstrip(",")
    with localcontext(rounding=ROUND_HALF_UP):
        scaled = number / 1000 ** (len(code) - len(pattern))
        written = str(parse_pattern(pattern.replace("?", "#").replace("E-", "E")).apply(scaled, "en"))
    return "" if written == "0" and "0" not in pattern else written


def _date(value: float, tokens: list[_Token], from_1904: bool) -> str:
    """Write a number of days as a date, a time of day or a duration.

    Raises:
        OverflowError, ValueError: there is no such day.
    """
    seconds = round(value * 86_400)
    day = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30 if value >= 60 else 31)
    has_half = any(token.kind == "half" for token in tokens)
    pattern = before = ""
    for number, (kind, part) in enumerate(tokens):
        letters = part.lower()
        match kind:
            case "elapsed":
                pattern += str(seconds // _UNITS[letters[0]]).zfill(len(letters))
            case "half":
                pattern += "a"
            case "date":
                after = next((token.text[0].lower() for token in tokens[number + 1 :] if token.kind == "date"), "")
                is_minute = letters in ("m", "mm") and (before == "h" or after == "s")
                pattern += letters if is_minute else _in_cldr(letters, has_half)
            case "text" | "other":
                pattern += "'" + part.replace("'", "’") + "'"
        before = part[0].lower() if kind in ("date", "elapsed") else before
    pattern = pattern.replace("''", "")  # between neighbouring texts
    return " ".join(format_datetime(day + timedelta(seconds=seconds), pattern, locale="en").split())


def _in_cldr(letters: str, has_half: bool) -> str:
    """Return a part of a date in the letters of Babel's patterns; ``has_half``: hours count from 1 to 12."""
    if letters[0] == "h" and not has_half:
        return letters.upper()
    return _CLDR.get(letters, letters)
