"""Which thing is the largest of its kind: how often the articles' own words answer, and how often rightly.

    python -m benchmarks.largest

``largest.jsonl`` beside this file has the questions. An answer that is not among the accepted ones counts as wrong; a
question without accepted answers is one that nothing should answer, or that nobody looked up.
"""

from __future__ import annotations

import json
from pathlib import Path

import click

from searchain.assemble import Choice, Parts
from searchain.language.same_answer import agreement
from searchain.reading.ranked import ranked
from searchain.settings import Settings
from searchain.types import Reading

QUESTIONS = Path(__file__).with_name("largest.jsonl")
NOTHING = Reading("", None, 0.0)


@click.command(help=__doc__.partition("\n")[0])
def main() -> None:
    settings = Settings()
    retriever = Parts(Choice(careful="off")).searchain(settings, "default").retriever
    answered = right = 0
    rows = [json.loads(line) for line in QUESTIONS.read_text().splitlines()]
    for row in rows:
        hits = retriever.search(row["question"], settings.passages)
        found = ranked(row["question"], hits, [NOTHING] * len(hits))
        if found is None:
            continue
        hit, reading = found
        answered += 1
        is_right = any(agreement(answer, reading.answer, hit.passage)[0] == "agree" for answer in row["answers"])
        right += is_right
        if not is_right:
            click.echo(f"wrong: {row['question']} → {reading.answer}")
    click.echo(f"{len(rows)} questions · answered {answered} · right {right}")


if __name__ == "__main__":
    main()
