"""The real steps, each stopped or refused where that can be seen quickly; ``make test`` has done them all before."""

import os
import subprocess
import sys
from pathlib import Path

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


def test_a_home_that_cannot_be_made_ends_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    status, out, told = prepare(SEARCHAIN_HOME=str(tmp_path / "file" / "home"))
    assert (status, out) == (1, "")
    assert told.startswith("error: ")
    assert told.count("\n") == 1


def test_a_prepared_machine_is_ready_at_once_without_torch():
    script = (
        "import sys; from searchain.setup.__main__ import main; status = main(); "
        "print(status, *sorted({'torch', 'transformers', 'colbert'} & set(sys.modules)))"
    )
    assert prepare()[0] == 0  # make test has done this; else it is done now
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
