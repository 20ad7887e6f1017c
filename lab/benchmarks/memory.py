"""How the memory of the chat process grows over many questions, asked through the page as a browser does.

    python -m lab.benchmarks.memory [--questions 500] [--toy]

Everything is real: the page, the embedded model, the default index, the Reader, the database. The careful model is off:
a second reading takes longer than all of these, and its memory is that of its file and context. The questions are about
articles of the index, drawn by a seed, and each is asked by a visitor who leaves after the reply. With ``--toy`` model,
index and Reader are toys, and one question is asked again and again: that measures the page, the Assistant and the
database alone. The memory after the first 50 is compared with that at the end.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from dataclasses import dataclass
from pathlib import Path

import click
import psutil

from lab.benchmarks.chats import Handlers, Session, served
from lab.scripted.model import ScriptedModel
from searchain.chain.memory import share_arenas
from searchain.pipeline import SearChain
from searchain.retrieval.corpus import default_corpus
from searchain.settings import Settings
from tests.support.behaviours import Cautious, written
from tests.support.fakes import QUESTION, KnowingReader, WordRetriever

SETTLED = 50
"""Questions after which everything has been used once."""
GIVEN_BACK = 1.0
"""Seconds after a reply until its run has given its memory back."""
GROWTH = 10
"""Percent that the memory may grow after them."""
FORMS = (
    "Who was {}?",
    "When did {} begin?",
    "In which country is {}?",
    "Who discovered or made {}?",
    "What is the largest part of {}?",
    "Which river flows through the city where {} is?",
)


@dataclass(frozen=True, slots=True)
class Memory:
    """What a process has in memory, in bytes."""

    whole: int
    """All of it, with what it shares with the files it reads."""
    own: int
    """What it asked for itself: no pages of files (``Anonymous`` in Linux's ``smaps_rollup``)."""

    @classmethod
    def of(cls, process: psutil.Process) -> Memory:
        rollup = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
        kilobytes = {name: int(number) for name, number in re.findall(r"(?m)^(\w+): +(\d+) kB", rollup)}
        return cls(1024 * kilobytes["Rss"], 1024 * kilobytes["Anonymous"])

    def __str__(self) -> str:
        return f"{self.whole / 1e6:,.0f} MB ({self.own / 1e6:,.0f} its own)"


def serve(folder: str, port: int) -> None:
    """The page until the process ends."""
    from assistant import open_assistant
    from ui.page.app import build
    from ui.page.app import serve as serve_page

    share_arenas()  # as the command `chat` does
    assistant = open_assistant(db=Path(folder) / "memory.db", careful="off")
    assistant.prepare()
    serve_page(build(assistant, about="benchmark"), host="127.0.0.1", port=port)
    time.sleep(36_000)


def serve_toy(folder: str, port: int) -> None:
    """The page over toys until the process ends."""
    from assistant import Assistant
    from storage.database import Database
    from ui.page.app import build
    from ui.page.app import serve as serve_page

    def made(settings: Settings, index: str) -> SearChain:
        return SearChain(
            model=ScriptedModel(lambda messages: written([{"content": message.content} for message in messages])),
            retriever=WordRetriever(),
            reader=KnowingReader(),
            probability=Cautious(),
            settings=settings,
        )

    assistant = Assistant(Database(Path(folder) / "memory.db"), made, Settings())
    serve_page(build(assistant, about="benchmark"), host="127.0.0.1", port=port)
    time.sleep(36_000)


async def visit(url: str, handlers: Handlers, question: str) -> None:
    """Ask as a browser does that is closed after the reply."""
    session = Session(url, handlers)
    async with session.there():
        await session.chat(question)


def questions(number: int, seed: int) -> list[str]:
    """So many questions about titles of the default corpus."""
    titles = sorted({passage.title for passage in default_corpus()})
    rng = random.Random(seed)
    return [rng.choice(FORMS).format(rng.choice(titles)) for _ in range(number)]


@click.command(help=__doc__.partition("\n")[0])
@click.option("--questions", "number", default=500, show_default=True, help="How many are asked.")
@click.option("--seed", default=0, show_default=True, help="Of the questions.")
@click.option("--toy", is_flag=True, help="With a toy model, a toy index and a toy Reader.")
def main(number: int, seed: int, toy: bool) -> None:
    asked = [QUESTION] * number if toy else questions(number, seed)
    with served(serve=serve_toy if toy else serve) as (url, process):
        settled = idle = Memory.of(process)
        handlers = Handlers.of(url)
        for place, question in enumerate(asked, 1):
            asyncio.run(visit(url, handlers, question))
            if place % SETTLED == 0:
                time.sleep(GIVEN_BACK)
            if place == min(SETTLED, number):
                settled = Memory.of(process)
            if place % SETTLED == 0:
                click.echo(f"{place:>5} questions: {Memory.of(process)}", err=True)
        end = Memory.of(process)
    click.echo(
        f"memory: {idle} ready, {settled} after {min(SETTLED, number)} questions, {end} after {number}: "
        f"{100 * (end.whole / settled.whole - 1):+.1f} % (limit {GROWTH} %), "
        f"its own {100 * (end.own / settled.own - 1):+.1f} %"
    )


if __name__ == "__main__":
    main()
