"""How long a new annotator needs from the first page to the first label that counts, reading everything.

    python -m lab.benchmarks.newcomer [--words-a-minute 250]

Counts the words of the guidelines, of every example with its documents, of every reason that is shown afterwards, and
of a first reply of 4 sentences and 4 documents; each judgement takes 3 seconds more. Ends with status 1 above 12
minutes.
"""

from __future__ import annotations

import re
import sys

import click

from searchain.annotation.guided_practice import examples
from searchain.annotation.protocol import Item, default_labels
from tests.support.desk_site import FOUR
from ui.desk import guidelines

GOAL = 12.0  # minutes
JUDGEMENT = 3.0  # seconds


def _words(*texts: str) -> int:
    return sum(len(re.findall(r"\w[\w’'.-]*", text)) for text in texts)


def _of(item: Item) -> int:
    return _words(item.question, item.answer, *(f"{source.title} {source.text}" for source in item.sources))


@click.command(help=__doc__.partition("\n")[0])
@click.option("--words-a-minute", "speed", default=250.0, show_default=True)
def main(speed: float) -> None:
    parts = {
        "guidelines": (_words(guidelines.FILE.read_text(encoding="utf-8").partition(guidelines.MORE)[0]), 0),
        "examples": (
            sum(_of(one) for one in examples()),
            sum(len(default_labels(one).knowledge_items) + len(one.marks) for one in examples()),
        ),
        "reasons": (sum(_words(*(known.why for known in one.machine.known or ())) for one in examples()), 0),
        "first reply": (
            _words(FOUR["question"], FOUR["answer"], *(f"{one['title']} {one['text']}" for one in FOUR["citations"])),
            9,
        ),
    }
    total = 0.0
    for name, (words, judgements) in parts.items():
        minutes = words / speed + judgements * JUDGEMENT / 60
        total += minutes
        print(f"{name}: {words} words, {judgements} judgements, {minutes:.1f} min")
    print(f"in all: {total:.1f} min; wanted: at most {GOAL:.0f}")
    sys.exit(0 if total <= GOAL else 1)


if __name__ == "__main__":
    main()
