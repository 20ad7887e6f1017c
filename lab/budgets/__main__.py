"""Print the budgets: ``python -m lab.budgets``; with ``--run`` the one that a run shows, and the files it visits."""

import click

from lab.budgets.table import budgets, of_run, rows
from lab.budgets.visits import visited


@click.command(help=__doc__)
@click.option("--run", "is_run", is_flag=True, help="Answer a question with the embedded model; takes half a minute.")
def main(is_run: bool) -> None:
    if is_run:
        files = visited()
        click.echo("\n".join([*rows([of_run(files)]), "", *files]))
    else:
        click.echo("\n".join(rows(budgets())))


if __name__ == "__main__":
    main()
