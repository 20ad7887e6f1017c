"""Answers that must be computed from own documents: totals, shares, differences, counts, days between two dates.

    python -m lab.benchmarks.sums [--part apart | --compared] [--replies]

``sums.json`` beside this file has the files and the questions. The part "build" was looked at while the computations
were written; the part "apart" was written before them and never fitted to. An answer is right if it holds a right
value, and cited if each value that it is computed from is the span of a source. Where nothing can be computed (no
answers), the reply is right if it gives no answer and shows the values. With ``--compared`` the questions of
``compared.jsonl`` are asked, by a writer who saw nothing of the code: most compare two values of small files.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click

from lab.benchmarks.own_answers import ask, own_assistant, submitted
from searchain.files.jsonl import read_jsonl
from searchain.language.text import contains
from storage.collections import access
from tests.support.asked_documents import written

FILE = Path(__file__).with_suffix(".json")
COMPARED = FILE.with_name("compared.jsonl")


@click.command(help=__doc__.partition("\n")[0])
@click.option("--part", type=click.Choice(["build", "apart"]), multiple=True, help="Only this part; may be repeated.")
@click.option("--compared", "is_compared", is_flag=True, help="Ask for comparisons of two values.")
@click.option("--replies", "shows_replies", is_flag=True, help="Print every reply.")
def main(part: tuple[str, ...], is_compared: bool, shows_replies: bool) -> None:
    if is_compared:
        _compared(shows_replies)
        return
    data = json.loads(FILE.read_text(encoding="utf-8"))
    with own_assistant() as assistant:
        for one in part or tuple(data["files"]):
            collection = access.create(assistant._store, "local", one)
            submitted(assistant, collection.id, {file.name: file.content for file in map(written, data["files"][one])})
            judged = []
            for asked in data["questions"]:
                if asked["part"] == one:
                    reply = ask(assistant, asked["question"], collection.index)
                    judged.append((is_right(asked, reply), is_cited(asked, reply), reply["outcome"] == "supported"))
                    if shows_replies or not all(judged[-1][:2]):
                        click.echo(f"{'right' if judged[-1][0] else 'WRONG'} {reply['outcome']}: {asked['question']}")
                        click.echo(f"    {reply['final_answer']} | {reply['answer']}")
            right = sum(right for right, _, _ in judged)
            cited = sum(right and cited for right, cited, _ in judged)
            wrong = sum(ticked and not right for right, _, ticked in judged)
            click.echo(
                f"{one}: {right} of {len(judged)} right, {cited} with all values cited; {wrong} wrong and ticked"
            )


def _compared(shows_replies: bool) -> None:
    """Print how many comparisons are answered, and how many rightly."""
    counts = Counter[str]()
    with own_assistant() as assistant:
        for number, line in enumerate(read_jsonl(COMPARED, dict, "file")):
            collection = access.create(assistant._store, "local", f"compared-{number}")
            submitted(assistant, collection.id, {name: said.encode() for name, said in line["files"].items()})
            for question, right in line["questions"].items():
                reply = ask(assistant, question, collection.index)
                final = reply["final_answer"]
                verdict = "open" if not final else "right" if any(contains(one, final) for one in right) else "wrong"
                counts.update(["all", verdict])
                if shows_replies or verdict != "right":
                    click.echo(f"{verdict}: {question} is {right[0]}, answered {final or 'nothing'}")
    click.echo(" · ".join(f"{what} {counts[what]}" for what in ("all", "right", "wrong", "open")))


def is_right(asked: dict[str, Any], reply: dict[str, Any]) -> bool:
    if not asked["answers"]:
        return not reply["final_answer"] and bool(reply["sources"])
    return any(contains(right, reply["final_answer"]) for right in asked["answers"])


def is_cited(asked: dict[str, Any], reply: dict[str, Any]) -> bool:
    shown = [
        source["text"][source["span"]["start"] : source["span"]["end"]] for source in reply["sources"] if source["span"]
    ]
    return all(value in shown for value in asked["inputs"])


if __name__ == "__main__":
    main()
