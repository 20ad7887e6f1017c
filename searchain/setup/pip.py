"""Call pip, and explain each of its failures in one line.

Standard library only, because ``lab.install`` runs before anything is installed.
"""

import os
import re
import shlex
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from searchain.errors import SetupError
from searchain.setup.progress import Report


def install(
    arguments: Sequence[str], report: Report, *, python: str | Path, log: Path, folder: Path | None = None
) -> None:
    """Run ``pip install`` for the environment of ``python``.

    All that pip prints goes to ``log``, and a short form to ``report``. Files among the arguments are in ``folder``.
    Raises ``SetupError`` if pip failed, with the likely reason.
    """
    _run(("install", "--prefer-binary", *arguments), report, python, log, folder)


def download(pin: str, target: Path, *, log: Path) -> None:
    """Put one wheel into ``target``: as it is, without its dependencies, and without running anything of it.

    pip's temporary files lie in ``target`` as well, whose disk space was checked.
    ``pin`` is a line of a requirements file that names version and SHA-256. Raises as ``install``.
    """
    wanted = target / "pin.txt"  # pip takes sums from files alone
    wanted.write_text(f"{pin}\n", encoding="utf-8")
    options = ("--no-deps", "--only-binary=:all:", "--no-cache-dir", "--require-hashes")
    arguments = ("download", *options, "--dest", str(target), "--requirement", str(wanted))
    _run(arguments, lambda _: None, sys.executable, log, temporary=target)


def _run(
    arguments: Sequence[str],
    report: Report,
    python: str | Path,
    log: Path,
    folder: Path | None = None,
    temporary: Path | None = None,
) -> None:
    verb, *others = arguments
    place = {"TMPDIR": str(temporary)} if temporary else {}
    command = [str(python), "-I", "-m", "pip", verb, "--no-input", "--disable-pip-version-check", *others]
    last: deque[str] = deque(maxlen=50)
    with log.open("a") as file:
        print(time.strftime("\n%Y-%m-%d %H:%M:%S"), *command, file=file, flush=True)
        with subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "PIP_USER": "0", **place},
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            try:
                for line in process.stdout or ():
                    file.write(line)
                    last.append(line)
                    if short := _short(line):
                        report(short)
            except BaseException:
                process.terminate()  # ctrl-C reaches pip too, a signal sent to this process alone does not
                process.wait()
                raise
    if process.returncode:
        raise SetupError(f"{_reason(''.join(last), process.returncode, str(python))}; pip's words are in {str(log)!r}")


def _short(line: str) -> str:
    """Shorten a line of pip's output to the package at work and its size; ``""`` for other lines."""
    if match := re.match(r"\s*Downloading (?:\S*/)?([\w.]+?)-(\d[\w.!+]*?)(?:-|\.tar|\.zip)\S*( \([^)]*\))?", line):
        return f"downloading {match[1]} {match[2]}{match[3] or ''}"
    if match := re.match(r"Collecting ([\w.-]+)", line):
        return f"finding {match[1]}"
    if match := re.match(r"Installing collected packages: (.*)", line):
        return f"unpacking {len(match[1].split(','))} packages"
    return ""


def _reason(output: str, status: int = 1, python: str = sys.executable) -> str:
    """Return the likely reason for pip's failure, with the next step."""
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
        (
            r"Permission denied",
            "no permission to write packages; use an environment of your own, or run make clean in a checkout",
        ),
        (
            r"No module named pip",
            f"this environment has no pip; run {shlex.quote(python)} -m ensurepip, then the same command again",
        ),
    ):
        if re.search(sign, output):
            return reason
    errors = [line.removeprefix("ERROR: ").strip() for line in output.splitlines() if line.startswith("ERROR: ")]
    return f"pip failed: {errors[0] if errors else 'without saying why'}"
