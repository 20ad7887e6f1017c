"""How fast the assistant starts, and what memory it takes.

    python -m benchmarks.startup [--repeat 5]

On a prepared machine (``make setup``, with the test requirements for Chromium's driver). The chat is started as
``make chat`` starts it, and asked one question in a real browser; memory is that of the chat's own process.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
import psutil

from tests.browser import chromium, free_port, visit

ROOT = Path(__file__).parent.parent
QUESTION = "On which Japanese island is the city where Nintendo has its headquarters?"


@click.command(help=__doc__.partition("\n")[0])
@click.option("--repeat", default=5, show_default=True, help="How often --help is timed.")
def main(repeat: int) -> None:
    helps = [time_of_help() for _ in range(repeat)]
    to_url, idle, after, peak = try_chat()
    click.echo(f"{'what':44}{'median':>10}{'worst':>10}{'limit':>10}")
    click.echo(f"{'assistant.py --help':44}{statistics.median(helps):>8.2f} s{max(helps):>8.2f} s{'0.5 s':>10}")
    click.echo(f"{'make chat, everything prepared, to its URL':44}{to_url:>8.1f} s{'':10}{'15 s':>10}")
    click.echo(f"{'memory of the chat process at its URL':44}{idle:>7.2f} GB{'':10}{'2.5 GB':>10}")
    click.echo(f"{'memory of the chat process after a question':44}{after:>7.2f} GB{peak:>7.2f} GB{'2.5 GB':>10}")


def time_of_help() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "assistant.py", "--help"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def try_chat() -> tuple[float, float, float, float]:
    """Seconds to the URL; then gigabytes: resident at the URL, after a question, and at the worst."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        started = time.perf_counter()
        make = subprocess.Popen(["make", "chat", f"ARGS=--port {port} --db {folder}/startup.db"], cwd=ROOT, text=True,
                                stdout=subprocess.PIPE)
        try:
            url = next(line.strip() for line in make.stdout if line.startswith("http"))
            to_url = time.perf_counter() - started
            chat = next(process for process in psutil.Process(make.pid).children(recursive=True)
                        if "assistant.py" in process.cmdline())
            idle = resident(chat)
            with chromium() as browser, visit(browser, url) as visitor:
                visitor.page.fill("#question textarea", QUESTION)
                visitor.page.keyboard.press("Enter")
                visitor.page.wait_for_selector("#reasoning[data-state=done]", timeout=180_000)
            return to_url, idle, resident(chat), peak(chat)
        finally:
            for process in psutil.Process(make.pid).children(recursive=True):
                process.terminate()
            make.wait()


def resident(process: psutil.Process) -> float:
    return process.memory_info().rss / 1e9


def peak(process: psutil.Process) -> float:
    """The largest resident size so far; Linux only, elsewhere the present one."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        return resident(process)
    kilobytes = next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(kilobytes) * 1024 / 1e9


if __name__ == "__main__":
    main()
