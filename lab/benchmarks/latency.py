"""How long a question takes on the embedded default, warm, through the Assistant and its store.

    python -m lab.benchmarks.latency [--repeat 3]

Everything is real: the embedded model, the default index, the Reader, the database. The first question is not counted.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import click

from assistant import open_assistant
from searchain.events import fold
from searchain.types import Status, Usage

QUESTIONS = (
    "On which Japanese island is the city where Nintendo has its headquarters?",
    "Which river flows through the city where the Louvre stands?",
    "In which country is the highest mountain of Africa?",
    "In which museum is the picture that Vincent van Gogh painted of the view from his asylum room?",
    "Who shared the Nobel Prize with the discoverer of penicillin?",
    "Whose analytical engine did the first computer programmer write about?",
    "In which country is the longest play of William Shakespeare set?",
    "After whom is the iron tower on the Champ de Mars named?",
    "Which ocean borders the country of Mount Kilimanjaro?",
    "In which region of Japan is the city where Nintendo is based?",
)


@dataclass(frozen=True, slots=True)
class Timed:
    """One question; times in seconds from its submission."""

    first_event: float
    seconds: float
    usage: Usage
    status: Status | None
    rounds: int


@click.command(help=__doc__.partition("\n")[0])
@click.option("--repeat", default=3, show_default=True, help="Runs of every question.")
def main(repeat: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assistant = open_assistant(db=Path(folder) / "latency.db", careful="off")
        try:
            ask(assistant, QUESTIONS[0])
            runs = [ask(assistant, question) for _ in range(repeat) for question in QUESTIONS]
        finally:
            assistant.close()
    click.echo(f"{len(QUESTIONS)} two-hop questions, {repeat} times each; seconds")
    click.echo(f"{'':24}{'p50':>8}{'p95':>8}{'limit (p50)':>13}")
    for name, values, limit in (
        ("first event", [run.first_event for run in runs], "0.2"),
        ("whole question", [run.seconds for run in runs], "3"),
        ("  model", [run.usage.llm_seconds for run in runs], ""),
        ("  retrieval", [run.usage.retrieval_seconds for run in runs], ""),
        ("  Reader", [run.usage.reader_seconds for run in runs], ""),
    ):
        p95 = statistics.quantiles(values, n=20)[-1]
        click.echo(f"{name:24}{statistics.median(values):>8.3f}{p95:>8.3f}{limit:>13}")
    statuses = {str(status): sum(run.status is status for run in runs) for status in {run.status for run in runs}}
    click.echo(f"rounds, mean {statistics.mean(run.rounds for run in runs):.1f}; {statuses}")


def ask(assistant, question: str) -> Timed:
    """Ask, follow to the end, and time both."""
    submitted = time.perf_counter()
    started = assistant.start(question)
    first, stored = None, []
    for event in assistant.follow(started.turn):
        first = first or time.perf_counter() - submitted
        stored.append(event.event)
    turn = fold(stored)
    return Timed(first or 0.0, time.perf_counter() - submitted, turn.usage, turn.status, turn.round)


if __name__ == "__main__":
    main()
