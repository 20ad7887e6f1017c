import os
import pty
import subprocess
import sys
import termios

import click
import pytest
from click.testing import CliRunner

from searchain.console import one_line_errors
from searchain.errors import SetupError, UsageError
from searchain.safe_text import clean
from tests.support.json_lines import kept


@pytest.mark.parametrize(("hostile", "shown"), kept("hostile-texts.json")["terminal"])
def test_clean_leaves_nothing_that_acts_on_the_terminal(hostile, shown):
    assert clean(hostile) == shown


def test_clean_is_linear_in_hostile_input():
    assert clean("\x1b]" * 200_000) == ""


def command_that_raises(error):
    @click.command()
    @one_line_errors()
    def command():
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (UsageError("bad name 'A B'; use a-z"), 2, "error: bad name 'A B'; use a-z\n"),
        (SetupError("no index 'x';\nbuild it"), 1, "error: no index 'x'; build it\n"),
        (KeyboardInterrupt(), 130, "stopped\n"),
        (
            ModuleNotFoundError("No module named 'torch.nn'", name="torch.nn"),
            1,
            "error: this needs the package 'torch', which is not installed; install the whole program: pip install .\n",
        ),
        (
            ZeroDivisionError("division by zero"),
            1,
            "error: unexpected ZeroDivisionError: division by zero (SEARCHAIN_DEBUG=1 shows where)\n",
        ),
    ],
)
def test_an_error_is_one_line_and_a_status(error, status, line, monkeypatch):
    monkeypatch.delenv("SEARCHAIN_DEBUG", raising=False)
    result = CliRunner().invoke(command_that_raises(error))
    assert (result.exit_code, result.stderr, result.stdout) == (status, line, "")


def test_debugging_shows_the_traceback(monkeypatch):
    monkeypatch.setenv("SEARCHAIN_DEBUG", "1")
    result = CliRunner().invoke(command_that_raises(ZeroDivisionError("division by zero")))
    assert isinstance(result.exception, ZeroDivisionError)


PROGRESS = """
from searchain.console import progress
with progress(4, "encoding") as advance:
    for _ in range(4):
        advance(1)
print("done")
"""


def test_progress_shows_a_bar_on_a_terminal():
    terminal, end = pty.openpty()
    termios.tcsetwinsize(end, (24, 80))
    done = subprocess.run(
        [sys.executable, "-c", PROGRESS], stdout=subprocess.PIPE, stderr=end, text=True, check=True, timeout=60
    )
    shown = os.read(terminal, 10_000).decode()
    os.close(end)
    os.close(terminal)
    assert done.stdout == "done\n"
    assert "encoding" in shown
    assert "4" in shown
