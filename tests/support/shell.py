"""Commands of the program, run in this process."""

from functools import partial
from typing import Any

from click.testing import CliRunner, Result

from ui.cli.main import cli


def run(*words: object, db: object = None, **options: Any) -> Result:
    """Run a command, on the database ``db`` if one is named; ``options`` as ``CliRunner.invoke`` takes them."""
    on = () if db is None else ("--db", db)
    return CliRunner().invoke(cli, [*map(str, (*words, *on))], **options)


def told(*words: object, **options: Any) -> tuple[int, str, str]:
    """Return the exit status, standard output and standard error of a command."""
    result = run(*words, **options)
    return result.exit_code, result.stdout, result.stderr


def printed(*words: object, status: int = 0) -> str:
    """Return all that a command prints, which must end with ``status``."""
    result = run(*words, prog_name="assistant.py")
    assert result.exit_code == status, result.output
    return result.output


annotate = partial(run, "annotate")
