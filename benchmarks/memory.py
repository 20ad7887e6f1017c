"""Whether the server's memory stays bounded over many questions that are asked through the page's endpoints.

    python -m benchmarks.memory [--questions 500] [--toy]

Each conversation has a page of its own, as a browser opens it, and ``--each`` questions; two pages ask at a time. The
language model is a scripted server in another process; index, Reader and stance are the embedded ones unless ``--toy``.
The growth is that from the first 50 questions to the last.
"""

from __future__ import annotations

import asyncio
import statistics

import click
import psutil

from benchmarks.chats import Handlers, Session
from benchmarks.streams import served
from tests.support.fakes import QUESTION

WARM = 50
"""Questions after which everything is loaded that is loaded once."""
LIMIT = 0.10
_PAGES = 2


async def converse(url: str, handlers: Handlers, each: int) -> None:
    """Open a page and ask ``each`` questions in one conversation."""
    session = Session(url, handlers)
    await session.open()
    for _ in range(each):
        await session.chat(QUESTION)


async def asked(url: str, process: psutil.Process, number: int, each: int) -> list[tuple[int, int]]:
    """Ask, and return how many questions there were with the memory after them in bytes."""
    handlers, done, seen = Handlers.of(url), 0, list[tuple[int, int]]()
    while done < number:
        await asyncio.gather(*(converse(url, handlers, each) for _ in range(_PAGES)))
        done += _PAGES * each
        seen.append((done, process.memory_info().rss))
    return seen


@click.command(help=__doc__.partition("\n")[0])
@click.option("--questions", "number", default=500, show_default=True, help="Questions in all.")
@click.option("--each", default=5, show_default=True, help="Questions of a conversation.")
@click.option("--toy", is_flag=True, help="With a toy index and a toy Reader.")
def main(number: int, each: int, toy: bool) -> None:
    """Ask and print the memory now and then."""
    with served(0.0 if toy else None) as (url, _, _, process):
        before = process.memory_info().rss
        seen = asyncio.run(asked(f"{url}/", process, number, each))
        open_files, threads = process.num_fds(), process.num_threads()
    click.echo(f"{'questions':>9} {'MB':>7}")
    click.echo(f"{0:9} {before / 1e6:7.0f}")
    step = max(1, len(seen) // 10)
    for done, bytes_ in [*seen[step - 1 : -1 : step], seen[-1]]:
        click.echo(f"{done:9} {bytes_ / 1e6:7.0f}")
    warm = [bytes_ for done, bytes_ in seen if done <= WARM][-1:] or [before]
    late = statistics.median(bytes_ for _, bytes_ in seen[-3:])
    click.echo(
        f"growth after the first {WARM}: {late / warm[0] - 1:+.1%} (limit {LIMIT:.0%}) · "
        f"{(late - warm[0]) / max(1, number - WARM) / 1e3:.1f} kB a question · {open_files} files, {threads} threads"
    )


if __name__ == "__main__":
    main()
