"""CSV for spreadsheets, with one row per sentence and citation.

A sentence without a citation has one row without a source. A turn without a sentence has one row without either.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

from searchain.events import Turn
from searchain.safe_text import clean
from searchain.types import Sentence
from storage.history.finished_turns import Record

COLUMNS = tuple(
    "conversation turn asked model index profile system task status outcome probability question answer final_answer "
    "sentence_number sentence support sentence_probability citation source_title source_url quote passage query "
    "verdict confidence source_probability".split()
)
_OF_TURN = COLUMNS[COLUMNS.index("model") : COLUMNS.index("sentence_number")]
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""Characters that make a spreadsheet run a cell as a formula, also in full width (OWASP, CSV Injection)."""


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write the header, then the rows of each turn."""
    yield lines([COLUMNS])
    for record in records:
        yield lines([cell(row.get(column)) for column in COLUMNS] for row in _rows(record, record.state()))


def _rows(record: Record, turn: Turn) -> Iterator[dict[str, Any]]:
    asked = {name: getattr(turn, name) for name in _OF_TURN}
    asked |= {"conversation": record.conversation, "turn": record.turn, "asked": record.created}
    if not turn.sentences:
        yield asked
    for number, sentence in enumerate(turn.sentences, 1):
        said = asked | {"sentence_number": number, "sentence": sentence.text, "support": sentence.support}
        said["sentence_probability"] = sentence.probability
        cited = list(_citations(turn, sentence))
        yield from ({**said, **source} for source in cited or [{}])


def _citations(turn: Turn, sentence: Sentence) -> Iterator[dict[str, Any]]:
    for number in sentence.citations:
        source = turn.source(number)
        if source is None:  # `logs verify` reports it
            yield {"citation": number}
            continue
        passage = source.passage
        found = {name: getattr(source, name) for name in ("quote", "query", "verdict", "confidence")}
        found |= {"source_title": passage.title, "source_url": passage.url, "passage": passage.text}
        yield {"citation": number, "source_probability": source.probability, **found}


def cell(value: Any) -> Any:
    """Prefix text that a spreadsheet would run as a formula; leave numbers as they are."""
    if not isinstance(value, str):
        return value
    text = clean(value)
    return f"'{text}" if _FORMULA.match(text) else text


def lines(rows: Iterable[Iterable[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()
