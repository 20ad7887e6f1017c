import errno
import io
import os
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from searchain.errors import SetupError
from searchain.setup import progress
from searchain.setup.progress import Step, need_space, run

ROOT = Path(__file__).parents[3]


def raising(error):
    def do(report):
        raise error

    return Step("breaking", do)


def test_steps_are_done_in_order_and_those_that_took_time_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "FIRST_SECONDS", 0.2)
    done, out = [], io.StringIO()
    slow = Step("baking", lambda report: (done.append("baking"), time.sleep(progress.SILENT_SECONDS + 0.3)))
    quick = Step("tasting", lambda report: done.append("tasting"))
    assert run((slow, quick), tmp_path / "lock", out) == 0
    assert done == ["baking", "tasting"]
    assert re.fullmatch(r"baking …\nbaking: done in \d s\n", out.getvalue())


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (KeyboardInterrupt(), 130, "stopped; run the same command again to continue\n"),
        (SetupError("no make; install one"), 1, "error: no make; install one\n"),
        (OSError(errno.ENOSPC, "No space", "/home/x"), 1, "error: the disk is full for '/home/x'; make room; then run"),
        (
            PermissionError(errno.EACCES, "no", "/x"),
            1,
            "error: no permission to write for '/x'; change its owner, or set",
        ),
        (ZeroDivisionError("by\nzero"), 1, "error: unexpected ZeroDivisionError: by zero (SEARCHAIN_DEBUG=1 shows"),
    ],
)
def test_what_stops_a_step_is_one_line_and_a_status(error, status, line, tmp_path, monkeypatch):
    monkeypatch.delenv("SEARCHAIN_DEBUG", raising=False)
    out, later = io.StringIO(), []
    assert run((raising(error), Step("never", later.append)), tmp_path / "lock", out) == status
    assert out.getvalue().startswith(line)
    assert (out.getvalue().count("\n"), later) == (1, [])


def test_too_little_space_is_said_before_it_is_used(tmp_path):
    need_space(tmp_path / "not" / "yet" / "there", 1e-9, "a grain")
    with pytest.raises(
        SetupError, match=r"^the universe needs 1000000000\.0 GB in '.*', but only .* GB are free; make room"
    ):
        need_space(tmp_path, 1e9, "the universe")


STEPWISE = """
    import sys, time
    from pathlib import Path
    from searchain.setup.progress import Step, run

    folder = Path(sys.argv[1])

    def count(report):
        for number in range(4):
            file = folder / f"part-{number}"
            if not file.exists():
                print("making", number, flush=True)
                time.sleep(0 if len(sys.argv) > 2 else 0.4)
                file.write_text("")

    sys.exit(run((Step("counting", count),), folder / "lock"))
"""


def start(tmp_path, *arguments):
    words = [sys.executable, "-c", textwrap.dedent(STEPWISE), str(tmp_path), *arguments]
    return subprocess.Popen(words, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_second_run_waits_for_the_first_and_goes_on_where_that_died(tmp_path):
    with start(tmp_path) as first:
        assert first.stdout.readline() == "making 0\n"
        with start(tmp_path, "fast") as second:
            assert second.stderr.readline() == "waiting for another set-up to finish\n"
            first.kill()
            out, told = second.communicate(timeout=30)
    assert (second.returncode, told) == (0, "")
    assert out.splitlines()[-3:] == ["making 1", "making 2", "making 3"]


def test_a_terminal_shows_how_far_a_step_is(tmp_path):
    import pty
    import termios

    script = textwrap.dedent("""
        import sys, time
        from pathlib import Path
        from searchain.setup.progress import Step, run
        sys.exit(run((Step("baking", lambda report: (report("7 of 9 loaves"), time.sleep(1.3))),), Path(sys.argv[1])))
    """)
    terminal, end = pty.openpty()
    termios.tcsetwinsize(end, (24, 80))
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "lock")], cwd=ROOT, stderr=end, timeout=60)
    shown = os.read(terminal, 10_000).decode()
    os.close(end)
    os.close(terminal)
    assert done.returncode == 0
    assert "baking: 7 of 9 loaves" in shown
    assert re.search(r"\r\x1b\[Kbaking: done in \d s\r\n$", shown)
