"""A table for people: one row per sentence and citation, with few columns. `csv` has all of them, for programs.

It begins with a byte order mark, by which spreadsheets know that it is UTF-8.
"""

from collections.abc import Iterable, Iterator

from searchain.events import Turn
from storage.history.finished_turns import Record
from ui.exports.csv_rows import cell, lines
from ui.show.labels import ended, in_words, rated, sureness

COLUMNS = (
    "Asked (UTC)",
    "Question",
    "Short answer",
    "Result",
    "How sure",
    "Sentence",
    "Its source",
    "Source",
    "Quoted words",
    "Address",
)


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write the header, then the rows of each turn."""
    yield "\ufeff" + lines([COLUMNS])
    for record in records:
        yield lines([cell(value) for value in row] for row in _rows(record, record.state()))


def _rows(record: Record, turn: Turn) -> Iterator[tuple[str, ...]]:
    word = sign.word if (sign := ended(turn)) else ""
    time = record.created[:16].replace("T", " ")
    asked = (time, turn.question, in_words(turn.final_answer), word, sureness(turn))
    if not turn.sentences:
        yield (*asked, turn.answer, "", "", "", "")
    for sentence in turn.sentences:
        label = rated(turn, sentence)
        said = (*asked, sentence.text, label.word if label else "")
        sources = [source for number in sentence.citations if (source := turn.source(number))]
        if not sources:
            yield (*said, "", "", "")
        for source in sources:
            yield (*said, source.passage.title, source.quote, source.passage.url or "")
