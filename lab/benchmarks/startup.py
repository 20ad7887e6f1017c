"""How fast the assistant starts, and what memory it takes.

    python -m lab.benchmarks.startup [--repeat 5] [--commands]

``make setup`` prepares the machine first; Chromium's driver is among the test requirements. Then ``make chat`` is timed
up to its URL and asked one question in a real browser; memory is that of the chat's own process. The processor time
beside the wall time tells how busy the machine was with other things. Commands are also compared with
``python -c "import torch"`` in the same run: the ratio holds on a busy machine too.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import click
import psutil

from tests.support.browser import chromium, free_port, visit
from ui.cli import warm

ROOT = Path(__file__).parents[2]
LIST = ("assistant.py", "logs", "list")
QUESTION = "On which Japanese island is the city where Nintendo has its headquarters?"


@click.command(help=__doc__.partition("\n")[0])
@click.option("--repeat", default=5, show_default=True, help="How often each command is timed.")
@click.option("--commands", "is_brief", is_flag=True, help="Time the commands only, not the chat.")
def main(repeat: int, is_brief: bool) -> None:
    click.echo(f"{'':44}{'measured':>12}{'÷ torch':>10}")
    torch = statistics.median(time_of("-c", "import torch")[-1] for _ in range(repeat))
    _row('python -c "import torch"', torch, torch)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        database = ("--db", f"{folder}/startup.db")
        asked = ("assistant.py", "ask", QUESTION, "--careful", "off", *database)
        for name, words in (("--help", ("assistant.py", "--help")), ("ask", asked), ("logs list", LIST + database)):
            times = [time_of(*words) for _ in range(repeat)]
            if name == "ask":
                _row("ask, to its line that the models load", statistics.median(one[0] for one in times), torch)
                _row("ask, to the first event of the answer", statistics.median(one[1] for one in times), torch)
                name = "ask, to its end"
            _row(name, statistics.median(one[-1] for one in times), torch)
        left = warm.leave_behind({"db": Path(database[1]), "careful": "off", "limits": {}}, 60)
        times = [time_of(*asked) for _ in range(repeat + 1)][1:]  # the first question of a process takes longer
        left.terminate()
        _row("ask, where a process has loaded its models", statistics.median(one[-1] for one in times), torch)
    if is_brief:
        return
    chat = try_chat()
    click.echo(f"{'':44}{'measured':>12}{'limit':>10}")
    click.echo(f"{'make chat, everything prepared, to its URL':44}{chat.seconds:>10.1f} s{'15 s':>10}")
    click.echo(f"{'  processor time of that':44}{chat.processor_seconds:>10.1f} s")
    click.echo(f"{'memory of the chat process at its URL':44}{chat.idle:>9.2f} GB{'2.5 GB':>10}")
    click.echo(f"{'  after a question':44}{chat.after:>9.2f} GB{'2.5 GB':>10}")
    click.echo(f"{'  at the worst':44}{chat.peak:>9.2f} GB")


def _row(name: str, seconds: float, torch: float) -> None:
    click.echo(f"{name:44}{seconds:>10.2f} s{seconds / torch:>10.2f}")


def time_of(*words: str) -> tuple[float, float, float]:
    """Run Python with ``words``; return the seconds to its first line on standard error, its second one and its end.

    Of ``ask`` the first line says that the models load, the second one is the first event of the answer.
    """
    started = time.perf_counter()
    lines = []
    with subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stderr:
            if not line.startswith("  ! "):  # what loading meets is no event of the answer
                lines.append(time.perf_counter())
    if process.returncode:
        raise click.ClickException(f"{' '.join(words)} failed")
    ended = time.perf_counter()
    first, second, *_ = *lines, ended, ended
    return first - started, second - started, ended - started


@dataclass(frozen=True, slots=True)
class Chat:
    """Seconds to the URL, and gigabytes resident."""

    seconds: float
    processor_seconds: float
    idle: float
    after: float
    peak: float


def try_chat() -> Chat:
    subprocess.run(["make", "setup"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        port = free_port()
        started = time.perf_counter()
        make = subprocess.Popen(
            ["make", "chat", "CAREFUL=0", f"ARGS=--port {port} --db {folder}/startup.db"],
            cwd=ROOT,
            text=True,
            stdout=subprocess.PIPE,
            stderr=(Path(folder) / "errors").open("w"),
        )
        try:
            url = next((line.strip() for line in make.stdout if line.startswith("http")), None)
            if url is None:
                raise click.ClickException((Path(folder) / "errors").read_text().strip())
            to_url = time.perf_counter() - started
            chat = next(
                process
                for process in psutil.Process(make.pid).children(recursive=True)
                if "assistant.py" in process.cmdline()
            )
            processor = psutil.Process(make.pid).cpu_times(), chat.cpu_times()
            idle = resident(chat)
            with chromium() as browser, visit(browser, url) as visitor:
                visitor.page.fill("#question textarea", QUESTION)
                visitor.page.keyboard.press("Enter")
                visitor.page.wait_for_selector("#reasoning[data-state=done]", timeout=180_000)
            used = processor[0].children_user + processor[0].children_system + processor[1].user + processor[1].system
            return Chat(to_url, used, idle, resident(chat), peak(chat))
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
