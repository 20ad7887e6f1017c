"""The paper's tables: which runs each needs, and what is computed from their lines.

A cell holds the paper's figure and ours with its 95 % interval; what is missing on a side is ``None``, never 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from searchain.errors import UsageError
from searchain.evaluation.summary import Line, interval
from searchain.systems.base import SYSTEMS, find

PARTNERS = {
    "self-ask": "self-ask-no-ir",
    "plan-and-solve-ir": "plan-and-solve",
    "react-cot-sc": "cot-sc",
    "verify-and-edit": "cot-sc",
    "tree-of-thought-ir": "cot",
    "dsp": "cot",
    "searchain": "searchain-no-ir",
}
"""Systems with retrieval → the same without, for table 3b."""
MULTIHOP = ("hotpotqa", "musique", "2wiki", "strategyqa")
DATASETS = (*MULTIHOP, "zsre", "trex", "fever", "eli5", "vital")
"""The columns; ``vital`` are our own questions, which the paper does not have."""
LABELLED = ("strategyqa", "fever")
STEPPED = ("cot", "self-ask-no-ir", "least-to-most", "searchain-no-ir")
ALPHAS = (0.30, 0.35, 0.40, 0.45, 0.50)
KNOWLEDGE = ("llm", "corrected", "completed", "none")


@dataclass(frozen=True, slots=True)
class Ran:
    """One run that a table needs: a system on a data set, with settings that differ from its own."""

    system: str
    dataset: str
    changes: tuple[tuple[str, Any], ...] = ()
    form: str = ""
    """``steps``: the gold steps of the questions are asked in their place."""

    @property
    def name(self) -> str:
        """Of its out file."""
        extra = [f"{name}-{value}" for name, value in self.changes]
        return "-".join([self.system, self.dataset, *filter(None, [self.form]), *extra])


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of ours. ``low`` and ``high`` are the ends of its 95 % interval, where it is a mean of questions."""

    value: float
    n: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    paper: float | None = None
    ours: Figure | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One table; ``rows`` by name, each with a cell for every column."""

    title: str
    columns: tuple[str, ...]
    rows: dict[str, tuple[Cell, ...]]
    note: str = ""


Runs = Mapping[Ran, Sequence[Line]]


@dataclass(frozen=True, slots=True)
class Plan:
    """The runs that a table needs, and how their answers become its cells."""

    number: str
    runs: Callable[[Sequence[str], Sequence[str]], list[Ran]]
    """From the systems and the data sets that are there."""
    make: Callable[[Runs, int], list[Table]]
    """From the lines of the runs, and the seed of the intervals."""


@cache
def paper() -> dict[str, Any]:
    """The paper's figures."""
    text = (resources.files("searchain") / "evaluation" / "paper.json").read_text(encoding="utf-8")
    values: dict[str, Any] = json.loads(text)
    return values


def plan(number: str) -> Plan:
    """The plan of table ``number``.

    Raises:
        UsageError: there is no such table.
    """
    if number not in PLANS:
        raise UsageError(f"no table {number!r}; there are: {', '.join(PLANS)}, all")
    return PLANS[number]


def metric_of(dataset: str) -> str:
    """The score that the paper gives for a data set."""
    return "rouge_l" if dataset == "eli5" else "cover_em_paper"


def figure(values: Sequence[float], seed: int, scale: float = 100.0) -> Figure | None:
    """The mean of ``values`` over questions, in percent; ``None`` without any."""
    if not values:
        return None
    low, high = interval(values, seed)
    return Figure(round(scale * float(np.mean(values)), 2), len(values), round(scale * low, 2), round(scale * high, 2))


def _mean(values: Sequence[float]) -> Figure | None:
    return Figure(round(float(np.mean(values)), 2), len(values)) if values else None


def _scored(lines: Sequence[Line], name: str, seed: int) -> Figure | None:
    return figure([line[name] for line in lines], seed)


def _of_paper(table: str, row: str, column: str) -> float | None:
    rows = paper()[table]["rows"].get(row, {})
    found = rows.get(column) if isinstance(rows, dict) else None
    return float(found) if isinstance(found, int | float) else None


def _grid(
    table: str, rows: Sequence[str], columns: Sequence[str], ours: Callable[[str, str], Figure | None]
) -> dict[str, tuple[Cell, ...]]:
    return {row: tuple(Cell(_of_paper(table, row, one), ours(row, one)) for one in columns) for row in rows}


def _ours(
    rows: Sequence[str], columns: Sequence[str], ours: Callable[[str, str], Figure | None]
) -> dict[str, tuple[Cell, ...]]:
    """A grid of figures that the paper does not have."""
    return {row: tuple(Cell(None, ours(row, one)) for one in columns) for row in rows}


def _crossed(systems: Sequence[str], datasets: Sequence[str]) -> list[Ran]:
    return [Ran(system, dataset) for system in systems for dataset in datasets]


def _wanted(systems: Sequence[str], all_of: Sequence[str]) -> list[str]:
    return [one for one in all_of if one in systems]


def _get(runs: Runs, system: str, dataset: str) -> Sequence[Line]:
    return runs.get(Ran(system, dataset), ())


def _datasets(runs: Runs) -> list[str]:
    """The columns: the data sets that were asked, or without any run those of the paper."""
    there = [one for one in DATASETS if any(run.dataset == one and not run.form for run in runs)]
    return there if runs else list(DATASETS[:-1])


def _systems(runs: Runs) -> list[str]:
    return [one for one in SYSTEMS if not runs or any(run.system == one for run in runs)]


def _multihop(runs: Runs, *systems: str) -> list[str]:
    """The multi-hop sets that all ``systems`` were asked, or without any run those of the paper."""
    return [one for one in MULTIHOP if not runs or all(_get(runs, system, one) for system in systems)]


# Table 1


def _table_1(runs: Runs, seed: int) -> list[Table]:
    datasets, systems = _datasets(runs), _systems(runs)

    def by(name: str) -> Callable[[str, str], Figure | None]:
        return lambda system, dataset: _scored(_get(runs, system, dataset), name, seed)

    def words(system: str, dataset: str) -> Figure | None:
        return _mean([line["reply_words"] for line in _get(runs, system, dataset)])

    def gained(first: str) -> dict[str, tuple[Cell, ...]]:
        def over(system: str, dataset: str) -> Figure | None:
            return difference(_get(runs, system, dataset), _get(runs, first, dataset), "cover_em", seed)

        return _ours([one for one in systems if one != first], datasets, over)

    main = _grid("1", systems, datasets, lambda system, one: by(metric_of(one))(system, one))
    labelled = " and ".join(one for one in LABELLED if one in datasets)
    notes = [
        "Cover-EM as the paper computes it: an answer is a substring of the whole reply; ROUGE-L for eli5.",
        f"Read {labelled} in the next table: a label is a substring of many replies." if labelled else "",
    ]
    return [
        Table("Table 1: the paper's scores", tuple(datasets), main, " ".join(filter(None, notes))),
        Table(
            "Table 1, short answers",
            tuple(datasets),
            _ours(systems, datasets, by("cover_em")),
            "cover_em: the short answer alone, at token boundaries; labels must be equal.",
        ),
        Table(
            "Table 1, words a reply",
            tuple(datasets),
            _ours(systems, datasets, words),
            "Longer replies favour the first table's score.",
        ),
        Table(
            "Table 1, against searchain",
            tuple(datasets),
            gained("searchain"),
            "Short answers, minus searchain's on the same questions: paired bootstrap.",
        ),
        Table(
            "Table 1, against searchain-few-shot",
            tuple(datasets),
            gained("searchain-few-shot"),
            "Minus those of searchain-few-shot, whose model sees what the others see and was trained on no form.",
        ),
    ]


def difference(lines: Sequence[Line], first: Sequence[Line], name: str, seed: int) -> Figure | None:
    """By how much ``lines`` are above or below ``first``, question by question."""
    before = {line["id"]: line[name] for line in first}
    return figure([line[name] - before[line["id"]] for line in lines if line["id"] in before], seed)


# Tables 2 and 3


def _table_2(runs: Runs, seed: int) -> list[Table]:
    datasets = _multihop(runs, "searchain")

    def share(kind: str, dataset: str) -> Figure | None:
        known = [knowledge(node) for line in _get(runs, "searchain", dataset) for node in line["tree"]["nodes"]]
        return Figure(round(100 * known.count(kind) / len(known), 2), len(known)) if known else None

    return [
        Table(
            "Table 2: where the knowledge of a node is from, percent of all nodes",
            tuple(datasets),
            _grid("2", KNOWLEDGE, datasets, share),
            "n are nodes; none: a node without an answer.",
        )
    ]


def knowledge(node: Mapping[str, Any]) -> str:
    """Where the answer of a node is from."""
    if node["verdict"] in ("corrected", "completed"):
        return str(node["verdict"])
    if not node["answer"]:
        return "none"
    return "llm" if node["model_answer"] else "completed"


def _table_3a(runs: Runs, seed: int) -> list[Table]:
    datasets = _multihop(runs, "searchain", "searchain-no-ir")

    def score(row: str, dataset: str, name: str) -> Figure | None:
        helped = {line["id"] for line in _get(runs, "searchain", dataset) if _is_helped(line)}
        system, _, of = row.partition(" on ")
        lines = [line for line in _get(runs, system, dataset) if of == "S" or line["id"] in helped]
        return _scored(lines, name, seed)

    rows = ("searchain-no-ir on S", "searchain-no-ir on S_IR", "searchain on S_IR")
    title = "Table 3a: questions in which a node was corrected or completed (S_IR)"
    paper_scores = _grid("3a", rows, datasets, lambda row, one: score(row, one, metric_of(one)))
    short = _ours(rows, datasets, lambda row, one: score(row, one, "cover_em"))
    return [
        Table(title, tuple(datasets), paper_scores, "The paper's scores."),
        Table(f"{title}, short answers", tuple(datasets), short, _short_note(datasets)),
    ]


def _short_note(datasets: Sequence[str]) -> str:
    labelled = " and ".join(one for one in LABELLED if one in datasets)
    read = f" Read {labelled} here: a label is a substring of many replies." if labelled else ""
    return f"The short answer alone; labels must be equal.{read}"


def _is_helped(line: Line) -> bool:
    return any(node["verdict"] in ("corrected", "completed") for node in line["tree"]["nodes"])


def _table_3b(runs: Runs, seed: int, right_by: str | None = None) -> list[Table]:
    datasets = [one for one in _multihop(runs) if one in _datasets(runs)]

    def misled(system: str, dataset: str, name: str) -> Figure | None:
        partner = _get(runs, right_by or PARTNERS[system], dataset)
        right = {line["id"] for line in partner if line[name]}
        return figure([1.0 - line[name] for line in _get(runs, system, dataset) if line["id"] in right], seed)

    pairs = ", ".join(f"{one} for {system}" for system, one in PARTNERS.items())
    note = f"Right without retrieval: by {right_by}." if right_by else f"Right without retrieval: by {pairs}."
    title = "Table 3b: how often retrieval misleads, percent of what the model answers rightly without it"
    paper_scores = _grid("3b", list(PARTNERS), datasets, lambda system, one: misled(system, one, metric_of(one)))
    short = _ours(list(PARTNERS), datasets, lambda system, one: misled(system, one, "cover_em"))
    return [
        Table(title, tuple(datasets), paper_scores, f"{note} The paper does not say whose right answers it takes."),
        Table(f"{title}, short answers", tuple(datasets), short, _short_note(datasets)),
    ]


# Tables 4, 5, 7 and 8


def steps_of(line: Line) -> int:
    """How many steps a reply took (table 4): thoughts, follow-ups, parts or queries."""
    system, nodes = line["system"], line["tree"]["nodes"]
    if system == "cot":
        ends = [one for one in line["sentences"] if "answer is" not in one["text"].lower()]
        return len(ends)
    if system == "least-to-most":
        return max(len(nodes) - 1, 0)  # the last one is the question itself
    return sum(bool(node["on_path"]) for node in nodes)


def _table_4(runs: Runs, seed: int) -> list[Table]:
    columns = tuple(paper()["4"]["columns"])
    rows: dict[str, tuple[Cell, ...]] = {}
    for system, told in paper()["4"]["rows"].items():
        lines = _get(runs, system, "musique")
        by_hops = [_mean([steps_of(one) for one in lines if one["type"] == f"{hops}hop"]) for hops in (2, 3, 4)]
        figures = [*by_hops, _scored(lines, "cover_em_paper", seed)]
        rows[system] = tuple(Cell(*pair) for pair in zip(told, figures, strict=True))
    return [Table("Table 4: reasoning steps by hops (MuSiQue)", columns, rows)]


def _table_5(runs: Runs, seed: int) -> list[Table]:
    columns = ("words in", "words out", "rounds", "seconds", "performance", "labels equal", "words in a call")
    rows: dict[str, tuple[Cell, ...]] = {}
    for system in PARTNERS:
        told = [*paper()["5"]["rows"].get(system, [None] * 5), None, None]
        lines = [line for one in MULTIHOP for line in _get(runs, system, one)]
        calls = sum(line["usage"]["llm_calls"] for line in lines)
        figures = [
            _mean([line["usage"]["prompt_words"] for line in lines]),
            _mean([line["usage"]["completion_words"] for line in lines]),
            _mean([line["rounds"] for line in lines]),
            _mean([line["usage"]["seconds"] for line in lines]),
            _performance(runs, system, metric_of),
            _performance(runs, system, lambda one: "cover_em" if one in LABELLED else metric_of(one)),
            Figure(round(sum(line["usage"]["prompt_words"] for line in lines) / calls, 2), calls) if calls else None,
        ]
        rows[system] = tuple(Cell(*pair) for pair in zip(told, figures, strict=True))
    return [
        Table(
            "Table 5: words, rounds and seconds a question (multi-hop sets)",
            columns,
            rows,
            "performance: the mean over the data sets of table 1 that are there (n of them). labels equal: the same, "
            "but a label must be the short answer, because it is a substring of many replies. The paper's 401 words "
            "for Self-Ask can only be one call's.",
        )
    ]


def _performance(runs: Runs, system: str, score: Callable[[str], str]) -> Figure | None:
    """The mean over the data sets of the mean over their questions, each by the ``score`` of the data set."""
    lines = {one: _get(runs, system, one) for one in _datasets(runs)}
    means = [100 * float(np.mean([line[score(one)] for line in found])) for one, found in lines.items() if found]
    return _mean(means)


def _table_6(runs: Runs, seed: int) -> list[Table]:
    datasets = _datasets(runs)
    systems = ("dsp", "searchain")
    score = _grid("6", systems, datasets, lambda a, b: _scored(_get(runs, a, b), metric_of(b), seed))
    short = _ours(systems, datasets, lambda a, b: _scored(_get(runs, a, b), "cover_em", seed))
    title = f"Table 6: another model (the paper: {paper()['6']['model']})"
    return [
        Table(title, tuple(datasets), score, "The paper's scores."),
        Table(f"{title}, short answers", tuple(datasets), short, _short_note(datasets)),
    ]


def _alpha(alpha: float) -> Ran:
    return Ran("searchain", "eli5", () if alpha == 0.35 else (("alpha", alpha),))


def _table_7(runs: Runs, seed: int) -> list[Table]:
    told = paper()["7"]["rows"]["rouge_l"]
    found = [_scored(runs.get(_alpha(alpha), ()), "rouge_l", seed) for alpha in ALPHAS]
    cells = tuple(Cell(*pair) for pair in zip(told, found, strict=True))
    return [Table("Table 7: α on ELI5", tuple(f"{alpha:.2f}" for alpha in ALPHAS), {"rouge_l": cells})]


def _table_8(runs: Runs, seed: int) -> list[Table]:
    from searchain.systems.counting import examples_of

    columns = [one for one in DATASETS if one != "vital"]

    def ours(system: str, dataset: str) -> Figure | None:
        found = examples_of(system, dataset)
        return None if found is None else Figure(found, 1)

    rows = [system for system in SYSTEMS if system in paper()["8"]["rows"]]
    return [Table("Table 8: examples in the prompt", tuple(columns), _grid("8", rows, columns, ours))]


# Tables of the first version


def _hops(line: Line) -> str:
    return str(line["type"])[0]


def _table_v1_7(runs: Runs, seed: int) -> list[Table]:
    steps, whole = runs.get(Ran("direct", "musique", form="steps"), ()), _get(runs, "direct", "musique")
    right: dict[str, list[float]] = {}
    for line in steps:
        right.setdefault(line["id"].rpartition("#")[0], []).append(line["cover_em"])
    known = {id for id, found in right.items() if all(found)}
    figures = [
        figure([line["cover_em_paper"] for line in whole if line["id"] in known and _hops(line) == hops], seed)
        for hops in "234"
    ]
    told = [100 * value for value in paper()["v1-7"]["rows"]["accuracy on S_all"]]
    cells = tuple(Cell(*pair) for pair in zip(told, figures, strict=True))
    title = "Table v1-7: questions of MuSiQue whose every gold step the model answers rightly"
    note = "Figure 22 of that version, which puts the first steps' answers into the prompt, is not made."
    return [Table(title, tuple(paper()["v1-7"]["columns"]), {"accuracy on S_all": cells}, note)]


def _table_v1_8(runs: Runs, seed: int) -> list[Table]:
    columns = tuple(paper()["v1-8"]["columns"])
    values: dict[str, dict[str, Figure | None]] = {}
    direct, found = _get(runs, "direct", "hotpotqa"), _get(runs, "direct-retrieval", "hotpotqa")
    known = {line["id"] for line in direct if line["cover_em"]}
    for column, is_known in (("HotpotQA S_t", True), ("HotpotQA S_f", False)):
        lines = [line for line in found if (line["id"] in known) is is_known]
        alone = [line for line in direct if (line["id"] in known) is is_known]
        values[column] = {
            "IR top-1": figure([float(_is_first_right(line)) for line in lines], seed),
            "LLM accuracy": _scored(alone, "cover_em", seed),
            "LLM with IR accuracy": _scored(lines, "cover_em", seed),
        }
    told = {
        row: dict(zip(paper()["v1-8"]["columns"], row_, strict=True)) for row, row_ in paper()["v1-8"]["rows"].items()
    }
    rows = {row: tuple(Cell(told[row].get(one), values.get(one, {}).get(row)) for one in columns) for row in told}
    title = "Table v1-8: retrieval where the model knows (S_t) and where not (S_f)"
    return [Table(title, columns, rows, "Ours is HotpotQA alone: the other data sets are not read.")]


def _is_first_right(line: Line) -> bool:
    return any(search["hits"] and search["hits"][0]["has_answer"] for search in line["searches"])


def _table_tracing(runs: Runs, seed: int) -> list[Table]:
    rows: dict[str, tuple[Cell, ...]] = {
        name: (Cell(told["skc"]), Cell(told["amp"])) for name, told in paper()["tracing"]["rows"].items()
    }
    return [Table("Tracing: SKC and AMP", ("SKC", "AMP"), rows, "Ours come from annotation: --db FILE.")]


def _on_multihop(needed: Sequence[str]) -> Callable[[Sequence[str], Sequence[str]], list[Ran]]:
    return lambda systems, datasets: _crossed(_wanted(systems, needed), _wanted(datasets, MULTIHOP))


def _only(needed: Sequence[Ran]) -> Callable[[Sequence[str], Sequence[str]], list[Ran]]:
    return lambda systems, datasets: [run for run in needed if run.system in systems and run.dataset in datasets]


PLANS = {
    one.number: one
    for one in (
        Plan("1", _crossed, _table_1),
        Plan("2", _on_multihop(["searchain"]), _table_2),
        Plan("3a", _on_multihop(["searchain", "searchain-no-ir"]), _table_3a),
        Plan("3b", _on_multihop([*PARTNERS, *PARTNERS.values()]), _table_3b),
        Plan("4", _only([Ran(system, "musique") for system in STEPPED]), _table_4),
        Plan("5", _on_multihop(list(PARTNERS)), _table_5),
        Plan("6", lambda systems, datasets: _crossed(_wanted(systems, ("dsp", "searchain")), datasets), _table_6),
        Plan("7", _only([_alpha(alpha) for alpha in ALPHAS]), _table_7),
        Plan("8", lambda systems, datasets: [], _table_8),
        Plan("v1-7", _only([Ran("direct", "musique", form="steps"), Ran("direct", "musique")]), _table_v1_7),
        Plan("v1-8", _only([Ran("direct", "hotpotqa"), Ran("direct-retrieval", "hotpotqa")]), _table_v1_8),
        Plan("tracing", lambda systems, datasets: [], _table_tracing),
    )
}


def misled(right_by: str) -> Plan:
    """The plan of table 3b with the right answers of one system for all.

    Raises:
        UsageError: there is no such system.
    """
    needed = list(dict.fromkeys([*PARTNERS, find(right_by).name]))
    return Plan(
        "3b",
        lambda systems, datasets: _crossed(
            [one for one in needed if one in (*systems, right_by)], _wanted(datasets, MULTIHOP)
        ),
        lambda runs, seed: _table_3b(runs, seed, right_by),
    )


def numbers(text: str) -> Iterator[str]:
    """The tables that ``text`` names: one, ``3`` for both of its parts, or all.

    Raises:
        UsageError: there is no such table.
    """
    if text == "all":
        yield from PLANS
    elif text == "3":
        yield from ("3a", "3b")
    else:
        yield plan(text).number
