"""How long ``make chat`` takes from a fresh clone in an empty home to a page that answers, and on to the whole index.

    python -m lab.benchmarks.fresh_clone [--folder /tmp/fresh] [--nice-builder 0]

Each line has the seconds since the clone began and the load of the machine. Packages come from the index that pip is
set up with, and the time of downloads counts. The page is asked a question as soon as it is up, and one a minute while
the index is built. On a busy machine ``--nice-builder`` raises the priority of the process that builds.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import click
import psutil

from tests.support.browser import free_port

ROOT = Path(__file__).parents[2]
FIRST, LAST = "Who wrote Don Quixote?", "In which country is the Serengeti?"
MEANWHILE = ("When was Chopin born?", "How tall is Mount Everest?", "Who painted the Mona Lisa?", "What is a quark?")
_LOOK = 1.0  # seconds


@click.command(help=__doc__.partition("\n")[0])
@click.option("--folder", type=click.Path(path_type=Path), default=Path("/tmp/searchain-fresh"), show_default=True)
@click.option("--nice-builder", type=click.IntRange(-20, 19), help="The priority of the process that builds the index.")
def main(folder: Path, nice_builder: int | None) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    page = FreshPage(folder, free_port())
    try:
        page.follow(nice_builder)
    finally:
        page.close()


class FreshPage:
    """A clone of this checkout whose page is served at ``port``."""

    def __init__(self, folder: Path, port: int) -> None:
        self._started, self._address = time.monotonic(), f"http://127.0.0.1:{port}"
        self._run = {
            "cwd": folder / "clone",
            "env": os.environ | {"SEARCHAIN_HOME": str(folder / "home")},
            "text": True,
        }
        subprocess.run(["git", "clone", "--quiet", ROOT, folder / "clone"], check=True)
        self.say("cloned")
        self._make = psutil.Popen(
            ["make", "chat", "CAREFUL=0", f"ARGS=--port {port}"],
            **self._run,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def say(self, what: object) -> None:
        click.echo(f"{time.monotonic() - self._started:7.1f} s  load {os.getloadavg()[0]:4.1f}  {what}")

    def follow(self, nice_builder: int | None) -> None:
        while not self._is_up():
            if self._make.poll() is not None:
                raise click.ClickException("make chat ended")
            time.sleep(_LOOK)
        self.say("the page is up")
        command = [".venv/bin/python", "assistant.py", "user", "token", "local"]
        self._token = subprocess.run(command, **self._run, check=True, stdout=subprocess.PIPE).stdout.split()[-1]
        self._ask(FIRST)
        builder = next((one for one in self._processes() if "searchain.setup.index" in one.cmdline()), None)
        if builder and nice_builder is not None:
            for thread in builder.threads():  # on Linux each thread has a priority of its own
                os.setpriority(os.PRIO_PROCESS, thread.id, nice_builder)
        self._wait(builder)
        self._ask(LAST)

    def close(self) -> None:
        for process in (*self._processes(), self._make):
            process.terminate()

    def _wait(self, builder: psutil.Process | None) -> None:
        """Follow the build to its end, and ask a question a minute."""
        told, seconds, peak, asked = None, 0.0, 0, time.monotonic()
        questions = iter(MEANWHILE)
        while (now := self._searching())["state"] == "building":
            if builder and builder.is_running():
                seconds, peak = sum(builder.cpu_times()[:2]), max(peak, builder.memory_info().rss)
            if now != told:
                self.say(f"{now}, {seconds:.0f} s of processor time, {peak / 1e9:.2f} GB at most")
                told = now
            if time.monotonic() - asked > 60 and (question := next(questions, None)):
                self._ask(question)
                asked = time.monotonic()
            time.sleep(_LOOK)
        self.say(now)

    def _processes(self) -> list[psutil.Process]:
        return self._make.children(recursive=True) if self._make.is_running() else []

    def _read(self) -> None:
        for line in self._make.stdout:
            self.say(f"| {line.rstrip()}")

    def _is_up(self) -> bool:
        try:
            self._searching()
        except OSError:
            return False
        return True

    def _ask(self, question: str) -> None:
        began = time.monotonic()
        asked = Request(
            f"{self._address}/v1/chat/completions",
            json.dumps({"model": "searchain", "messages": [{"role": "user", "content": question}]}).encode(),
            {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"},
        )
        with urlopen(asked, timeout=600) as answer:
            reply = json.load(answer)["choices"][0]["message"]["content"]
        self.say(f"{question} {reply[:80]!r} after {time.monotonic() - began:.1f} s")

    def _searching(self) -> dict[str, Any]:
        with urlopen(f"{self._address}/searching", timeout=60) as answer:
            return json.load(answer)


if __name__ == "__main__":
    main()
