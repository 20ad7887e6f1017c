"""Plain facts that the articles state: how often their own words answer without the Reader, and how often rightly.

    python -m lab.benchmarks.stated

``stated-largest.jsonl`` beside this file asks which thing is the largest of its kind, ``stated-facts.jsonl`` who made
something, when it was, where it is and how large. An answer that is not among the accepted ones counts as wrong; a
question without accepted answers is one that nothing should answer, or that nobody looked up.
"""

from __future__ import annotations

import json
from pathlib import Path

import click
from searchain.reading.stated.rules import stated

from searchain.assemble import Choice, Parts
from searchain.language import text
from searchain.language.same_answer import agreement
from searchain.reading.lookup import with_subjects
from searchain.settings import Settings
from searchain.types import Passage, Reading

NOTHING = Reading("", None, 0.0)


def is_right(accepted: list[str], answer: str, passage: Passage) -> bool:
    """Tell whether an answer is an accepted one in other words, or holds one as a name."""
    return any(agreement(one, answer, passage)[0] == "agree" or text.contains(one, answer) for one in accepted)


@click.command(help=__doc__.partition("\n")[0])
def main() -> None:
    settings = Settings()
    retriever = Parts(Choice(careful="off")).searchain(settings, "default").retriever
    assert retriever is not None
    for file in sorted(Path(__file__).parent.glob("stated-*.jsonl")):
        answered = right = 0
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        for row in rows:
            hits = with_subjects(row["question"], retriever.search(row["question"], settings.passages), retriever)
            found = stated(row["question"], hits, [NOTHING] * len(hits))
            if found is None:
                continue
            hit, reading = found
            answered += 1
            if is_right(row["answers"], reading.answer, hit.passage):
                right += 1
            else:
                click.echo(f"wrong: {row['question']} → {reading.answer}")
        click.echo(f"{file.stem}: {len(rows)} questions · answered {answered} · right {right}")


if __name__ == "__main__":
    main()
