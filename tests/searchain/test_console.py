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


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("plain text, tab\tand\nlines", "plain text, tab\tand\nlines"),
        ("naïve 京都 🇯🇵 👩‍🔬", "naïve 京都 🇯🇵 👩‍🔬"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[1;1Hwiped", "wiped"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;cm0gLXJm\x9cclipboard", "clipboard"),
        ("\x1b]0;never closed\nnext line stays", "\nnext line stays"),
        ("\x1bcreset", "reset"),
        ("\x1b(0charset", "charset"),
        ("over\rwrite, bell\x07, back\x08space, nul\x00", "overwrite, bell, backspace, nul"),
        ("abc\u202edcba\u2066x\u2069\u200f", "abcdcbax"),
        ("half a pair \ud83d", "half a pair \ufffd"),
        ("\x1b\x1b[31m[31mnested", "[31mnested"),
    ],
)
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
