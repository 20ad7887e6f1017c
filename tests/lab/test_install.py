"""The environment is made by real pip in a small checkout of its own, from wheels made here."""

import os
import shutil
import signal
import subprocess
import sys
import time
from importlib.metadata import distributions
from pathlib import Path

import pytest

from searchain.setup.pip import _reason, _short
from tests.support.wheels import write_wheel

ROOT = Path(__file__).parents[2]


class Checkout:
    """A copy of what set-up needs, with toy requirements."""

    def __init__(self, root: Path) -> None:
        self.root, self.wheels = root, root / "wheels"
        self.wheels.mkdir(parents=True)
        for folder in ("files", "setup"):
            shutil.copytree(ROOT / "searchain" / folder, root / "searchain" / folder)
        (root / "lab").mkdir()
        for name in ("searchain/__init__.py", "searchain/errors.py", "lab/__init__.py", "lab/install.py"):
            shutil.copy(ROOT / name, root / name)
        write_wheel(self.wheels, "torch", "2.13.0")
        write_wheel(self.wheels, "torch", "2.14.0")
        write_wheel(self.wheels, "greedy", "1.0", needs="torch")
        write_wheel(self.wheels, "checker", "1.0")
        for name, text in {
            "requirements.txt": "# direct\ntorch>=2.13.0,<3\ngreedy>=1.0,<2\n",
            "requirements-test.txt": "# nothing\n",
            "requirements-train.txt": "checker==1.0\n",
            "requirements-oidc.txt": "# nothing\n",
            "requirements-otel.txt": "# nothing\n",
            "constraints.txt": "torch==2.13.0\ngreedy==1.0\nchecker==1.0\n",
        }.items():
            (root / name).write_text(text)

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
        return {**kept, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels)}

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "lab.install", *arguments],
            cwd=self.root,
            text=True,
            env={**self.environment, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def install(self, *arguments: str, **environment: str) -> tuple[int, str]:
        with self.start(*arguments, **environment) as process:
            out, told = process.communicate(timeout=300)
        assert out == ""
        return process.returncode, told

    @property
    def site(self) -> Path:
        return next((self.root / ".venv/lib").glob("python*/site-packages"))

    def installed(self) -> dict[str, str]:
        found = {each.name: each.version for each in distributions(path=[str(self.site)])}
        return {name: version for name, version in found.items() if name not in ("pip", "setuptools")}

    @property
    def calls(self) -> list[str]:
        """What pip was asked to do, so far."""
        return [line for line in (self.root / ".venv/pip.log").read_text().splitlines() if " -m pip install " in line]


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Checkout:
    checkout = Checkout(tmp_path_factory.mktemp("checkout"))
    status, told = checkout.install()
    assert (status, told[:12]) == (0, "making .venv")
    return checkout


def test_pytorch_comes_first_tests_need_more_and_pip_is_asked_only_for_what_changed(made):
    assert made.installed() == {"torch": "2.13.0", "greedy": "1.0"}
    assert ["torch==2.13.0" in call for call in made.calls] == [True, False]
    before = made.calls
    assert made.install() == (0, "")
    assert made.calls == before
    assert made.install("--test")[0] == 0
    assert made.installed()["checker"] == "1.0"
    before = made.calls
    assert made.install("--test") == (0, "")
    assert made.install() == (0, "")
    assert made.calls == before


def test_a_package_cut_off_while_it_was_unpacked_is_installed_again(made):
    site = made.site
    (site / "greedy-1.0.dist-info/RECORD").unlink()
    (site / "greedy/__init__.py").unlink()
    (made.root / ".venv/installed.json").unlink()
    assert made.install()[0] == 0
    assert (site / "greedy/__init__.py").is_file()


@pytest.mark.parametrize(
    ("arrives", "reason"),
    [
        ("damaged", "error: a download arrived damaged; run the same command again; pip's words are in "),
        (
            "never",
            "error: the package index cannot be reached; check the connection (or the proxy) and run the same command again; ",
        ),
    ],
)
def test_a_failed_download_is_one_line_and_the_next_run_continues(made, arrives, reason):
    wheel = write_wheel(made.wheels, arrives, "1.0")
    whole = wheel.read_bytes()
    if arrives == "never":
        wheel.unlink()
    else:
        wheel.write_bytes(whole[: len(whole) // 2])
    with (made.root / "requirements.txt").open("a") as file:
        file.write(f"{arrives}==1.0\n")
    status, told = made.install()
    assert (status, told[: len(reason)], told.count("\n")) == (1, reason, 1)
    wheel.write_bytes(whole)
    assert made.install()[0] == 0
    assert made.installed()[arrives] == "1.0"


def test_a_stopped_installation_continues(made):
    write_wheel(made.wheels, "large", "1.0", content="#" * 30_000_000)
    with (made.root / "requirements.txt").open("a") as file:
        file.write("large==1.0\n")
    before = len(made.calls)
    with made.start() as process:
        while len(made.calls) == before:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.endswith("stopped; run the same command again to continue\n")
    assert made.install()[0] == 0
    assert made.installed()["large"] == "1.0"


def test_an_environment_whose_python_is_gone_is_made_anew(made):
    python = made.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to(made.root / "uninstalled")
    assert made.install()[0] == 0
    assert {"torch", "greedy"} <= set(made.installed())


@pytest.mark.parametrize(
    ("line", "short"),
    [
        ("Collecting gradio==6.31.0 (from -r requirements.txt (line 15))", "finding gradio"),
        (
            "  Downloading torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl.metadata (29 kB)",
            "downloading torch 2.13.0 (29 kB)",
        ),
        ("Installing collected packages: pytz, mpmath, xxhash", "unpacking 3 packages"),
        ("Requirement already satisfied: numpy==2.4.6", ""),
    ],
)
def test_what_pip_says_in_short(line, short):
    assert _short(line) == short


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n",
            "the disk is full; make room and run the same command again",
        ),
        (
            "WARNING: Retrying … NewConnectionError: Failed to establish a new connection: [Errno -3] Temporary failure in name "
            "resolution\nERROR: No matching distribution found for x\n",
            "the package index cannot be reached; check the connection (or the proxy) and run the same command again",
        ),
        (
            "ERROR: Could not find a version that satisfies the requirement x==9 (from versions: 1, 2)\n",
            "pip failed: Could not find a version that satisfies the requirement x==9 (from versions: 1, 2)",
        ),
        (
            "/usr/bin/python3: No module named pip\n",
            f"this environment has no pip; run {sys.executable} -m ensurepip, then the same command again",
        ),
    ],
)
def test_why_pip_failed(output, reason):
    assert _reason(output) == reason
