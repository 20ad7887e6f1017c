"""The real steps, each stopped or refused where that can be seen quickly; ``make test`` has done them all before."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[3]


def start(**environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "searchain.setup"],
        cwd=ROOT,
        env={**os.environ, **environment},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def prepare(**environment: str) -> tuple[int, str, str]:
    with start(**environment) as process:
        out, told = process.communicate(timeout=300)
    return process.returncode, out, told


def programs_of(process: subprocess.Popen[str]) -> list[str]:
    names = []
    for child in psutil.Process(process.pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            names.append(child.name())
    return names


def test_without_a_compiler_set_up_ends_in_one_line(tmp_path):
    status, out, told = prepare(SEARCHAIN_HOME=str(tmp_path), CXX="no-such-compiler")
    assert (status, out) == (1, "")
    assert told.splitlines()[-1].startswith("error: no C++ compiler: 'no-such-compiler' was not found; install one")
    assert "Traceback" not in told


def test_a_home_that_cannot_be_made_ends_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    status, out, told = prepare(SEARCHAIN_HOME=str(tmp_path / "file" / "home"))
    assert (status, out) == (1, "")
    assert told.startswith("error: ")
    assert told.count("\n") == 1


def test_ctrl_c_ends_compiling_and_all_that_compiles(tmp_path):
    with start(SEARCHAIN_HOME=str(tmp_path)) as process:
        while programs_of(process).count("ninja") < 2:  # two are compiled at a time
            assert process.poll() is None
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=120)
    assert process.returncode == 130
    assert told.endswith("stopped; run the same command again to continue\n")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    assert list(tmp_path.glob("extensions/*/*.so")) == []


def test_a_prepared_machine_is_ready_at_once_without_torch():
    script = (
        "import sys; from searchain.setup.__main__ import main; status = main(); "
        "print(status, *sorted({'torch', 'transformers', 'colbert'} & set(sys.modules)))"
    )
    assert prepare()[0] == 0  # make test has done this; else it is done now
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
