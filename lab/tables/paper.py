"""The paper's tables: which runs each needs, and what is computed from their lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.evaluation.summary import Line
from lab.systems.base import SYSTEMS
from lab.tables import version_1
from lab.tables.parts import (
    DATASETS,
    LABELLED,
    MULTIHOP,
    Cell,
    Figure,
    Ran,
    Runs,
    Table,
    crossed,
    datasets_of,
    difference,
    figure,
    grid,
    lines_of,
    mean,
    metric_of,
    multihop_of,
    ours_alone,
    paper,
    scored,
    short_note,
    systems_of,
    wanted,
)
from searchain.errors import UsageError
from searchain.methods.base import find

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
STEPPED = ("cot", "self-ask-no-ir", "least-to-most", "searchain-no-ir")
ALPHAS = (0.30, 0.35, 0.40, 0.45, 0.50)
KNOWLEDGE = ("llm", "corrected", "completed", "none")


@dataclass(frozen=True, slots=True)
class Plan:
    """The runs that a table needs, and how their answers become its cells."""

    number: str
    runs: Callable[[Sequence[str], Sequence[str]], list[Ran]]
    """From the systems and the data sets that are there."""
    make: Callable[[Runs, int], list[Table]]
    """From the lines of the runs, and the seed of the intervals."""


def plan(number: str) -> Plan:
    """The plan of table ``number``.

    Raises:
        UsageError: there is no such table.
    """
    if number not in PLANS:
        raise UsageError(f"no table {number!r}; there are: {', '.join(PLANS)}, all")
    return PLANS[number]


# Table 1


def _table_1(runs: Runs, seed: int) -> list[Table]:
    datasets, systems = datasets_of(runs), systems_of(runs)

    def by(name: str) -> Callable[[str, str], Figure | None]:
        return lambda system, dataset: scored(lines_of(runs, system, dataset), name, seed)

    def words(system: str, dataset: str) -> Figure | None:
        return mean([line["reply_words"] for line in lines_of(runs, system, dataset)])

    def gained(first: str) -> dict[str, tuple[Cell, ...]]:
        def over(system: str, dataset: str) -> Figure | None:
            return difference(lines_of(runs, system, dataset), lines_of(runs, first, dataset), "cover_em", seed)

        return ours_alone([one for one in systems if one != first], datasets, over)

    main = grid("1", systems, datasets, lambda system, one: by(metric_of(one))(system, one))
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
            ours_alone(systems, datasets, by("cover_em")),
            "cover_em: the short answer alone, at token boundaries; labels must be equal.",
        ),
        Table(
            "Table 1, words a reply",
            tuple(datasets),
            ours_alone(systems, datasets, words),
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


# Tables 2 and 3


def _table_2(runs: Runs, seed: int) -> list[Table]:
    datasets = multihop_of(runs, "searchain")

    def share(kind: str, dataset: str) -> Figure | None:
        known = [knowledge(node) for line in lines_of(runs, "searchain", dataset) for node in line["tree"]["nodes"]]
        return Figure(round(100 * known.count(kind) / len(known), 2), len(known)) if known else None

    return [
        Table(
            "Table 2: where the knowledge of a node is from, percent of all nodes",
            tuple(datasets),
            grid("2", KNOWLEDGE, datasets, share),
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
    datasets = multihop_of(runs, "searchain", "searchain-no-ir")

    def score(row: str, dataset: str, name: str) -> Figure | None:
        helped = {line["id"] for line in lines_of(runs, "searchain", dataset) if _is_helped(line)}
        system, _, of = row.partition(" on ")
        lines = [line for line in lines_of(runs, system, dataset) if of == "S" or line["id"] in helped]
        return scored(lines, name, seed)

    rows = ("searchain-no-ir on S", "searchain-no-ir on S_IR", "searchain on S_IR")
    title = "Table 3a: questions in which a node was corrected or completed (S_IR)"
    paper_scores = grid("3a", rows, datasets, lambda row, one: score(row, one, metric_of(one)))
    short = ours_alone(rows, datasets, lambda row, one: score(row, one, "cover_em"))
    return [
        Table(title, tuple(datasets), paper_scores, "The paper's scores."),
        Table(f"{title}, short answers", tuple(datasets), short, short_note(datasets)),
    ]


def _is_helped(line: Line) -> bool:
    return any(node["verdict"] in ("corrected", "completed") for node in line["tree"]["nodes"])


def _table_3b(runs: Runs, seed: int, right_by: str | None = None) -> list[Table]:
    datasets = [one for one in multihop_of(runs) if one in datasets_of(runs)]

    def misled(system: str, dataset: str, name: str) -> Figure | None:
        partner = lines_of(runs, right_by or PARTNERS[system], dataset)
        right = {line["id"] for line in partner if line[name]}
        return figure([1.0 - line[name] for line in lines_of(runs, system, dataset) if line["id"] in right], seed)

    pairs = ", ".join(f"{one} for {system}" for system, one in PARTNERS.items())
    note = f"Right without retrieval: by {right_by}." if right_by else f"Right without retrieval: by {pairs}."
    title = "Table 3b: how often retrieval misleads, percent of what the model answers rightly without it"
    paper_scores = grid("3b", list(PARTNERS), datasets, lambda system, one: misled(system, one, metric_of(one)))
    short = ours_alone(list(PARTNERS), datasets, lambda system, one: misled(system, one, "cover_em"))
    return [
        Table(title, tuple(datasets), paper_scores, f"{note} The paper does not say whose right answers it takes."),
        Table(f"{title}, short answers", tuple(datasets), short, short_note(datasets)),
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
        lines = lines_of(runs, system, "musique")
        by_hops = [mean([steps_of(one) for one in lines if one["type"] == f"{hops}hop"]) for hops in (2, 3, 4)]
        figures = [*by_hops, scored(lines, "cover_em_paper", seed)]
        rows[system] = tuple(Cell(*pair) for pair in zip(told, figures, strict=True))
    return [Table("Table 4: reasoning steps by hops (MuSiQue)", columns, rows)]


def _table_5(runs: Runs, seed: int) -> list[Table]:
    columns = ("words in", "words out", "rounds", "seconds", "performance", "labels equal", "words in a call")
    rows: dict[str, tuple[Cell, ...]] = {}
    for system in PARTNERS:
        told = [*paper()["5"]["rows"].get(system, [None] * 5), None, None]
        lines = [line for one in MULTIHOP for line in lines_of(runs, system, one)]
        calls = sum(line["usage"]["llm_calls"] for line in lines)
        figures = [
            mean([line["usage"]["prompt_words"] for line in lines]),
            mean([line["usage"]["completion_words"] for line in lines]),
            mean([line["rounds"] for line in lines]),
            mean([line["usage"]["seconds"] for line in lines]),
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
    lines = {one: lines_of(runs, system, one) for one in datasets_of(runs)}
    means = [100 * float(np.mean([line[score(one)] for line in found])) for one, found in lines.items() if found]
    return mean(means)


def _table_6(runs: Runs, seed: int) -> list[Table]:
    datasets = datasets_of(runs)
    systems = ("dsp", "searchain")
    score = grid("6", systems, datasets, lambda a, b: scored(lines_of(runs, a, b), metric_of(b), seed))
    short = ours_alone(systems, datasets, lambda a, b: scored(lines_of(runs, a, b), "cover_em", seed))
    title = f"Table 6: another model (the paper: {paper()['6']['model']})"
    return [
        Table(title, tuple(datasets), score, "The paper's scores."),
        Table(f"{title}, short answers", tuple(datasets), short, short_note(datasets)),
    ]


def _alpha(alpha: float) -> Ran:
    return Ran("searchain", "eli5", () if alpha == 0.35 else (("alpha", alpha),))


def _table_7(runs: Runs, seed: int) -> list[Table]:
    told = paper()["7"]["rows"]["rouge_l"]
    found = [scored(runs.get(_alpha(alpha), ()), "rouge_l", seed) for alpha in ALPHAS]
    cells = tuple(Cell(*pair) for pair in zip(told, found, strict=True))
    return [Table("Table 7: α on ELI5", tuple(f"{alpha:.2f}" for alpha in ALPHAS), {"rouge_l": cells})]


def _table_8(runs: Runs, seed: int) -> list[Table]:
    from lab.systems.counting import examples_of

    columns = [one for one in DATASETS if one != "vital"]

    def ours(system: str, dataset: str) -> Figure | None:
        found = examples_of(system, dataset)
        return None if found is None else Figure(found, 1)

    rows = [system for system in SYSTEMS if system in paper()["8"]["rows"]]
    return [Table("Table 8: examples in the prompt", tuple(columns), grid("8", rows, columns, ours))]


def _table_tracing(runs: Runs, seed: int) -> list[Table]:
    rows: dict[str, tuple[Cell, ...]] = {
        name: (Cell(told["skc"]), Cell(told["amp"])) for name, told in paper()["tracing"]["rows"].items()
    }
    return [Table("Tracing: SKC and AMP", ("SKC", "AMP"), rows, "Ours come from annotation: --db FILE.")]


def _on_multihop(needed: Sequence[str]) -> Callable[[Sequence[str], Sequence[str]], list[Ran]]:
    return lambda systems, datasets: crossed(wanted(systems, needed), wanted(datasets, MULTIHOP))


def _only(needed: Sequence[Ran]) -> Callable[[Sequence[str], Sequence[str]], list[Ran]]:
    return lambda systems, datasets: [run for run in needed if run.system in systems and run.dataset in datasets]


PLANS = {
    one.number: one
    for one in (
        Plan("1", crossed, _table_1),
        Plan("2", _on_multihop(["searchain"]), _table_2),
        Plan("3a", _on_multihop(["searchain", "searchain-no-ir"]), _table_3a),
        Plan("3b", _on_multihop([*PARTNERS, *PARTNERS.values()]), _table_3b),
        Plan("4", _only([Ran(system, "musique") for system in STEPPED]), _table_4),
        Plan("5", _on_multihop(list(PARTNERS)), _table_5),
        Plan("6", lambda systems, datasets: crossed(wanted(systems, ("dsp", "searchain")), datasets), _table_6),
        Plan("7", _only([_alpha(alpha) for alpha in ALPHAS]), _table_7),
        Plan("8", lambda systems, datasets: [], _table_8),
        Plan("v1-7", _only([Ran("direct", "musique", form="steps"), Ran("direct", "musique")]), version_1.table_7),
        Plan("v1-8", _only([Ran("direct", "hotpotqa"), Ran("direct-retrieval", "hotpotqa")]), version_1.table_8),
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
        lambda systems, datasets: crossed(
            [one for one in needed if one in (*systems, right_by)], wanted(datasets, MULTIHOP)
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
