"""What the commands share at the terminal: errors as one line, and progress.

A command uses both so::

    @click.command()
    @one_line_errors()
    def build(...):
        with progress(len(passages), "encoding") as advance:
            for batch in batches:
                ...
                advance(len(batch))
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NoReturn, TypeVar

import click

from searchain.errors import Cancelled, SearChainError
from searchain.safe_text import one_line
from searchain.secrecy import hidden

T = TypeVar("T")
INTERRUPTED = 130
"""Exit status after ctrl-C, as shells count it: 128 + SIGINT."""
_OWN = ("", "assistant", "searchain", "storage", "ui")


def fail(message: str, status: int = 1) -> NoReturn:
    """Print one line on standard error and exit."""
    click.echo(f"error: {hidden(one_line(message))}", err=True)
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
        fail(error.at_the_shell, error.exit_status)
    except (KeyboardInterrupt, Cancelled):
        click.echo("stopped", err=True)
        sys.exit(INTERRUPTED)
    except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
        raise
    except Exception as error:
        if os.environ.get("SEARCHAIN_DEBUG"):
            raise
        if isinstance(error, ModuleNotFoundError) and (name := (error.name or "").partition(".")[0]) not in _OWN:
            fail(f"this needs the package {name!r}, which is not installed; install the whole program: pip install .")
        fail(f"unexpected {type(error).__name__}: {error} (SEARCHAIN_DEBUG=1 shows where)")


@contextmanager
def progress(total: int | None, label: str) -> Iterator[Callable[[int], object]]:
    """Show a progress bar on standard error if that is a terminal; yield ``advance(n)``."""
    from tqdm import tqdm  # here, because most commands show no bar

    with tqdm(total=total, desc=label, unit="", dynamic_ncols=True, leave=False, disable=None) as bar:
        yield bar.update


def tracked(items: Sequence[T], label: str) -> Iterator[T]:
    """Yield ``items`` one by one with a progress bar."""
    with progress(len(items), label) as advance:
        for item in items:
            yield item
            advance(1)


@contextmanager
def stages() -> Iterator[Callable[[str, int, int], None]]:
    """Show one progress bar after the other, one per task; yield ``show(what, done, total)``."""
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
