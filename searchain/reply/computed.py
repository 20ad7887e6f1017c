"""Answer questions whose answer must be computed, from values that are cited one by one.

    question ─▶ question.sums (trained head): which computation ─▶ Retriever: passages ─▶ reading.tables: the tables of
    their documents ─▶ reply.operands: the rows and the column, or two values of sentences ─▶ the computation here

Each value is a node of the tree with its cell as its span, and the computation is the last node. Where the units do not
agree the reply says so and cites the values. Without values the question goes the ordinary way. How often such replies
are right is in docs/documents.md; they are never shown as supported.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from searchain.chain.context import RunContext
from searchain.chain.tree import settle_new
from searchain.events import Event, RoundStarted, RunFinished, SentenceBound, TracingStarted
from searchain.language.amounts import Value, as_written
from searchain.language.same_query import Similarity
from searchain.question.sums import Sum, SumHead
from searchain.reading.tables import tables_of
from searchain.reply.citations import Binder, deltas, keys_by_node, keys_of
from searchain.reply.notes import COMPUTED
from searchain.reply.operands import COMPARING, OF_TWO, Finder, Operand, Operands
from searchain.reply.template import plain
from searchain.types import Evidence, Hit, Judgement, Outcome, Passage, Reading, Sentence, Status, Support, Verdict

RULE, CELL = COMPUTED, "cell"
"""The rules of the node with the result, and of those with the values."""
SHOWN = 8
"""Most values that a reply cites; the others are counted."""
SEARCHED = 20
"""Passages that are searched for tables and values."""
NEAREST = 8
"""Passages whose sentences are searched for two values."""
NOT_MEASURED = "computed from the cited values; read how they were chosen"
ASKED_FIRST = frozenset((Sum.LARGEST, Sum.SMALLEST, Sum.LATEST, Sum.EARLIEST))
_MOST = frozenset((Sum.LARGEST, Sum.LATEST))

Cite = Callable[[Operand], str]
"""Value → its words, with a mark where it is cited."""


@dataclass(frozen=True, slots=True)
class Result:
    """The short answer (``""`` if the values cannot be computed with), the values in order, and the sentence."""

    answer: str
    taken: tuple[Operand, ...]
    text: Callable[[Cite], str]


class Documents(Protocol):
    """Own documents, as ``retrieval.colbert`` searches them."""

    def search(self, query: str, k: int) -> list[Hit]: ...

    def passages_of(self, document: str) -> Iterator[Passage]:
        """Yield the passages of one document in order."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Computes over own documents what questions ask for."""

    head: SumHead
    documents: Documents
    similarity: Similarity

    def result(self, question: str) -> Result | None:
        """Return what the documents give for ``question``; ``None`` if it asks for no computation they have values for.

        Raises ``RetrievalError`` if the documents could not be searched, and ``SetupError`` if the embedding model is
        missing or damaged.
        """
        kind = self.head.of(question)
        if kind is None:
            return None
        hits = [hit.passage for hit in self.documents.search(question, SEARCHED) if hit.passage.place]
        ids = dict.fromkeys(passage.place.document for passage in hits if passage.place)
        tables = [table for id in ids for table in tables_of(self.documents.passages_of(id))]
        finder = Finder(question, kind, self.similarity)
        found = next(finder.in_tables(tables), None)
        if found is None and kind in OF_TWO:
            found = finder.in_sentences(hits[:NEAREST])
        return computed(kind, found) if found else None


def computed(kind: Sum, found: Operands) -> Result | None:
    """Compute with the values; ``None`` if there are too few."""
    if kind is Sum.COUNT and not found.column:
        (rows,) = found.groups
        return Result(str(len(rows)), rows, lambda cite: f"{found.where}: {_listed(rows, cite, is_named=True)}.")
    groups = tuple(map(_in_one_unit, found.groups))
    first = found.groups[0][0].value
    if None in groups or len({one[0].value.measure[0] for one in found.groups}) > 1:
        return _refused(tuple(one for group in found.groups for one in group))
    sums = [sum(amounts, Decimal()) for amounts in groups if amounts]
    if len(found.groups) == 2:
        second = found.groups[1][0].value
        other = first.converted(Value(sums[1], second.unit, 0, 0, second.day))
        assert other is not None
        opposed = _compared if kind in COMPARING else _of_two
        return opposed(kind, found, (sums[0], other), first)
    (rows,), (amounts,) = found.groups, groups
    assert amounts is not None
    if kind in ASKED_FIRST:
        return _extreme(kind, found, amounts)
    is_mean = kind is Sum.AVERAGE
    answer = first.written(sums[0] / len(rows) if is_mean else sums[0])
    what = f"{answer} {'on average' if is_mean else 'in total'}, {found.column} over {found.where}"
    end = f", divided by {len(rows)}." if is_mean else "."
    return Result(answer, rows, lambda cite: f"{what}: {_listed(rows, cite, ' + ')}{end}")


def _refused(taken: tuple[Operand, ...]) -> Result | None:
    """Return a reply that only shows amounts of several currencies; ``None`` for other units."""
    if not all(one.value.is_money for one in taken):
        return None
    return Result("", taken, lambda cite: f"This cannot be computed in one currency: {_listed(taken, cite)}.")


def _in_one_unit(group: Sequence[Operand]) -> list[Decimal] | None:
    """Return the amounts in the unit of the first; ``None`` if the units do not agree."""
    found = [group[0].value.converted(one.value) for one in group]
    return None if None in found else [one for one in found if one is not None]


def _extreme(kind: Sum, found: Operands, amounts: Sequence[Decimal]) -> Result:
    (rows,) = found.groups
    # "oldest" is the least date, but the greatest age
    is_most = (kind in _MOST) == (rows[0].value.is_time or kind not in (Sum.LATEST, Sum.EARLIEST))
    ordered = sorted(zip(amounts, rows, strict=True), key=lambda pair: pair[0], reverse=is_most)
    best = [row for amount, row in ordered if amount == ordered[0][0]]
    others = [row for amount, row in ordered if amount != ordered[0][0]]
    names = " and ".join(dict.fromkeys(row.label for row in best if row.label != row.cell.text))
    answer = f"{names} ({best[0].cell.text})" if names else best[0].cell.text
    what = "greatest" if is_most else "least"

    def written(cite: Cite) -> str:
        after = f"; then {_listed(others, cite, is_named=True)}" if others else ""
        return f"{_listed(best, cite, is_named=True)}, the {what} {found.column} of {found.where}{after}."

    return Result(answer, (*best, *others), written)


def _of_two(kind: Sum, found: Operands, sums: Sequence[Decimal], unit: Value) -> Result | None:
    """Put two groups against each other; the greater one comes first, but a share is that of the first group."""
    pairs = zip(sums, found.groups, strict=True)
    (large, one), (small, two) = sorted(pairs, key=lambda pair: pair[0], reverse=True)

    def against(sign: str, *, is_turned: bool = False) -> Callable[[Cite], str]:
        ends = ((two, small), (one, large)) if is_turned else ((one, large), (two, small))
        return lambda cite: sign.join(_said(found, unit, *end, cite) for end in ends)

    match kind:
        case Sum.DAYS if len(one) == len(two) == 1:
            answer, written = f"{int(large - small):,} days", against(" to ", is_turned=True)
        case Sum.DIFFERENCE:
            answer, written = unit.written(large - small), against(" − ")
        case Sum.RATIO if small:
            answer, written = as_written(large / small), against(" ÷ ")
        case Sum.SHARE if large:
            share = (small * 100 / large).quantize(Decimal("0.1"))
            answer, written = f"{as_written(share).removesuffix('.0')} %", against(" ÷ ", is_turned=True)
        case _:
            return None
    return Result(answer, (*one, *two), lambda cite: f"{answer}: {written(cite)}.")


def _compared(kind: Sum, found: Operands, sums: Sequence[Decimal], unit: Value) -> Result:
    """Say which of two values is asked for, or whether the first one is, and write both with the sign between them."""
    is_first = sums[0] > sums[1] if kind is Sum.GREATER else sums[0] < sums[1]
    ends = list(zip(found.groups, sums, strict=True))
    if not found.names:
        answer = "yes" if is_first else "no"
    elif sums[0] == sums[1]:
        answer = "neither"
    else:
        answer = found.names[0] if is_first else found.names[1]
        ends = ends if is_first else ends[::-1]
    (one, left), (two, right) = ends
    sign = " = " if left == right else " > " if left > right else " < "
    what = answer[:1].upper() + answer[1:]

    def written(cite: Cite) -> str:
        return f"{what}: {sign.join(_said(found, unit, *end, cite) for end in ends)}."

    return Result(answer, (*one, *two), written)


def _said(found: Operands, unit: Value, group: Sequence[Operand], total: Decimal, cite: Cite) -> str:
    listed = _listed(group, cite, " + ", is_named=bool(found.where))
    return listed if len(group) == 1 else f"the sum {unit.written(total)} of {listed}"


def _listed(group: Sequence[Operand], cite: Cite, joint: str = ", ", *, is_named: bool = False) -> str:
    """Write the values that are cited, and count the others."""
    written = [(one, cite(one)) for one in group]
    shown = [
        f"{one.label}: {said}" if is_named and one.label != one.cell.text else said for one, said in written if said
    ]
    rest = len(group) - len(shown)
    return joint.join(shown) + (f" and {rest} more" if rest and shown else f"{rest} values" if rest else "")


def computed_reply(run: RunContext, result: Result) -> Iterator[Event]:
    """Yield the events from the first round to ``RunFinished``."""
    yield RoundStarted(round=1)
    cited = tuple(dict.fromkeys(result.taken))[:SHOWN]
    nodes = []
    for one in cited:
        said = one.cell.text
        hit = Hit(one.cell.passage, 0.0, 1)
        evidence = Evidence((hit,), hit, Reading(said, one.cell.span, 0.0))
        judgement = Judgement(Verdict.COMPLETED, CELL, said)
        title = one.cell.passage.heading
        nodes.append((yield from settle_new(run.tree, f"{one.label} ({title})", 1, evidence, judgement)))
    verdict = Verdict.COMPLETED if result.answer else Verdict.UNCONFIRMED
    judgement = Judgement(verdict, RULE, result.answer or None)
    yield from settle_new(run.tree, run.question, 1, Evidence((), None, None), judgement)
    keys = keys_of(nodes)
    by_node = keys_by_node(keys)
    marks = {one: by_node[node.id] for one, node in zip(cited, nodes, strict=True)}
    binder = Binder(keys)
    yield TracingStarted(path=tuple(node.id for node in run.tree.path()), writer="template")
    text = result.text(lambda one: f"{plain(one.cell.text)} [{marks[one]}]" if one in marks else "")
    yield from deltas(binder.feed(text), binder.finish())
    found = tuple(bound.mark for bound in binder.marks)
    yield SentenceBound(sentence=Sentence(binder.text, 0, len(binder.text), found, Support.QUOTED))
    yield RunFinished(
        status=Status.PARTIAL if result.answer else Status.NOT_FOUND,
        outcome=Outcome.UNRATED if result.answer else Outcome.NOT_FOUND,
        final_answer=result.answer,
        invented_markers=0,
        usage=run.dialogue.total,
        message=NOT_MEASURED if result.answer else "the values are in several currencies",
    )
