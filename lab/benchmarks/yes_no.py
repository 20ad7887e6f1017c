"""Yes/no questions: how many are decided, and how many rightly.

    python -m lab.benchmarks.yes_no [--typed | --own] [--careful check | --rows FILE] [--report] [--show]

Without options one look-up of the encyclopedia answers each question of ``yes-no.jsonl`` beside this file; the type
``drawn`` is about titles that a seed drew. With ``--own`` whole runs answer the questions of ``own-yes-no.jsonl`` over
the small files that stand there with them. The part "report", by another writer, is asked with ``--report``. With
``--typed`` each question of that part of ``lab.training.asked`` is put to its own article, without a search; with
``--careful check`` or ``--rows`` whole runs over the encyclopedia answer ``--limit`` of them. With ``--rows`` what the
careful model says is only written down, for ``lab.training.second_label``.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from unittest import mock

import click

from lab.benchmarks.own_answers import ask, own_assistant, submitted
from lab.training.asked import asked
from lab.training.cases import LABELS
from searchain.assemble import Choice, Parts
from searchain.language.same_answer import label_of
from searchain.reading.lookup import look_up
from searchain.reading.stance import QUESTIONS, MiniLMStance
from searchain.settings import Careful, Settings
from searchain.types import Step, TaskKind
from searchain.verification.judge import STANCE, judge
from searchain.verification.second_label import SecondLabel
from storage.collections import access

ARTICLES, OWN = (Path(__file__).with_name(name) for name in ("yes-no.jsonl", "own-yes-no.jsonl"))
ANSWERS = {label: answer for answer, label in LABELS.items()}
PARTS = {"tune": "learn", "report": "judge"}
"""The part of ``lab.training.asked`` for each part here."""
Decided = tuple[str, str, str, str]
"""The kind of a question, the question, the right answer and the given one, ``""`` without one."""


@click.command(help=__doc__.partition("\n")[0])
@click.option("--own", "is_own", is_flag=True, help="Ask about the small files of own-yes-no.jsonl.")
@click.option("--typed", "is_typed", is_flag=True, help="Ask the questions typed about articles.")
@click.option("--limit", type=click.IntRange(1), help="Put only so many of these to whole runs, drawn by a hash.")
@click.option("--careful", type=click.Choice(["off", "check"]), default="off", help="Let the careful model check them.")
@click.option("--rows", type=click.Path(path_type=Path), help="Add what the careful model says to this file.")
@click.option("--report", "is_report", is_flag=True, help="Ask the part that nothing is fitted to.")
@click.option("--show", is_flag=True, help="Print the questions that were not answered rightly.")
def main(
    is_own: bool, is_typed: bool, limit: int | None, careful: Careful, rows: Path | None, is_report: bool, show: bool
) -> None:
    """Ask each question and count the decided and the right answers by kind."""
    counts: Counter[tuple[str, str]] = Counter()
    part = "report" if is_report else "tune"
    if (rows or careful == "check") and not (is_typed or is_own):
        raise click.UsageError("the careful model is asked with --own or --typed")
    careful = "check" if rows else careful
    if is_typed:
        found = _runs(part, limit) if careful == "check" else _typed(part)
    else:
        found = _own(part, careful) if is_own else _articles()
    found = _recorded(part, rows, found) if rows else found
    for kind, question, wanted, given in found:
        counts[kind, "all"] += 1
        counts[kind, "decided"] += bool(given)
        counts[kind, "right"] += given == wanted
        counts[kind, "wrong"] += bool(given) and given != wanted
        if show and given != wanted:
            click.echo(f"{kind}: {question} is {wanted or 'not said'}, answered {given or 'nothing'}")
    for kind in dict.fromkeys(kind for kind, _ in counts):
        figures = (f"{what} {counts[kind, what]}" for what in ("all", "decided", "right", "wrong"))
        click.echo(f"{kind}: {' · '.join(figures)}")


def _articles() -> Iterator[Decided]:
    """Yield what one look-up of the encyclopedia decides."""
    chain = Parts(Choice(careful="off")).searchain(Settings(), "default")
    assert chain.retriever is not None
    assert chain.reader is not None
    assert chain.probability is not None
    for line in ARTICLES.read_text().splitlines():
        row = json.loads(line)
        evidence = look_up(
            row["question"], chain.retriever, chain.reader, 5, stance=chain.stance, rate=chain.probability.rated
        )
        judgement = judge(Step(row["question"], None), evidence, TaskKind.YESNO, chain.settings)
        yield row["type"], row["question"], row["answers"][0], judgement.answer or ""


def _typed(part: str) -> Iterator[Decided]:
    """Yield what the stance model says of each question and its article, if its margin is greater than ``STANCE``."""
    stance = MiniLMStance(QUESTIONS)
    for claim in asked(PARTS[part]):
        margin = stance.judge(claim.statement, [claim.passage])[0].margin
        given = ("yes" if margin > 0 else "no") if abs(margin) > STANCE else ""
        yield ANSWERS[claim.label], claim.statement, ANSWERS[claim.label].replace("open", ""), given


def _runs(part: str, limit: int | None) -> Iterator[Decided]:
    """Yield what runs with the careful model answer; a question that its article does not answer is "open"."""
    claims = [(claim.statement, claim.label) for claim in asked(PARTS[part])]
    claims.sort(key=lambda one: hashlib.sha256(one[0].encode()).digest())
    with own_assistant("check") as assistant:
        for question, label in claims[:limit]:
            given = label_of(ask(assistant, question, "default")["final_answer"]) or ""
            yield ANSWERS[label], question, ANSWERS[label].replace("open", ""), given


def _own(part: str, careful: Careful = "off") -> Iterator[Decided]:
    """Yield what runs over own files answer; a question that the files do not answer is of the kind "open"."""
    with own_assistant(careful) as assistant:
        for number, line in enumerate(OWN.read_text().splitlines()):
            record = json.loads(line)
            if record["part"] != part:
                continue
            collection = access.create(assistant._store, "local", f"own-{number}")
            submitted(assistant, collection.id, {name: said.encode() for name, said in record["files"].items()})
            for question, wanted in record["questions"].items():
                given = label_of(ask(assistant, question, collection.index)["final_answer"]) or ""
                yield wanted or "open", question, wanted, given


def _recorded(part: str, file: Path, found: Iterable[Decided]) -> Iterator[Decided]:
    """Yield what the fast replies say, and write what the careful model says of the same questions."""
    seen: list[Sequence[float]] = []

    def recorded(self: SecondLabel, values: Sequence[float]) -> dict[str, float]:
        seen.append(values)
        return {"yes": 0.0, "no": 0.0}  # so that the fast reply stays

    with mock.patch.object(SecondLabel, "weigh", recorded), file.open("a", encoding="utf-8") as lines:
        for kind, question, wanted, given in found:
            right = "" if kind == "open" else wanted
            for values in seen:
                row = {"part": part, "question": question, "wanted": right, "fast": given, "values": values}
                print(json.dumps(row), file=lines, flush=True)
            seen.clear()
            yield kind, question, wanted, given


if __name__ == "__main__":
    main()
