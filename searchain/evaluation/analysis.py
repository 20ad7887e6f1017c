"""Where wrong answers went wrong: the first stage of a run that explains it, from the lines of an out file.

    failed         the run ended in an error
    verification   the model had the answer, and it was changed or left behind
    tracing        a node of the path has the answer, the reply another one
    model          nothing was searched, and the model did not know
    retrieval      no supporting title was found by any node
    decomposition  fewer steps were asked than there are titles, or of the supporting titles only some were found
    reading        all were found and the answer stands in one of the passages, but no node took it from there
    conclusion     all were found, but the answer must be concluded from them: it stands in no passage

Where the steps of the right chain are known with their answers, and enough were asked, the first one that no node
answered decides: its title was not found (retrieval), or was (reading). Long-form questions have no right answer, so
they are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from searchain.evaluation.metrics import cover_em, same_title
from searchain.evaluation.summary import Line
from searchain.safe_text import one_line
from searchain.types import TaskKind

STAGES = (
    "failed",
    "verification",
    "tracing",
    "model",
    "retrieval",
    "decomposition",
    "reading",
    "conclusion",
)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The wrong lines of an out file by stage."""

    questions: int
    """Those that can be right or wrong."""
    wrong: dict[str, tuple[Line, ...]]
    """Stage → lines, every stage present."""

    @property
    def errors(self) -> int:
        return sum(map(len, self.wrong.values()))


def analyse(lines: Sequence[Line]) -> Analysis:
    """Every wrong line with its stage."""
    judged = [line for line in lines if line["task"] != TaskKind.LONGFORM]
    stages: dict[str, list[Line]] = {stage: [] for stage in STAGES}
    for line in judged:
        if not line["cover_em"]:
            stages[stage_of(line)].append(line)
    return Analysis(len(judged), {stage: tuple(found) for stage, found in stages.items()})


def stage_of(line: Line) -> str:
    """The stage at which a wrong line went wrong."""
    if line["status"] == "failed":
        return "failed"
    nodes = line["tree"]["nodes"]
    on_path = [node for node in nodes if node["on_path"]]
    if any(_is_right(node["answer"], line) for node in on_path):
        return "tracing"
    if any(_is_right(node["model_answer"], line) for node in nodes):
        return "verification"
    if not line["searches"]:
        return "model"
    found = {same_title(hit["title"]) for search in line["searches"] for hit in search["hits"]}
    titles = {same_title(title) for title in line["supporting_titles"]}
    stands = any(hit["has_answer"] for search in line["searches"] for hit in search["hits"])
    if not (titles & found if titles else stands):
        return "retrieval"
    if len(on_path) < len(titles):
        return "decomposition"
    if missed := _first_missed(line["steps"], nodes):
        return "retrieval" if same_title(missed["title"]) not in found else "reading"
    if titles - found:
        return "decomposition"
    return "reading" if stands else "conclusion"


def _first_missed(steps: Sequence[Mapping[str, Any]], nodes: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The first gold step with title and answer that is the answer of no node, if all are known."""
    if not all(step["answer"] and step["title"] for step in steps):
        return None
    for step in steps:
        if not any(node["answer"] and cover_em(node["answer"], [step["answer"]]) for node in nodes):
            return step
    return None


def _is_right(answer: str | None, line: Line) -> bool:
    return answer is not None and answer != "" and cover_em(answer, line["answers"]) > 0


def analysis_table(analysis: Analysis, examples: int = 2, seed: int = 0) -> Iterator[str]:
    """The stages with counts, shares and ``examples`` of each, drawn by ``seed``."""
    yield f"{analysis.errors} of {analysis.questions} questions wrong, by the stage that explains it"
    for stage, lines in analysis.wrong.items():
        if not lines:
            continue
        of_all = 100 * len(lines) / analysis.questions
        yield (
            f"{stage:14}{len(lines):>5}  {100 * len(lines) / analysis.errors:5.1f} % of the wrong, "
            f"{of_all:5.1f} % of all"
        )
        for line in Random(seed).sample(lines, min(examples, len(lines))):
            yield from (f"    {told}" for told in example_lines(line))


def example_lines(line: Line) -> Iterator[str]:
    """One line of an out file in a few lines of text: the question, what is right, what was answered and how."""
    yield one_line(f"{line['id']}: {line['question']}")
    told = one_line(line["final_answer"]) or "nothing"
    yield f"  right: {one_line(' | '.join(line['answers']))} · answered: {told}"
    for node in line["tree"]["nodes"]:
        if node["on_path"]:
            why = f"{node['verdict'] or 'unchecked'}, {node['rule'] or 'no rule'}"
            yield f"  {one_line(node['query'])} → {one_line(node['answer'] or 'nothing')} ({why})"
