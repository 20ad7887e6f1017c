"""Where wrong answers went wrong: the first stage of a run that explains it, from the lines of an out file.

    failed             the run ended in an error
    model              nothing was searched, and the model did not know
    planning           the steps lose a name, a number or the subject of the question, are too few, lead to some of the
                       supporting titles only, or go on after the answer was found
    search             the passage that was needed was not found
    choice of passage  it was found, and another one was taken
    choice of span     it was taken, and other words of the same kind were read there, or none
    kind of answer     … words of another kind: a number for a name, a nationality for a place; or a yes, a no or a
                       verdict on a claim, where none was asked for
    verification       a step had the answer, and lost it by its verdict or to a later round
    conclusion         the steps have what is needed, and what follows from it was not concluded
    wording            the last step has the answer, the reply another one

Where the steps of the right chain are known, the first one that no node answered decides. Long-form questions have no
right answer, and questions that the corpus does not answer cannot be lost, so both are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from lab.evaluation.metrics import cover_em, covers, is_label, same_title, tokens
from lab.evaluation.summary import Line
from searchain.language import text
from searchain.language.same_answer import agreement
from searchain.safe_text import one_line
from searchain.types import Passage, TaskKind

STAGES = (
    "failed",
    "model",
    "planning",
    "search",
    "choice of passage",
    "choice of span",
    "kind of answer",
    "verification",
    "conclusion",
    "wording",
)
_NOWHERE = Passage("", "", "")
_DATE = re.compile(
    r"\b(?:1\d{3}|20\d{2})\b(?![.,]\d)"
    r"|\d.{0,40}(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December).{0,40}\d"
)
_PEOPLE = re.compile(
    r"[A-Z]\w+(?:ese|ish|ian|ean)|American|Mexican|African|French|Dutch|Welsh|Czech|Greek|German|Thai|Swiss"
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
    judged = [line for line in lines if line["task"] != TaskKind.LONGFORM and line.get("answerable") is not False]
    stages: dict[str, list[Line]] = {stage: [] for stage in STAGES}
    for line in judged:
        if not line["cover_em"]:
            stages[stage_of(line)].append(line)
    return Analysis(len(judged), {stage: tuple(found) for stage, found in stages.items()})


def stage_of(line: Line) -> str:
    """Name the stage at which a wrong line went wrong."""
    if line["status"] == "failed":
        return "failed"
    nodes = line["tree"]["nodes"]
    path = [node for node in nodes if node["on_path"]]
    wants_label = any(map(is_label, line["answers"]))
    if is_label(line["final_answer"]) and not wants_label:
        return "kind of answer"
    concludes = wants_label or text.is_comparison(line["question"])
    right = [_is_right(node["answer"], line["answers"]) for node in path]
    if right and right[-1]:
        return "wording"
    if not concludes and any(right):
        return "planning"  # a step was asked after the answer was found
    if any(_is_right(node[part], line["answers"]) for node in nodes for part in ("model_answer", "reader_answer")):
        return "verification"
    if not line["searches"]:
        return "model"
    found = {same_title(hit["title"]) for search in line["searches"] for hit in search["hits"]}
    if steps := [step for step in line["steps"] if step["answer"] and step["title"]]:
        return _stage_of_steps(line, steps, path, found)
    return _stage_of_titles(line, path, found, concludes=concludes)


def _stage_of_steps(
    line: Line, steps: Sequence[Mapping[str, Any]], path: Sequence[Mapping[str, Any]], found: set[str]
) -> str:
    """The stage of the first gold step that no node answered; conclusion where all were answered."""
    nodes = line["tree"]["nodes"]
    missed = next((step for step in steps if not any(_answers(node, step) for node in nodes)), None)
    if missed is None:
        return "conclusion"
    title = same_title(missed["title"])
    if title not in found:
        return "planning" if len(path) < len(steps) or _dropped(line) else "search"
    takers = [node for node in nodes if same_title(_taken(node, line).get("title", "")) == title]
    if not takers:
        return "planning" if len(path) < len(steps) else "choice of passage"
    return _misread(takers[-1], [missed["answer"]])


def _stage_of_titles(line: Line, path: Sequence[Mapping[str, Any]], found: set[str], *, concludes: bool) -> str:
    """The stage by what was found of the supporting titles, and where the answer stands."""
    titles = {same_title(title) for title in line["supporting_titles"]}
    needed = min(len(titles), 1) if "answerable" in line else len(titles)  # there each title answers alone
    labels = any(map(is_label, line["answers"]))
    holding = {hit["id"] for search in line["searches"] for hit in search["hits"] if hit["has_answer"] and not labels}
    if len(titles & found) < needed and not (needed == 1 and holding):
        return "planning" if _dropped(line) or (titles & found) or len(path) < needed else "search"
    if len(path) < needed:
        return "planning"
    if concludes and (labels or sum(bool(node["answer"]) for node in path) > 1):
        return "conclusion"
    if takers := [node for node in line["tree"]["nodes"] if node["passage"] in holding]:
        return _misread(takers[-1], line["answers"])
    if holding:
        return "choice of passage"
    return "conclusion" if needed > 1 else "planning" if _dropped(line) else "search"


def _misread(node: Mapping[str, Any], answers: Sequence[str]) -> str:
    """The stage of a node that took the right passage and not the answer."""
    read = node["answer"]
    kinds = {kind_of(answer) for answer in answers}
    return "kind of answer" if read and kind_of(read) not in kinds else "choice of span"


def kind_of(answer: str) -> str:
    """Name what an answer looks like: a date, a number, a nationality, a name, or other words.

    >>> [kind_of(answer) for answer in ("July 1955", "1,833 km2", "Polish", "Shah Jahan", "fifth Mughal", "zygote")]
    ['date', 'number', 'nationality', 'name', 'words', 'words']
    """
    if _DATE.search(answer):
        return "date"
    if any(letter.isdigit() for letter in answer):
        return "number"
    if _PEOPLE.fullmatch(answer.strip()):
        return "nationality"
    return "name" if tokens(answer) and _first_word(answer)[:1].isupper() else "words"


def _first_word(answer: str) -> str:
    words = [word for word in answer.split() if word.casefold() not in ("a", "an", "the")]
    return words[0] if words else ""


def _dropped(line: Line) -> bool:
    """Whether no query has some name, number or word of a supporting title that the question has."""
    asked = {word for node in line["tree"]["nodes"] for word in tokens(node["query"])}
    titles = {word for title in line["supporting_titles"] for word in tokens(title)}
    words = line["question"].split()
    names = {word for shown in words[1:] if shown[:1].isupper() or shown[:1].isdigit() for word in tokens(shown)}
    return bool((names | (titles & set(tokens(line["question"])))) - asked)


def _taken(node: Mapping[str, Any], line: Line) -> Mapping[str, Any]:
    """The hit that the node took; empty where it took none."""
    hits = (hit for search in line["searches"] for hit in search["hits"] if hit["id"] == node["passage"])
    return next(hits, {})


def _answers(node: Mapping[str, Any], step: Mapping[str, Any]) -> bool:
    """Whether the node's answer says what the gold step's does, or has its number, however the unit is written."""
    said, gold = node["answer"], step["answer"]
    if not said:
        return False
    if covers(said, gold) or agreement(said, gold, _NOWHERE)[0] == "agree":
        return True
    is_number = not text.dates(said) and not text.dates(gold) and bool(text.numbers(gold))
    return is_number and text.numbers(said)[:1] == text.numbers(gold)[:1]


def _is_right(answer: str | None, answers: Sequence[str]) -> bool:
    return answer is not None and answer != "" and cover_em(answer, answers) > 0


def analysis_table(analysis: Analysis, examples: int = 2, seed: int = 0) -> Iterator[str]:
    """The stages with counts, shares and ``examples`` of each, drawn by ``seed``."""
    yield f"{analysis.errors} of {analysis.questions} questions wrong, by the stage that explains it"
    for stage, lines in analysis.wrong.items():
        if not lines:
            continue
        of_all = 100 * len(lines) / analysis.questions
        yield (
            f"{stage:19}{len(lines):>5}  {100 * len(lines) / analysis.errors:5.1f} % of the wrong, "
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
