"""Fit how likely readings are right: what ``assistant.py calibrate --questions FILE`` does.

Every question is looked up as the assistant looks it up; each of its readings is a row: its features, and whether its
answer is an accepted one. Questions of a left-out file are looked up without the titles that answer them, so that most
of their readings are wrong. Rows are kept in a file: an interrupted run goes on where it ended.

The figures are cross-fitted: ten folds of questions, each rated by trees that were fitted on the other nine. They are
those of the first file, and of all left-out questions. The threshold is found on the questions of all files.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab.evaluation.examples import Example, read_dataset
from lab.evaluation.left_out import LeavingOut
from lab.evaluation.metrics import area, cover_em, covers
from lab.evaluation.trust import calibration_error
from searchain.console import tracked
from searchain.errors import UsageError
from searchain.files.jsonl import read_jsonl
from searchain.files.writing import write_whole
from searchain.language.same_query import Similarity
from searchain.language.text import tokens
from searchain.reading.reader import Reader
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Reading
from searchain.verification.features import NAMES, options
from searchain.verification.large_reading import LargeRead, read_again
from searchain.verification.probability import Expected, expected_steps
from searchain.verification.trees import Tree, Trees

if TYPE_CHECKING:
    from sklearn.ensemble import HistGradientBoostingClassifier

PASSAGES = 5
DEPTH, TREES, RATE, LEAF, L2 = 3, 120, 0.08, 20, 5.0
RISING = frozenset(
    "f f_lead f_agreeing agreeing likelihood lead asked_in_passage asked_in_sentence fits similarity large_f "
    "large_f_lead large_f_agreeing large_agreeing large_likelihood large_lead both_first".split()
)
FALLING = frozenset({"asked_missing", "clauses", "links"})
"""Features of which more can only speak for a reading, or against it: fewer rows are enough."""
FOLDS, REPEATS = 10, 20
LEAST = 50
"""Questions without which nothing is measured."""
PRECISION = 0.9
"""Of the supported: nine of ten are to be right."""
STEPS = -3.0
"""What the log-odds of a reading change by where its question surely needs several look-ups. A regression over 181
questions of several steps and 262 everyday ones gave −3.15 times the slope of the log-odds. With −4.4
as many everyday questions are ticked where nine in ten are right, and as many of all kinds are right."""
LEAST_SUPPORTED = 0.86
"""No answer is supported that is wrong more often than one time in seven, however sure the others are."""
WRONG_LEFT_OUT = 0.01
"""How many of the left-out questions may be supported and wrong."""
WORDS = {
    "right_answerable": "right, of the answerable",
    "ticked_answerable": "supported, of the answerable",
    "precision": "right, of the supported (precision)",
    "wrongly_ticked": "supported and wrong, of the unanswerable",
    "wrongly_ticked_left_out": "supported and wrong, of the left-out",
    "auc": "area under the ROC curve, right against wrong",
    "ece": "expected calibration error",
}
SHARES = frozenset(WORDS) - {"auc", "ece"}
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rows:
    """One row per reading with an answer."""

    values: Floats
    """[N, features]."""
    right: NDArray[np.bool_]
    """[N]."""
    question: NDArray[np.int64]
    """[N]: rows of one question have the same number."""
    answerable: NDArray[np.bool_]
    """[N]: of the row's question."""
    judged: NDArray[np.bool_]
    """[N]: whether the question is one of the first file."""
    left_out: NDArray[np.bool_]
    """[N]: whether the titles that answer it were left out."""
    stated: NDArray[np.bool_]
    """[N]: whether the reading's passage holds an accepted answer."""
    expected: Floats
    """[N]: how likely the row's question needs more than one look-up."""

    def where(self, mask: NDArray[np.bool_]) -> Rows:
        """Return the rows of the mask."""
        return Rows(*(getattr(self, name)[mask] for name in self.__slots__))


def rows_of(
    example: Example,
    retriever: Retriever,
    reader: Reader,
    similarity: Similarity | None,
    second: LargeRead | None = None,
    steps: Expected | None = None,
    *,
    left_out: bool,
) -> dict[str, Any]:
    """Look up a question and return what its readings are like, and which are right."""
    search = LeavingOut(retriever, example.supporting_titles) if left_out else retriever
    hits = search.search(example.question, PASSAGES)
    readings = reader.read(example.question, [hit.passage for hit in hits])
    again = read_again(second, example.question, hits, readings) if second else ()
    found = options(example.question, hits, readings, similarity, again)
    return {
        "id": example.id,
        "left_out": left_out,
        "expected": round(expected_steps(example.question, steps), 4),
        "answerable": bool(example.answerable) and not left_out,
        "readings": [
            {"features": [round(float(value), 4) for value in values], **_judged(example, hit, option)}
            for hit, described in zip(hits, found, strict=True)
            for option, values in described
        ],
    }


def _judged(example: Example, hit: Hit, reading: Reading) -> dict[str, Any]:
    return {
        "answer": reading.answer,
        "right": is_right(reading.answer, example),
        "stated": any(covers(hit.passage.text, answer) for answer in example.answers),
    }


def is_right(answer: str, example: Example) -> bool:
    """Tell whether a reading gives an accepted answer; of a span it may be the name inside.

    >>> is_right("Syria", Example("1", "Of which country?", ("northern Syria",), has_spans=True))
    True
    """
    return bool(cover_em(answer, example.answers)) or (
        example.has_spans and any(_is_inside(answer, span) for span in example.answers)
    )


def _is_inside(answer: str, span: str) -> bool:
    """Whether ``answer`` is a name or a number whose words stand in ``span`` in this order, before any comma."""
    words = iter(tokens(span.split(",")[0]))
    is_name = answer[:1].isupper() or answer[:1].isdigit()
    return is_name and all(word in words for word in tokens(answer)) and bool(tokens(answer))


def _is_of_this_program(line: dict[str, Any]) -> bool:
    return "expected" in line and all(len(one["features"]) == len(NAMES) for one in line["readings"])


def _check(lines: Sequence[dict[str, Any]]) -> None:
    if not all(map(_is_of_this_program, lines)):
        raise UsageError("the look-ups that were kept are of another version of the program; name a new --rows file")


def table(lines: Iterable[dict[str, Any]], first: str = "") -> Rows:
    """Put the readings of all lines below each other; a question has one number, with its titles and without.

    Questions of the file ``first`` are judged.

    Raises:
        UsageError: the lines were written by a program with other features.
    """
    lines = list(lines)
    _check(lines)
    numbers: dict[str, int] = {}
    flat = [
        (
            one["features"],
            one["right"],
            numbers.setdefault(line["id"], len(numbers)),
            line["answerable"],
            line["file"] == first and not line["left_out"],
            line["left_out"],
            one["stated"],
            line["expected"],
        )
        for line in lines
        for one in line["readings"]
    ]
    columns = zip(*flat, strict=True) if flat else ([],) * 8
    values, right, question, answerable, judged, left_out, holds, expected = columns
    return Rows(
        np.array(values, dtype=np.float64).reshape(len(flat), len(NAMES)),
        np.array(right, dtype=bool),
        np.array(question, dtype=np.int64),
        np.array(answerable, dtype=bool),
        np.array(judged, dtype=bool),
        np.array(left_out, dtype=bool),
        np.array(holds, dtype=bool),
        np.array(expected, dtype=np.float64),
    )


def fit(rows: Rows, trees: int | None = None) -> Trees:
    """Fit boosted trees to the rows with features; by default ``TREES`` of them."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_depth=DEPTH,
        max_iter=trees or TREES,
        learning_rate=RATE,
        l2_regularization=L2,
        min_samples_leaf=LEAF,
        monotonic_cst=[1 if name in RISING else -1 if name in FALLING else 0 for name in NAMES],
        early_stopping=False,
        random_state=0,
    )
    model.fit(rows.values, rows.right)
    return as_trees(model)


def as_trees(model: HistGradientBoostingClassifier) -> Trees:
    """Return the trees of a fitted model as plain numbers."""
    trees = []
    for (predictor,) in model._predictors:  # the library has no public way to its trees
        nodes = predictor.nodes
        splits = [number for number in range(len(nodes)) if not nodes["is_leaf"][number]]
        leaves = [number for number in range(len(nodes)) if nodes["is_leaf"][number]]
        place = {number: at for at, number in enumerate(splits)}
        place |= {number: -1 - at for at, number in enumerate(leaves)}
        trees.append(
            Tree(
                tuple(
                    (
                        int(nodes["feature_idx"][number]),
                        float(nodes["num_threshold"][number]),
                        place[int(nodes["left"][number])],
                        place[int(nodes["right"][number])],
                    )
                    for number in splits
                ),
                tuple(round(float(nodes["value"][number]), 6) for number in leaves),
            )
        )
    return Trees(round(float(model._baseline_prediction.ravel()[0]), 6), tuple(trees))


def rate(trees: Trees, rows: Rows) -> Floats:
    """Return the probability of each row by the trees."""
    return np.array([trees.probability(row) for row in rows.values.tolist()])


def cross_fitted(rows: Rows, *, repeats: int = REPEATS, seed: int = 0) -> Iterator[Floats]:
    """Yield, once per repeat, the probability of every row by trees that have not seen its question."""
    rng = np.random.default_rng(seed)
    for _ in range(repeats):
        fold = rng.permutation(rows.question.max() + 1) % FOLDS
        rated = np.zeros(len(rows.right))
        for number in range(FOLDS):
            held = fold[rows.question] == number
            rated[held] = rate(fit(rows.where(~held)), rows.where(held))
        yield rated


@dataclass(frozen=True, slots=True)
class Choice:
    """The likeliest reading of each question."""

    probability: Floats
    right: NDArray[np.bool_]
    answerable: NDArray[np.bool_]
    expected: Floats
    """How likely the question needs more than one look-up."""

    def where(self, mask: NDArray[np.bool_]) -> Choice:
        """Return the questions of the mask."""
        return Choice(*(getattr(self, name)[mask] for name in self.__slots__))


def chosen(rows: Rows, rated: Floats) -> Choice:
    """Return the likeliest reading of each question."""
    order = np.lexsort((-rated, rows.question))
    first = order[np.r_[True, np.diff(rows.question[order]) > 0]]
    return Choice(rated[first], rows.right[first], rows.answerable[first], rows.expected[first])


@dataclass(frozen=True, slots=True)
class Line:
    """A logistic regression over the log-odds of a reading, with ``STEPS`` for the steps that its question needs."""

    slope: float
    offset: float


def line_through(choice: Choice) -> Line:
    """Return the line on which the chosen readings are calibrated (Platt's scaling): the likeliest of several is less
    often right than its own rows say."""
    from scipy.optimize import minimize

    known, moved = log_odds(choice.probability), STEPS * choice.expected

    def loss(line: Floats) -> float:
        found = line[0] * known + moved + line[1]
        return float(np.mean(np.logaddexp(0.0, found) - choice.right * found))

    return Line(*map(float, minimize(loss, [1.0, 0.0]).x))


def log_odds(probability: Floats) -> Floats:
    """Return the log-odds of probabilities, those of 0 and 1 kept finite."""
    inside = np.clip(probability, 1e-6, 1 - 1e-6)
    return np.log(inside / (1 - inside))


def calibrated(choice: Choice, seed: int = 0) -> Choice:
    """Return the choice with every probability moved to a line that was found without it."""
    fold = np.random.default_rng(seed).permutation(len(choice.right)) % FOLDS
    moved = np.zeros(len(choice.right))
    for number in range(FOLDS):
        held = fold == number
        moved[held] = moved_by(line_through(choice.where(~held)), choice.where(held))
    return replace(choice, probability=moved)


def moved_by(line: Line, choice: Choice) -> Floats:
    """Return the probabilities moved by a line."""
    moved = line.slope * log_odds(choice.probability) + STEPS * choice.expected + line.offset
    return np.asarray(1 / (1 + np.exp(-moved)))


def scaled(trees: Trees, slope: float, offset: float) -> Trees:
    """Return trees whose log-odds are moved by a line."""
    moved = tuple(Tree(tree.splits, tuple(round(slope * leaf, 6) for leaf in tree.leaves)) for tree in trees.trees)
    return Trees(round(slope * trees.start + offset, 6), moved)


def threshold_of(choices: Sequence[Choice], precision: float = PRECISION) -> float:
    """Return the least probability above which at least ``precision`` of the chosen readings are right."""
    probability = np.concatenate([choice.probability for choice in choices])
    right = np.concatenate([choice.right for choice in choices])
    order = np.argsort(-probability)
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(shares >= precision)
    return float(probability[order][enough.max()]) if len(enough) else 1.0


def report(choice: Choice, threshold: float) -> dict[str, float]:
    """Return the figures of one choice: shares between 0 and 1."""
    ticked = choice.probability >= threshold
    no = ~choice.answerable
    return {
        "right_answerable": float(choice.right[choice.answerable].mean()),
        "ticked_answerable": float(ticked[choice.answerable].mean()),
        "precision": float(choice.right[ticked].mean()) if ticked.any() else float("nan"),
        "wrongly_ticked": float((ticked & ~choice.right)[no].mean()) if no.any() else float("nan"),
        "auc": area(choice.probability, choice.right),
        "ece": calibration_error(choice.right, choice.probability),
    }


@dataclass(frozen=True, slots=True)
class Calibration:
    """Trees, the threshold of their probabilities, and the cross-fitted figures that it gives."""

    trees: Trees
    steps: float
    """What the log-odds change by where the question surely needs more than one look-up."""
    threshold: float
    figures: dict[str, float]
    lookups: int


def calibrate(lines: Sequence[dict[str, Any]], first: str, *, repeats: int = REPEATS) -> Calibration:
    """Fit trees to all ``lines``, and find the threshold on all but the left-out ones, cross-fitted.

    The probabilities are calibrated on the file ``first``, and the figures are its own.

    Raises:
        UsageError: they are too few.
    """
    rows = table(lines, first)
    judged = rows.where(rows.judged)
    questions = len(np.unique(judged.question))
    if questions < LEAST or len(np.unique(judged.right)) < 2:
        raise UsageError(f"{questions} questions with readings are too few to calibrate on; give {LEAST} or more")
    ratings = list(cross_fitted(rows, repeats=repeats))
    found = [chosen(judged, rated[rows.judged]) for rated in ratings]
    choices = [calibrated(choice) for choice in found]
    lines_through = [line_through(choice) for choice in found]
    rest = ~rows.judged & ~rows.left_out
    others = [chosen(rows.where(rest), rated[rest]) for rated in ratings] if rest.any() else []
    moved = [replace(one, probability=moved_by(line, one)) for line, one in zip(lines_through, others, strict=False)]
    threshold, figures = max(LEAST_SUPPORTED, threshold_of([*choices, *moved])), {}
    if questions := sum(line["left_out"] for line in lines):
        left_out = rows.where(rows.left_out)
        left_out = replace(left_out, right=left_out.right | left_out.stated)  # as eval counts them
        wrong = _wrong(left_out, [rated[rows.left_out] for rated in ratings], lines_through)
        allowed = int(WRONG_LEFT_OUT * questions * len(ratings))
        threshold = max(threshold, float(np.nextafter(wrong[allowed], 2)) if allowed < len(wrong) else 0.0)
        figures["wrongly_ticked_left_out"] = float((wrong >= threshold).sum()) / questions / len(ratings)
    reports = [report(choice, threshold) for choice in choices]
    figures = {name: float(np.mean([one[name] for one in reports])) for name in reports[0]} | figures
    slope, offset = (float(np.mean([astuple(line)[at] for line in lines_through])) for at in range(2))
    return Calibration(scaled(fit(rows), slope, offset), STEPS, round(threshold, 4), figures, len(lines))


def _wrong(rows: Rows, ratings: Sequence[Floats], lines: Sequence[Line]) -> Floats:
    """Return the probabilities of the chosen readings that are wrong, of all ratings, the greatest first."""
    choices = [(chosen(rows, rated), line) for rated, line in zip(ratings, lines, strict=True)]
    wrong = [moved_by(line, choice)[~choice.right] for choice, line in choices]
    return -np.sort(-np.concatenate(wrong))


def collect(files: Sequence[tuple[Path, bool]], rows_file: Path, index: str, reader_folder: Path | None) -> None:
    """Look up the questions that ``rows_file`` does not hold yet, and append their rows.

    With each file stands whether the supporting titles of its questions are left out of the search. The embedded Reader
    reads, and the large one again, unless ``reader_folder`` names another.

    Raises:
        UsageError: the rows that the file holds were written by a program with other features.
    """
    from searchain.embedded.mpnet import large_reader
    from searchain.question.head import Head
    from searchain.reading.large_reader import LargeReader
    from searchain.reading.reader import DprReader, embedded_reader
    from searchain.reading.similarity import QueryEncoder
    from searchain.retrieval.indexes import open_index

    kept = stored_rows(rows_file)
    _check(kept)
    done = {(line["file"], line["left_out"], line["id"]) for line in kept}
    todo = [
        (name_of(file), is_left_out, example)
        for file, is_left_out in files
        for example in read_dataset(file).examples
        if (name_of(file), is_left_out, example.id) not in done
    ]
    if not todo:
        return
    random.Random(0).shuffle(todo)  # so that an interrupted collection holds some of each
    retriever, similarity = open_index(index), QueryEncoder()
    reader = DprReader(reader_folder or embedded_reader())
    second = None if reader_folder else LargeReader(large_reader()).read
    steps = Head(similarity).expected_steps
    with rows_file.open("a", encoding="utf-8") as written:
        for name, is_left_out, example in tracked(todo, "looking up"):
            line = rows_of(example, retriever, reader, similarity, second, steps, left_out=is_left_out)
            written.write(json.dumps({"file": name, **line}) + "\n")
            written.flush()


def stored_rows(file: Path) -> list[dict[str, Any]]:
    """Read the look-ups that ``file`` keeps; none where it is not there yet."""
    return read_jsonl(file, dict, "look-up") if file.exists() else []


def figures_table(calibration: Calibration) -> Iterator[str]:
    """Yield the figures in words, a line each."""
    for name, value in calibration.figures.items():
        is_share = name in SHARES
        yield f"  {WORDS[name]:45}{100 * value:6.1f} %" if is_share else f"  {WORDS[name]:45}{value:8.3f}"


def store(folder: Path, values: dict[str, Any]) -> None:
    """Change the given values in ``probability.json``; the others stay."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "probability.json"
    old = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    with write_whole(file) as draft:
        draft.write_text(json.dumps(old | values, separators=(",", ":")) + "\n", encoding="utf-8")


def name_of(file: Path) -> str:
    """Return how rows call the file: with its folder, because files of several folders have one name."""
    return f"{file.absolute().parent.name}/{file.name}"


def digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
