"""Find the values that a computation takes: the cells of one table, or two values of the passages that were found.

A table is chosen by the similarity of its title and columns to the question, and by the cells that the question names.
Of a table the column of values is chosen in the same way; the rows are those that the question names by a cell, by a
month or a year of a date, or by the name of a column that says yes or no.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations, pairwise, takewhile

from searchain.language import text
from searchain.language.amounts import Value, values_in
from searchain.language.same_query import Similarity
from searchain.language.sentences import split
from searchain.question.sums import Sum
from searchain.reading.tables import Cell, Row, Table
from searchain.types import HEADING_STEP, Passage, Span
from searchain.verification.features import Prepares

YES, NO = frozenset("yes y true x ✓ ✔".split()), frozenset("no n false - – ✗".split())
COMPARING = frozenset((Sum.GREATER, Sum.LESS))
OF_TWO = COMPARING | {Sum.DIFFERENCE, Sum.RATIO, Sum.SHARE, Sum.DAYS}
"""The computations over two values."""
BY_TIME = frozenset((Sum.LATEST, Sum.EARLIEST))
NAMED = 0.5
"""What a word of the question counts in the name of a column, beside a cosine."""
NEAR = 0.28
"""The least cosine of a question and the title of a table, one of whose rows it asks for."""
WHOLE = 0.8
"""The least sum of a question's cosines with title and column of a table whose rows are all added up. Of ten
such questions the seven rightly understood had 1.0 and more, the three about other things 0.4 to 0.7."""
JOINTS = frozenset(("or", "than"))
"""The words that stand between the names of two things."""
WHICH = frozenset("who whom whose which what where".split())
"""The words of a question that wants a name, as "or" is between two."""
UNIT = 0.5
"""What a unit of the question counts beside a word of it: "did the plumber work more hours"."""
SPOKEN_OF = 0.4
"""The least cosine of a question and the words that give a value in a sentence."""
BEGINNING = 6
"""How many letters of two words must agree."""
_ASKING = frozenset(("many", "list", "table", "number"))
_NEGATIONS = text.NEGATIONS | {"without"}


@dataclass(frozen=True, slots=True)
class Operand:
    """A value, the cell or the words that give it, and what it is the value of."""

    value: Value
    cell: Cell
    label: str


@dataclass(frozen=True, slots=True)
class Operands:
    """The values of one computation."""

    groups: tuple[tuple[Operand, ...], ...]
    """One group, or two that are put against each other."""
    where: str = ""
    """Which rows were taken: ``3 of 7 rows of “Spending”, Category: Travel``; ``""`` for values of sentences."""
    column: str = ""
    names: tuple[str, ...] = ()
    """How the question names two groups if it asks which is greater; the groups are in its order."""


def words(some: str) -> set[str]:
    """Return the beginnings of the content words, which forms such as "delivery" and "delivered" share."""
    return {word.rstrip("s")[:BEGINNING] for word in text.content_tokens(some)}


class Finder:
    """Finds the operands for one question. ``similarity`` returns the cosine of two texts."""

    def __init__(self, question: str, kind: Sum, similarity: Similarity) -> None:
        self._question, self._kind, self._similarity = question, kind, similarity
        self._words = words(question)
        self._months = {
            month
            for word in question.split()
            if word[:1].isupper() or word.casefold() != "may"
            for _, month, _ in text.dates(f"{word.strip('?.,!')} 2000")
            if month and word.strip("?.,!").isalpha()
        }
        self._years = {year for year, _, _ in text.dates(question)}

    def in_tables(self, tables: Sequence[Table]) -> Iterator[Operands]:
        """Yield the operands in each table that has them, those of the likeliest table first."""
        ranked = sorted(tables, key=self._score, reverse=True)
        yield from (found for table in ranked if self._holds_names(table) and (found := self._of(table)) is not None)

    def _holds_names(self, table: Table) -> bool:
        """Tell whether the table has all names and numbers of the question, which else may ask for other rows."""
        inside = set(text.tokens(_said(table)))
        has_days = any(value.day for row in table.rows for cell in row.values() if (value := cell.value))
        return all(
            name in inside or (has_days and (text.dates(f"{name} 2000")[0][1] or name in map(str, self._years)))
            for name in text.names(self._question[:1].lower() + self._question[1:])
        )

    def _score(self, table: Table) -> float:
        named = len(self._words & words(_said(table))) / (len(self._words) or 1)
        return self._similarity(self._question, table.heading) + named

    def _likeness(self, column: str) -> float:
        return self._similarity(self._question, column) + NAMED * bool(self._words & words(column))

    def _of(self, table: Table) -> Operands | None:
        amounts = [name for name in table.columns if table.has_values(name, are_times=False)]
        if self._kind is Sum.COUNT and not any(self._words & words(name) for name in amounts):
            return self._counted(table)
        times = [name for name in table.columns if table.has_values(name, are_times=True)]
        is_by_time = self._kind is Sum.DAYS or (self._kind in BY_TIME and bool(times))
        columns = times if is_by_time else amounts
        if self._kind in COMPARING:
            columns = amounts + times
        return self._of_column(table, max(columns, key=self._likeness)) if columns else None

    def _of_column(self, table: Table, column: str) -> Operands | None:
        rows = [row for row in table.rows if column in row and row[column].value]
        if self._kind in OF_TWO:
            return self._opposed(table, rows, column)
        taken, told = self._filtered(table, rows, column)
        if len(taken) < 2 or not (told or self._is_about(table, column)):
            return None
        return Operands((self._operands(table, taken, column),), _where(table, taken, told), column)

    def _operands(self, table: Table, rows: Sequence[Row], column: str) -> tuple[Operand, ...]:
        return tuple(
            Operand(value, row[column], table.label(row).text)
            for row in rows
            if (value := row[column].value) is not None
        )

    def _is_about(self, table: Table, column: str) -> bool:
        """Tell whether the question may mean all rows of a table.

        Where they are added up, title and column must be near to it; else the title must be, or share a word with it.
        """
        near = self._similarity(self._question, table.heading)
        if self._kind in (Sum.TOTAL, Sum.AVERAGE):
            return near + self._similarity(self._question, column) >= WHOLE
        return near >= NEAR or bool(self._words & words(table.heading))

    def _counted(self, table: Table) -> Operands | None:
        """Return the rows that the question names, each as its label."""
        taken, told = self._filtered(table, table.rows, "")
        # of all rows only where no word of the question could choose some
        is_whole = bool(self._words & words(table.columns[0])) and self._words <= _ASKING | words(table.heading)
        if not taken or not (told or is_whole):
            return None
        one = Value(Decimal(1), "", 0, 0)
        shown = [(row, row[told[0]] if told and told[0] in row else table.label(row)) for row in taken]
        group = tuple(Operand(one, cell, table.label(row).text) for row, cell in shown)
        return Operands((group,), _where(table, taken, told))

    def _filtered(self, table: Table, rows: Sequence[Row], column: str) -> tuple[list[Row], list[str]]:
        """Return the rows that the question names, with the names of the columns by which it does."""
        taken, told = list(rows), list[str]()
        others = [name for name in table.columns if name != column]
        ways = [(name, [row for row in rows if self._takes(row, name)]) for name in others]
        ways = [(name, some) for name, some in ways if 0 < len(some) < len(rows)]
        if any(name != table.columns[0] for name, _ in ways):  # "rivers that flow into the Arvel": not the Arvel itself
            ways = [(name, some) for name, some in ways if name != table.columns[0]]
        for name, some in ways:
            taken = [row for row in taken if row in some]
            told.append(name)
        return taken, told

    def _takes(self, row: Row, column: str) -> bool:
        """Tell whether the question names a row by its cell in ``column``."""
        cell = row.get(column)
        if cell is None:
            return False
        said = cell.text.casefold()
        if said in YES | NO:
            wants_no = not _NEGATIONS.isdisjoint(text.tokens(self._question))
            return self._names(column) and (said in NO) == wants_no
        value = cell.value
        if value and value.day:
            is_month = not self._months or value.day.month in self._months
            is_year = not self._years or value.day.year in self._years
            return bool(self._months or self._years) and is_month and is_year
        return self._names(cell.text)

    def _names(self, said: str) -> bool:
        """Tell whether the question holds all words of ``said``; one letter must be written alike."""
        if len(said) == 1:
            return said in self._question.rstrip("?").split()[1:]
        inside = words(said)
        return bool(inside) and inside <= self._words

    def _opposed(self, table: Table, rows: Sequence[Row], column: str) -> Operands | None:
        """Return two groups of rows: the two that the question names, or the part that it names and the whole."""
        for name in (name for name in table.columns if name != column):
            named: dict[str, list[Row]] = {}
            for row in rows:
                if self._takes(row, name):
                    named.setdefault(row[name].text.casefold(), []).append(row)
            groups = list(named.values())
            if self._kind is Sum.SHARE and len(groups) == 1:
                groups.append(list(rows))
            if len(groups) == 2:
                where = _where(table, [row for some in groups for row in some][: len(rows)], [name])
                found = Operands(tuple(self._operands(table, some, column) for some in groups), where, column)
                return found if self._kind not in COMPARING else _in_order(self._question, found, [*map(words, named)])
        return None

    def in_sentences(self, passages: Sequence[Passage]) -> Operands | None:
        """Return the two values of sentences and rows that together hold most words of the question.

        Each must hold a word of it that the other lacks, and their units must agree.
        """
        values = [
            (operand, shared, rank, sentence)
            for rank, passage in enumerate(passages)
            for operand, sentence in _values_of(passage)
            if self._is_fitting(operand.value)
            if (shared := self._words & words(operand.label))
        ]
        if isinstance(self._similarity, Prepares):
            self._similarity.prepare(said for operand, *_, sentence in values for said in (operand.label, sentence))
        found = [
            one
            for one in values
            if max(self._similarity(self._question, said) for said in (one[0].label, one[3])) >= SPOKEN_OF
        ]
        pairs = [
            (
                len(said | also) + self._likeness_of_units(one.value, other.value) - 0.01 * (rank + other_rank),
                one,
                other,
            )
            for (one, said, rank, _), (other, also, other_rank, _) in combinations(found, 2)
            if said - also and also - said and one.value.converted(other.value) is not None
        ]
        pairs.sort(key=lambda pair: pair[0], reverse=True)
        for _, one, other in pairs:
            both = Operands(((one,), (other,)))
            if self._kind not in COMPARING:
                return both
            if ordered := _in_order(self._question, both, [self._words & words(each.label) for each in (one, other)]):
                return ordered
        return None

    def _likeness_of_units(self, one: Value, other: Value) -> float:
        """Return what the units of a pair count beside words: being the same, and standing in the question."""
        if self._kind not in COMPARING | {Sum.DIFFERENCE}:
            return 0.0
        return (one.measure == other.measure) + UNIT * bool(words(one.unit) & words(other.unit) & self._words)

    def _is_fitting(self, value: Value) -> bool:
        """Tell whether a value of a sentence may be computed with: a day or an amount, compared one with a unit."""
        if self._kind in COMPARING:
            return value.day is not None or bool(value.unit)
        return (value.day is not None) == (self._kind is Sum.DAYS) and not value.is_year


def _in_order(question: str, found: Operands, said: Sequence[set[str]]) -> Operands | None:
    """Put two groups in the order of the question, with their names there if it asks which of them.

    ``said`` are the words of each; those that both share name neither. ``None`` if the question does not name both, one
    before and one behind "or" or "than"; if it denies something; or if a number stands behind "than".
    """
    asked, shared = question.split(), said[0] & said[1]
    limits = [value.start for value in values_in(question.partition(" than ")[2])]
    if text.has_negation(question) or 0 in limits:
        return None
    joint = max((place for place, word in enumerate(asked) if word in JOINTS), default=0)
    start = max((place + 1 for place in range(joint - 1) if asked[place][-1] in ",:"), default=0)
    rest = range(start, len(asked))
    first, second = (next((n for n in rest if words(asked[n]) & (own - shared)), -1) for own in said)
    if min(first, second) < 0 or (joint and (first < joint) == (second < joint)):
        return None
    asks_which = "or" in asked or not WHICH.isdisjoint(text.tokens(question))
    names = (_name(asked[first:], said[0]), _name(asked[second:], said[1])) if asks_which else ()
    step = 1 if first < second else -1
    return replace(found, groups=found.groups[::step], names=names[::step])


def _name(asked: Sequence[str], own: set[str]) -> str:
    """Return the first words that are ``own``, with stop words between them."""
    run = list(takewhile(lambda word: word not in JOINTS and (not words(word) or words(word) & own), asked))
    while len(run) > 1 and not words(run[-1]):
        run.pop()
    return " ".join(run).strip("?.,!")


def _values_of(passage: Passage) -> Iterator[tuple[Operand, str]]:
    """Yield the values of a passage, each with its sentence, and labelled by the words around it.

    Between two values the words belong to the first up to a comma, "and" or "or", and to the second from there on.
    """
    for start, end in split(passage.text):
        sentence = passage.text[start:end]
        values = sorted(values_in(sentence), key=lambda value: value.start)
        cuts = [(0, 0)]
        for value, following in pairwise(values):
            joint = text.JOINT.search(sentence, value.end, following.start)
            cuts.append(joint.span() if joint else (value.end, value.end))
        ends = [*(before for before, _ in cuts[1:]), end - start]
        for value, (_, begin), until in zip(values, cuts, ends, strict=False):
            span = Span(start + value.start, start + value.end)
            cell = Cell(passage.text[span.start : span.end], passage, span)
            yield Operand(value, cell, sentence[begin:until].strip()), sentence


def _said(table: Table) -> str:
    return " ".join((table.heading, *(cell.text for row in table.rows for cell in row.values())))


def _where(table: Table, taken: Sequence[Row], told: Sequence[str]) -> str:
    of = f"{len(taken)} of {len(table.rows)}" if told else f"all {len(table.rows)}"
    values = [_values([row[name] for row in taken if name in row], name) for name in told]
    return f"{of} rows of “{table.title.partition(HEADING_STEP)[0]}”" + (f" ({', '.join(values)})" if values else "")


def _values(cells: Sequence[Cell], column: str) -> str:
    """Write what the cells of a column that chose rows say: of days the first and the last."""
    days = {value.day: cell.text for cell in cells if (value := cell.value) and value.day}
    said = [days[min(days)], days[max(days)]] if days else [cell.text for cell in cells]
    return f"{column}: {(' to ' if days else ' or ').join(dict.fromkeys(said))}"
