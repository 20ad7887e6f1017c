"""What becomes of questions to own documents before any search: ``python -m lab.benchmarks.asking``.

``lab/data/own-asked.jsonl`` has natural questions to files of many kinds, which no head was trained on: none of them
may be taken for small talk. The questions of ``own-questions.jsonl`` may not count as questions about documents as
wholes. Those of ``lab/data/own-wholes.jsonl`` are such questions.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from lab.benchmarks.own_answers import QUESTIONS
from searchain.question.document_head import DocumentQuestion
from searchain.question.head import Head
from searchain.question.talk import Talk, talk_of
from searchain.reading.similarity import QueryEncoder

DATA = Path(__file__).parent.parent / "data"


def asked(file: Path) -> list[str]:
    return [json.loads(line)["question"] for line in file.read_text(encoding="utf-8").splitlines()]


@click.command(help=__doc__)
def main() -> None:
    head = Head(QueryEncoder())
    for file in (DATA / "own-asked.jsonl", QUESTIONS, DATA / "own-wholes.jsonl"):
        questions = asked(file)
        found = {one: talk_of(one, head, has_documents=True) for one in questions}
        talk = [one for one, told in found.items() if isinstance(told, Talk)]
        wholes = {one: str(told.kind) for one, told in found.items() if isinstance(told, DocumentQuestion)}
        click.echo(f"{file.name}: {len(questions)} asked, {len(talk)} taken for small talk {talk or ''}")
        click.echo(f"  {len(wholes)} of them about documents as wholes: {dict(Counter(wholes.values()))}")
        if len(wholes) < len(questions) / 2:
            click.echo(f"  {list(wholes)}")


if __name__ == "__main__":
    main()
