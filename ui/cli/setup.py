"""The command ``setup``: everything that the first question needs."""

from __future__ import annotations

import sys

import click


@click.command()
@click.option("--repair", is_flag=True, help="Fetch models and corpus again first, where they are damaged.")
def setup(repair: bool) -> None:
    """Install models and corpus, and build the index.

    What is there already is kept. A set-up that was stopped goes on where it was.
    """
    from searchain.setup.__main__ import main  # here, because `--help` need not load it

    sys.exit(main(is_repair=repair))
