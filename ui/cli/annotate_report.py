"""``annotate agreement``, ``annotate report`` and ``annotate compare``."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from searchain.errors import NotFound, StorageError, UsageError
from ui.cli import files, options
from ui.cli.opening import opened, together

_pseudonyms = click.option("--pseudonyms", is_flag=True, help="Show pseudonyms instead of annotators' names.")
_json = click.option("--json", "is_json", is_flag=True, help="One JSON object.")
_SHOWN = "skc_marked skc_strict coverage amp amp_strict citation_recall citation_precision invented".split()
_NO_LABELS = "no labels are submitted yet; see: python assistant.py annotate status"


@click.command()
@_json
@_pseudonyms
@options.databases
def agreement(is_json: bool, pseudonyms: bool, dbs: tuple[Path, ...]) -> None:
    """Show how far annotators agree.

    The tables hold α, κ, each annotator's errors, and the items to adjudicate first.
    """
    from storage.annotation import report as reports  # here, because of numpy
    from ui.desk.report_people import agreement_tables
    from ui.desk.report_table import text_lines

    with together(dbs) as store:
        found = reports.report(store, pseudonyms=pseudonyms)
    if is_json:
        click.echo(json.dumps(reports.as_json(found.disagreement), ensure_ascii=False).encode())
        return
    if not found.labels:
        raise NotFound(_NO_LABELS)
    for line in text_lines(table for table in agreement_tables(found.disagreement) if table.rows):
        click.echo(line)


@click.command()
@_json
@_pseudonyms
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Also write the page (report.html), report.json and every plot (*.svg) into this folder.",
)
@options.databases
def report(is_json: bool, pseudonyms: bool, out: Path | None, dbs: tuple[Path, ...]) -> None:
    """Show SKC and AMP by system.

    Both are shown beside the paper's figures, with intervals, agreement, reliability and time.
    """
    from storage.annotation import report as reports  # here, because of numpy
    from ui.desk import report_html, report_plots, report_tables
    from ui.desk.report_table import text_lines

    with together(dbs) as store:
        found = reports.report(store, pseudonyms=pseudonyms)
    if not found.labels and not found.work and not is_json:
        raise NotFound(_NO_LABELS)
    text = json.dumps(reports.as_json(found), ensure_ascii=False)
    if out is not None:
        written = {
            "report.html": report_html.page(found),
            "report.json": f"{text}\n",
            **{f"{plot.name}.svg": plot.file() for plot in report_plots.plots(found)},
        }
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"cannot make folder {str(out)!r} ({error.strerror}); name another with -o") from error
        for name, content in written.items():
            with files.target(out / name) as write:
                write(content)
        click.echo(f"{len(written)} files written to {out}", err=True)
    if is_json:
        click.echo(text.encode())
        return
    for line in text_lines(report_tables.tables(found)):
        click.echo(line)


@click.command()
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM SYSTEM...")
@click.option("--measure", "measures", multiple=True, help="Compare this measure; may be given several times.")
@_json
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
