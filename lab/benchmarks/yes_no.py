"""Yes/no questions: how many are decided, and how many rightly.

    python -m lab.benchmarks.yes_no [--own [--careful check]] [--report] [--show]

Without options one look-up of the encyclopedia answers each question of ``yes-no.jsonl`` beside this file; the type
``drawn`` is about titles that a seed drew. With ``--own`` whole runs answer the questions of ``own-yes-no.jsonl`` over
the small files that stand there with them. Nothing is fitted to the part "report", which is asked with ``--report``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from lab.benchmarks.own_answers import ask, own_assistant, submitted
from searchain.assemble import Choice, Parts
from searchain.language.same_answer import label_of
from searchain.reading.lookup import look_up
from searchain.settings import Careful, Settings
from searchain.types import Step, TaskKind
from searchain.verification.judge import judge
from storage.collections import access

ARTICLES, OWN = (Path(__file__).with_name(name) for name in ("yes-no.jsonl", "own-yes-no.jsonl"))
Decided = tuple[str, str, str, str]
"""The kind of a question, the question, the right answer and the given one, ``""`` without one."""


@click.command(help=__doc__.partition("\n")[0])
@click.option("--own", "is_own", is_flag=True, help="Ask about the small files of own-yes-no.jsonl.")
@click.option("--careful", type=click.Choice(["off", "check"]), default="off", help="Let the careful model check them.")
@click.option("--report", "is_report", is_flag=True, help="Ask the part that nothing is fitted to.")
@click.option("--show", is_flag=True, help="Print the questions that were not answered rightly.")
def main(is_own: bool, careful: Careful, is_report: bool, show: bool) -> None:
    """Ask each question and count the decided and the right answers by kind."""
    counts: Counter[tuple[str, str]] = Counter()
    for kind, question, wanted, given in own("report" if is_report else "tune", careful) if is_own else _articles():
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
        asked = json.loads(line)
        evidence = look_up(
            asked["question"], chain.retriever, chain.reader, 5, stance=chain.stance, rate=chain.probability.rated
        )
        judgement = judge(Step(asked["question"], None), evidence, TaskKind.YESNO, chain.settings)
        yield asked["type"], asked["question"], asked["answers"][0], judgement.answer or ""


def own(part: str, careful: Careful = "off") -> Iterator[Decided]:
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


if __name__ == "__main__":
    main()
