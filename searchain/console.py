"""What the commands share at the terminal: errors as one line, progress, and text that cannot take the terminal over.

@click.command()
@one_line_errors()
def build(...):
    with progress(len(passages), "encoding") as advance:
        for batch in batches:
            ...
            advance(len(batch))
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import NoReturn

import click

from searchain.errors import Cancelled, SearChainError

INTERRUPTED = 130
"""Exit status after ctrl-C, as shells count it: 128 + SIGINT."""

_ESCAPE_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movement
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS …: titles, links
    r"|\x1b[ -/]*[0-~]"
)
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters except tab and line feed
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # reorder what is shown
    "\u2028\u2029]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """``text`` fit for a terminal: without escape sequences, bidi controls and controls other than tab and line feed.

    Lone surrogates, which no output encoding accepts, become U+FFFD.
    """
    return _SURROGATE.sub("\ufffd", _UNSAFE.sub("", _ESCAPE_SEQUENCE.sub("", text)))


def one_line(text: str) -> str:
    """``clean`` text with every run of white space made one space."""
    return " ".join(clean(text).split())


def fail(message: str, status: int = 1) -> NoReturn:
    """Print one line on standard error and exit."""
    click.echo(f"error: {one_line(message)}", err=True)
    sys.exit(status)


@contextmanager
def one_line_errors() -> Iterator[None]:
    """End the program with one line on standard error instead of a traceback; a decorator for commands as well.

    A ``SearChainError`` exits with its own status (2 for wrong use, else 1), ctrl-C with 130, the unexpected with 1.
    ``SEARCHAIN_DEBUG=1`` lets unexpected errors through. What click reports itself (wrong usage, a closed pipe) passes.
    """
    try:
        yield
    except SearChainError as error:
        fail(str(error), error.exit_status)
    except (KeyboardInterrupt, Cancelled):
        click.echo("stopped", err=True)
        sys.exit(INTERRUPTED)
    except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
        raise
    except Exception as error:
        if os.environ.get("SEARCHAIN_DEBUG"):
            raise
        fail(f"unexpected {type(error).__name__}: {error} (SEARCHAIN_DEBUG=1 shows where)")


@contextmanager
def progress(total: int | None, label: str) -> Iterator[Callable[[int], object]]:
    """A progress bar on standard error when that is a terminal, nothing otherwise; yields ``advance(n)``."""
    if not sys.stderr.isatty():
        yield lambda n: None
        return
    from tqdm import tqdm  # here, because most commands show no bar

    with tqdm(total=total, desc=label, unit="", dynamic_ncols=True, leave=False) as bar:
        yield bar.update


@contextmanager
def stages() -> Iterator[Callable[[str, int, int], None]]:
    """One progress bar after the other, for each thing that is done; yields ``show(what, done, total)``."""
    with ExitStack() as stack:
        current, shown = "", 0
        advance: Callable[[int], object] | None = None

        def show(what: str, done: int, total: int) -> None:
            nonlocal current, advance, shown
            if advance is None or what != current:
                stack.close()
                current, shown, advance = what, 0, stack.enter_context(progress(total, what))
            advance(done - shown)
            shown = done

        yield show
