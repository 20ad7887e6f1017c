"""Find words, names, numbers and dates in short texts; cut a part of a long one; write nouns with numbers."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path

from searchain.types import Span

WORDS = {
    name: frozenset(words.split())
    for name, words in json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8")).items()
}
"""Lists of words by their names."""
_ARTICLES = {"a", "an", "the"}
STOPWORDS = _ARTICLES | WORDS["stopwords"]
_NUMBER_WORDS = {
    word: value
    for value, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 10**12}
_MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct|"
        "november nov|december dec".split("|"),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{_MONTH})\.?\s+(?:(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?"
    rf"(?P<year>\d{{3,4}})\b|\b(?P<y>\d{{4}})-(?P<m>\d{{2}})-(?P<d>\d{{2}})\b|\b(?P<only>1\d{{3}}|20\d{{2}})\b",
    re.IGNORECASE,
)
_DAY_IN_NAME = re.compile(r"(?<!\d)(?<!\d )(\d{4})([-_.]?)(\d\d)\2(\d\d)(?!\d)")
"""A day in the name of a file: ``20240601`` or ``2024_06_01``, but not the end of a telephone number."""
_EARLIEST = "1990"
"""The year from which on a date may be that of a text; earlier ones are numbers, or what the text tells of."""


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """Split into words and numbers, folded: lower case, no accents, articles, punctuation; ``1,000`` as ``1000``.

    >>> tokens("The Café de Flore, 1,000 m")
    ('cafe', 'de', 'flore', '1000', 'm')
    """
    folded = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
    folded = re.sub(r"(?<=\d),(?=\d{3}\b)", "", folded)
    folded = re.sub(r"(?<=\w)['’](?:s\b|(?=\w))", "", folded)
    return tuple(word for word in re.findall(r"\d+(?:\.\d+)?|[^\W\d_]+", folded) if word not in _ARTICLES)


def contains(inner: str, outer: str) -> bool:
    """Return whether ``inner`` occurs in ``outer`` at token boundaries; an empty text occurs nowhere.

    >>> contains("US", "Russia"), contains("89", "1989"), contains("Kyoto", "in Kyoto, Japan")
    (False, False, True)
    """
    needle, hay = tokens(inner), tokens(outer)
    return bool(needle) and any(hay[i : i + len(needle)] == needle for i in range(len(hay) - len(needle) + 1))


def content_words(text: str) -> set[str]:
    """Return the tokens that carry meaning, with plural and participle endings cut."""
    return set(content_tokens(text))


def content_tokens(text: str) -> list[str]:
    """Return the ``content_words`` in order, with repetitions."""
    return [stem(word) for word in tokens(text) if word not in STOPWORDS]


JOINT = re.compile(r"[,;] (?:and |or )?| and | or ")


def items(text: str) -> list[str]:
    """Return the items of an enumeration.

    >>> items("Riga, Vilnius, and Tallinn"), items("Riga")
    (['Riga', 'Vilnius', 'Tallinn'], ['Riga'])
    """
    return JOINT.split(text)


def stem(word: str) -> str:
    """Return a crude stem, which unites forms such as ``headquarters`` and ``headquartered``."""
    for ending in ("ingly", "edly", "ings", "ing", "ied", "ies", "ed", "es", "s", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)].rstrip("e")
    return word.rstrip("e") if len(word) > 4 else word


def token_f1(one: str, other: str) -> float:
    """F1 of the two texts' tokens as bags, 0–1; 0 when one is empty."""
    a, b = list(tokens(one)), list(tokens(other))
    common = sum(min(a.count(word), b.count(word)) for word in set(a))
    return 2 * common / (len(a) + len(b)) if common else 0.0


def numbers(text: str) -> tuple[float, ...]:
    """Return all numbers in order, with number words as digits and scales multiplied out.

    >>> numbers("three bridges and 1.5 million people")
    (3.0, 1500000.0)
    """
    values: list[float] = []
    words = tokens(text)
    for i, word in enumerate(words):
        if word[0].isdecimal():
            values.append(float(word))
        elif word in _NUMBER_WORDS:
            values.append(float(_NUMBER_WORDS[word]))
        elif word in _SCALES and i and values and (words[i - 1][0].isdecimal() or words[i - 1] in _NUMBER_WORDS):
            values[-1] *= _SCALES[word]
    return tuple(values)


def dates(text: str) -> tuple[tuple[int, int | None, int | None], ...]:
    """Return all dates as (year, month or None, day or None), in order.

    >>> dates("10 May 1913, then 1914")
    ((1913, 5, 10), (1914, None, None))
    """
    return tuple(found for _, _, found in dated(unicodedata.normalize("NFKC", text)))


def dated(text: str) -> Iterator[tuple[int, int, tuple[int, int | None, int | None]]]:
    """Yield the start, the end and the value of each date in ``text``, as ``dates`` gives them."""
    for match in _DATE.finditer(text):
        found: tuple[int, int | None, int | None]
        if match["only"]:
            found = (int(match["only"]), None, None)
        elif match["y"]:
            found = (int(match["y"]), int(match["m"]), int(match["d"]))
        else:
            day = match["day"] or match["day2"]
            month = _MONTHS[match["month"].casefold()]
            found = (int(match["year"]), month, int(day) if day else None)
        yield *match.span(), found


def most_precise_date(name: str, latest: str = "") -> str | None:
    """Return the most precise date in a title or the name of a file, as ``most_precise`` does; ``None`` without one.

    >>> most_precise_date("Minutes of May 2024"), most_precise_date("enwiki-20240601.xml"), most_precise_date("Minutes")
    ('2024-05', '2024-06-01', None)
    """
    return most_precise(dates(_DAY_IN_NAME.sub(r" \1-\3-\4 ", name).replace("_", " ")), latest)


def most_precise(found: Iterable[tuple[int, int | None, int | None]], latest: str = "") -> str | None:
    """Return the most precise of the ``dates`` that a text of our time may bear; ``None`` without one.

    It is in the calendar, not before 1990 and not after the day ``latest``, which is today if it is ``""``.

    >>> most_precise([(2024, None, None), (2024, 5, 19)]), most_precise([(2024, 2, 30), (850, 3, None)])
    ('2024-05-19', None)
    """
    known = []
    for parts in found:
        written = "-".join(f"{part:02}" for part in parts if part is not None)
        with suppress(ValueError):
            first = date.fromisoformat(f"{written}-01-01"[:10]).isoformat()
            if _EARLIEST <= first <= (latest or datetime.now(UTC).date().isoformat()):
                known.append(written)
    return max(known, key=len, default=None)


def names(text: str) -> frozenset[str]:
    """Return the names in a query: words with a capital (but not an opening question word), quoted words and numbers.
    All words are folded as in ``tokens``.

    >>> sorted(names("When was Ada Lovelace born in 1815?"))
    ['1815', 'ada', 'lovelace']
    """
    found: set[str] = set()
    for i, word in enumerate(re.findall(r"[^\W_]+(?:['’.][^\W_]+)*", text)):
        first = tokens(word)
        if first and (
            word[0].isdigit() or (word[0].isupper() and (i or first[0] not in QUESTION_WORDS)) or not word[0].isascii()
        ):
            found.update(token for token in first if token not in STOPWORDS)
    for quoted in re.findall(r"[\"“«](.{1,200}?)[\"”»]", text):
        found.update(tokens(quoted))
    return frozenset(found)


QUESTION_WORDS, YES_NO_OPENERS, NEGATIONS = (WORDS[name] for name in ("question words", "yes/no openers", "negations"))


def has_negation(text: str) -> bool:
    return not NEGATIONS.isdisjoint(tokens(text)) or "n't" in text.casefold()


def is_yes_no_question(query: str) -> bool:
    """Tell whether a query has the form of a yes/no question and compares nothing."""
    return is_yes_no_question_form(query) and not is_comparison(query)


_COMPARATIVE = re.compile(
    r"\b(?:more|less|fewer|most|least|first|last|earlier|later|before|after|\w{3,}er|\w{3,}est)\b", re.IGNORECASE
)


def is_yes_no_question_form(query: str) -> bool:
    """Tell whether a question opens with an auxiliary and offers no alternatives with "or"."""
    return opens_with_auxiliary(query) and "or" not in query.casefold().split()


def opens_with_auxiliary(query: str) -> bool:
    return not YES_NO_OPENERS.isdisjoint(query.casefold().split()[:1])


def is_statement(query: str) -> bool:
    """Tell whether a query is a statement, not a question."""
    first = tokens(query)[:1]
    return bool(first) and not query.rstrip().endswith("?") and first[0] not in QUESTION_WORDS


def is_comparison(query: str) -> bool:
    """Tell whether a query compares two things ("Who was born later, A or B?")."""
    return (
        "or" in tokens(query)
        and bool(_COMPARATIVE.search(query))
        or bool(re.match(r"(?:are|were|do|did|have|is|was)\b.*\b(?:both|same|than)\b", query.strip(), re.IGNORECASE))
    )


def window(text: str, span: Span | None, n: int) -> tuple[int, int]:
    """Return the limits of ``n`` characters with the start of ``span`` in their middle, as far as ``text`` goes.

    >>> window("one two three four five six", Span(8, 13), 10)
    (3, 13)
    """
    start = max(0, min((span.start if span else 0) - n // 2, len(text) - n))
    return start, min(start + n, len(text))


def plural(number: int, one: str, many: str = "") -> str:
    """Return the number with its noun.

    >>> plural(1, "turn"), plural(0, "turn"), plural(2, "query", "queries")
    ('1 turn', '0 turns', '2 queries')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def as_written(name: str, texts: Iterable[str]) -> str:
    """Return a name typed in lower case with the capitals that it has in ``texts``, if it is never in lower case there.

    >>> as_written("galileo", ["Galileo Galilei was an astronomer."]), as_written("lion", ["A lion is a cat."])
    ('Galileo', 'lion')
    """
    if not name or name != name.lower():
        return name
    form = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    found = [match[0] for text in texts for match in form.finditer(text)]
    return name if name in found else found[0] if found else name
