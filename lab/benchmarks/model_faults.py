"""What becomes of a question when the model's server behaves oddly: the table of docs/reliability.md.

    python -m lab.benchmarks.model_faults [--toy] [--only WORDS]

A scripted server imitates each behaviour of ``tests/support/behaviours.py`` over real HTTP. Index, Reader, stance and
probability are the embedded ones; with ``--toy`` they are toys, which takes seconds.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import click

from lab.scripted.server import ScriptedServer
from searchain.assemble import Choice, Parts
from searchain.events import Turn, fold
from searchain.llm.endpoint import Timeouts
from searchain.llm.openai import OpenAIModel
from searchain.pipeline import SearChain
from searchain.settings import Settings
from searchain.types import Status
from tests.support.behaviours import ALL, Behaviour, Cautious
from tests.support.fakes import QUESTION, KnowingReader, WordRetriever

RIGHT = "Honshu"
_PYTHON = re.compile(r"\b[A-Z]\w*Error\b|Traceback|unexpected ")


@click.command(help=__doc__.partition("\n")[0])
@click.option("--toy", is_flag=True, help="With a toy index and a toy Reader.")
@click.option("--only", default="", help="Behaviours with these words in their name.")
def main(toy: bool, only: str) -> None:
    """Run every behaviour once and print a line for each."""
    wrong = python = late = 0
    chosen = [behaviour for behaviour in ALL if only in behaviour.name]
    with ScriptedServer(tokens_per_second=1e6) as server:
        make = _toy if toy else _real(server)
        for behaviour in chosen:
            turn, seconds = _ask(behaviour, server, make)
            is_wrong = turn.status is Status.ANSWERED and turn.final_answer != RIGHT
            told = " ".join((turn.message, turn.answer, *(fault.what for fault in turn.faults)))
            has_error = _PYTHON.search(told) is not None
            is_late = behaviour.is_good and turn.status is not Status.ANSWERED
            wrong, python, late = wrong + is_wrong, python + has_error, late + is_late
            mark = "WRONG" if is_wrong else "ERROR" if has_error else "lost" if is_late else "ok"
            click.echo(
                f"{mark:5} {seconds:5.1f} s  {behaviour.name}: {turn.status} {turn.final_answer!r} {turn.message}"
            )
    click.echo(
        f"{len(chosen)} behaviours · {wrong} wrongly answered · {python} with an error of Python · "
        f"{late} good ones not answered"
    )


def _ask(behaviour: Behaviour, server: ScriptedServer, make: Callable[[OpenAIModel], SearChain]) -> tuple[Turn, float]:
    server.script[:] = behaviour.script()
    model = OpenAIModel("scripted", server.base_url, timeouts=Timeouts(first_token=10, stall=10))
    started = time.monotonic()
    turn = fold(make(model).stream(QUESTION))
    return turn, time.monotonic() - started


def _toy(model: OpenAIModel) -> SearChain:
    return SearChain(
        model=model,
        retriever=WordRetriever(),
        reader=KnowingReader(),
        settings=Settings.of(first_call="plan"),
        probability=Cautious(),
    )


def _real(server: ScriptedServer) -> Callable[[OpenAIModel], SearChain]:
    searchain = Parts(Choice(model="scripted", base_url=server.base_url, careful="off")).searchain(
        Settings(), "default"
    )

    def make(model: OpenAIModel) -> SearChain:
        searchain.model = model
        return searchain

    return make


if __name__ == "__main__":
    main()
