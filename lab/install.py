"""``python3 -m lab.install [--test]``: the environment in ``.venv``, made and kept by ``make``.

Runs before anything is installed, so it needs the standard library only. What is installed is remembered by the content
of the files that asked for it: a later start touches pip only when one of them has changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from searchain.errors import SetupError
from searchain.files.checkout import ROOT
from searchain.setup import pip
from searchain.setup.progress import Report, Step, need_space, run

ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
GIGABYTES = 2.5
"""Disk space for the environment with CPU wheels and their downloads; CUDA wheels of some indexes need 6 GB more."""


@dataclass(frozen=True, slots=True)
class Group:
    """The packages that one call of pip installs; up to date until its arguments or the content of its files change."""

    name: str
    arguments: tuple[str, ...]
    files: tuple[str, ...] = ()
    index: tuple[str, ...] = ()


CONSTRAINTS = ("--constraint", "constraints.txt")
PACKAGES = Group(
    "packages", ("--requirement", "requirements.txt", *CONSTRAINTS), ("requirements.txt", "constraints.txt")
)
_OF_TESTS = ("requirements-train.txt", "requirements-oidc.txt", "requirements-otel.txt", "requirements-test.txt")
TESTS = Group(
    "test requirements",
    (*(word for name in _OF_TESTS for word in ("--requirement", name)), *CONSTRAINTS),
    (*_OF_TESTS, "constraints.txt"),
)


def main(arguments: list[str] | None = None) -> int:
    """Make the environment complete; returns the exit status."""
    parser = argparse.ArgumentParser(prog="lab.install", description="Make or complete the environment in .venv.")
    parser.add_argument("--test", action="store_true", help="with what the tests need")
    parser.add_argument("--torch-index", metavar="URL", default="", help="another index of PyTorch wheels")
    options = parser.parse_args(arguments)
    groups = [_torch(options.torch_index), PACKAGES, *([TESTS] if options.test else [])]
    steps = [Step("making .venv", _make_environment)]
    steps += [Step(f"installing {group.name}", partial(_install, group)) for group in groups]
    return run(steps, ENVIRONMENT / ".lock")


def _torch(index: str) -> Group:
    """Return PyTorch as a group of its own; as a dependency pip might choose a version with gigabytes of CUDA."""
    locked = (ROOT / "constraints.txt").read_text().splitlines()
    pin = next(line for line in locked if line.startswith("torch=="))
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
    arguments = (*group.arguments, *group.index)
    pip.install(arguments, report, python=PYTHON, log=ENVIRONMENT / "pip.log", folder=ROOT)
    _stamp().write_text(json.dumps({**_installed(), group.name: digest}, indent=2))


def _drop_half_installed() -> None:
    """Remove the metadata of packages without a record, which pip would take for completely installed."""
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
