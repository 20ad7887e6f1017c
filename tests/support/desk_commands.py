"""The commands of ``annotate``, as tests call them."""

from click.testing import CliRunner, Result

from ui.cli.main import cli


def run(*args: object, db: object, input: str | None = None) -> Result:
    """Call ``annotate`` with ``args`` on the database ``db``."""
    return CliRunner().invoke(cli, ["annotate", *map(str, args), "--db", str(db)], input=input)
