"""The commands ``annotate compare`` and ``pair``, which compare systems."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from searchain.errors import NotFound, UsageError
from ui.cli import options
from ui.cli.opening import opened, writable

_SHOWN = "skc_marked skc_strict coverage amp amp_strict citation_recall citation_precision invented".split()


@click.command()
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM SYSTEM...")
@click.option("--measure", "measures", multiple=True, help="Compare this measure; may be given several times.")
@click.option("--json", "is_json", is_flag=True, help="One JSON object.")
@options.database
def compare(systems: tuple[str, ...], measures: tuple[str, ...], is_json: bool, db: Path | None) -> None:
    """Compare systems on the questions that they all answered.

    For every pair of systems: the difference with a paired bootstrap interval, a sign-flip permutation test, wins, ties
    and losses by question, and Holm's correction over the pairs.
    """
    from searchain.annotation import comparing  # here, because of numpy
    from storage.annotation import report as reports
    from ui.desk.report_systems import comparison_tables
    from ui.desk.report_table import text_lines

    names = list(dict.fromkeys(systems))
    if len(names) < 2:
        raise UsageError("name two systems or more; see: python assistant.py annotate status")
    if unknown := [name for name in measures if name not in comparing.MEASURES]:
        raise UsageError(f"there is no measure {unknown[0]!r}; there are: {', '.join(comparing.MEASURES)}")
    with opened(db) as store:
        judgements, seed = reports.counted(store)
        preferences = reports.preferred(store, names)
    there = {one.item.system for one in judgements}
    if missing := [name for name in names if name not in there]:
        raise NotFound(f"no replies of {missing[0]!r} are judged; there are: {', '.join(sorted(there)) or 'none'}")
    found = comparing.compare(judgements, names, measures or _SHOWN, seed)
    if is_json:
        values = {"comparisons": [asdict(one) for one in found], "preferences": [asdict(one) for one in preferences]}
        click.echo(json.dumps(values, ensure_ascii=False).encode())
        return
    for line in text_lines(table for table in comparison_tables(found, preferences) if table.rows):
        click.echo(line)


@click.command()
@click.argument("one")
@click.argument("other")
@click.option("--quota", type=click.IntRange(1, 1000), default=2, show_default=True, help="Annotators for each pair.")
@options.database
def pair(one: str, other: str, quota: int, db: Path | None) -> None:
    """Put pairs of replies on the desk for A/B preference.

    The replies of systems ONE and OTHER to the same question stand side by side, left and right by lot. Annotators
    find them at /annotate/prefer.
    """
    from storage.annotation import preferences

    with writable(db) as store:
        added, there = preferences.pair(store, one, other, quota)
    click.echo(f"{added} pairs put on the desk" + (f", {there} there already" if there else ""), err=True)
