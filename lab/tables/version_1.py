"""Make the two tables that only the paper's first version has."""

from __future__ import annotations

from lab.evaluation.summary import Line
from lab.tables.parts import Cell, Figure, Ran, Runs, Table, figure, lines_of, paper, scored


def _hops(line: Line) -> str:
    return str(line["type"])[0]


def table_7(runs: Runs, seed: int) -> list[Table]:
    """Questions whose every gold step the model answers rightly: how many of them it answers as a whole."""
    steps, whole = runs.get(Ran("direct", "musique", form="steps"), ()), lines_of(runs, "direct", "musique")
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


def table_8(runs: Runs, seed: int) -> list[Table]:
    """What a search adds where the model knows the answer, and where it does not."""
    columns = tuple(paper()["v1-8"]["columns"])
    values: dict[str, dict[str, Figure | None]] = {}
    direct, found = lines_of(runs, "direct", "hotpotqa"), lines_of(runs, "direct-retrieval", "hotpotqa")
    known = {line["id"] for line in direct if line["cover_em"]}
    for column, is_known in (("HotpotQA S_t", True), ("HotpotQA S_f", False)):
        lines = [line for line in found if (line["id"] in known) is is_known]
        alone = [line for line in direct if (line["id"] in known) is is_known]
        values[column] = {
            "IR top-1": figure([float(_is_first_right(line)) for line in lines], seed),
            "LLM accuracy": scored(alone, "cover_em", seed),
            "LLM with IR accuracy": scored(lines, "cover_em", seed),
        }
    told = {
        row: dict(zip(paper()["v1-8"]["columns"], row_, strict=True)) for row, row_ in paper()["v1-8"]["rows"].items()
    }
    rows = {row: tuple(Cell(told[row].get(one), values.get(one, {}).get(row)) for one in columns) for row in told}
    title = "Table v1-8: retrieval where the model knows (S_t) and where not (S_f)"
    return [Table(title, columns, rows, "Ours is HotpotQA alone: the other data sets are not read.")]


def _is_first_right(line: Line) -> bool:
    return any(search["hits"] and search["hits"][0]["has_answer"] for search in line["searches"])
