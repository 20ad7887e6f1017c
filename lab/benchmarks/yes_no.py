"""Yes/no questions: how many one look-up decides by an article's words or an open question, and how many rightly.

    python -m lab.benchmarks.yes_no

``yes-no.jsonl`` beside this file holds them. The type ``drawn`` is about titles that a seed drew.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from searchain.assemble import Choice, Parts
from searchain.reading.lookup import look_up
from searchain.settings import Settings


@click.command(help=__doc__)
def main() -> None:
    """Look each question up and count the decided and the right ones by type."""
    chain = Parts(Choice(careful="off")).searchain(Settings(), "default")
    assert chain.retriever is not None
    assert chain.reader is not None
    assert chain.probability is not None
    counts: Counter[tuple[str, str]] = Counter()
    for line in (Path(__file__).parent / "yes-no.jsonl").read_text().splitlines():
        asked = json.loads(line)
        evidence = look_up(
            asked["question"], chain.retriever, chain.reader, 5, stance=chain.stance, rate=chain.probability.rated
        )
        counts[asked["type"], "all"] += 1
        if evidence.confirms is None:
            continue
        counts[asked["type"], "decided"] += 1
        if ("yes" if evidence.confirms else "no") in asked["answers"]:
            counts[asked["type"], "right"] += 1
        else:
            click.echo(f"wrong: {asked['question']}", err=True)
    for kind in dict.fromkeys(kind for kind, _ in counts):
        figures = (f"{what} {counts[kind, what]}" for what in ("all", "decided", "right"))
        click.echo(f"{kind}: {' · '.join(figures)}")


if __name__ == "__main__":
    main()
