"""The file of ``eval --out``: a line for every answered question, so that a run that was interrupted can go on.

Every line carries ``run``: what the answers of one file have in common. A file never mixes two kinds of answers.
"""

from __future__ import annotations

import fcntl
import json
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from searchain.errors import UsageError


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The lines of an out file, the last one of every id. A last line that was broken off is left out.

    Raises:
        UsageError: the file cannot be read, or another line is broken.
    """
    return list(_read(path)[0].values())


class OutFile:
    """An out file that is being written; a context manager. ``answered`` are the lines that it holds already, by id."""

    def __init__(self, path: Path, run: dict[str, Any]) -> None:
        """Open ``path`` for the answers of ``run``, after those that it has.

        Raises:
            UsageError: the file cannot be used, is being written, or holds answers of another run; the message says
                what differs.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab")
        except OSError as error:
            raise UsageError(f"cannot write {str(path)!r}: {error.strerror}; name another --out") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.answered, end = _read(path)
            for line in self.answered.values():
                _check(path, line, run)
            self._file.truncate(end)
        except BlockingIOError:
            self._file.close()
            raise UsageError(f"another eval is writing {str(path)!r}; wait for it, or name another --out") from None
        except UsageError:
            self._file.close()
            raise
        self._run = run

    def write(self, line: dict[str, Any]) -> None:
        """Append a line, on disk when this returns."""
        self._file.write((json.dumps({**line, "run": self._run}, ensure_ascii=False) + "\n").encode())
        self._file.flush()
        self.answered[line["id"]] = line

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


def _read(path: Path) -> tuple[dict[str, dict[str, Any]], int]:
    """The lines by id, and the number of bytes up to the end of the last whole one."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror}") from error
    lines: dict[str, dict[str, Any]] = {}
    end = 0
    for number, raw in enumerate(content.splitlines(keepends=True), 1):
        is_last = end + len(raw) == len(content)
        try:
            line = json.loads(raw)
            if not (isinstance(line, dict) and isinstance(line.get("id"), str) and isinstance(line.get("run"), dict)):
                raise ValueError("no answer of an evaluation")
        except ValueError as error:
            if is_last and (number > 1 or raw.startswith(b"{")):
                break
            raise UsageError(
                f"line {number} of {str(path)!r} is broken ({error}); it is no file of eval --out, or it "
                "was changed; remove it or name another"
            ) from error
        if is_last and not raw.endswith(b"\n"):
            break
        lines[line["id"]] = line
        end += len(raw)
    return lines, end


def _check(path: Path, line: dict[str, Any], run: dict[str, Any]) -> None:
    old = line["run"]
    for name in {**run, **old}:
        if old.get(name) != run.get(name):
            before, now = _differing(old.get(name), run.get(name))
            raise UsageError(
                f"{str(path)!r} holds answers of another run: {name} is {before} there, {now} now; name another --out"
            )


def _differing(old: Any, new: Any) -> tuple[str, str]:
    """Of two values, what differs."""
    if isinstance(old, dict) and isinstance(new, dict):
        name = min(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
        return f"{name} = {old.get(name)!r}", f"{name} = {new.get(name)!r}"
    return repr(old), repr(new)
