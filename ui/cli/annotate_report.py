"""The commands ``annotate agreement``, ``report``, ``compare`` and ``plan``."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from searchain.errors import NotFound, SearChainError, UsageError
from searchain.language.text import plural
from ui.cli import options
from ui.cli.files import opened, writable

if TYPE_CHECKING:
    from searchain.annotation.comparing import Plan
    from searchain.annotation.units import Judgement

_pseudonyms = click.option("--pseudonyms", is_flag=True, help="Show pseudonyms instead of annotators' names.")
_json = click.option("--json", "is_json", is_flag=True, help="One JSON object.")
_SHOWN = "skc_marked skc_strict coverage amp amp_strict citation_recall citation_precision invented".split()
_NO_LABELS = "no labels are submitted yet; see: python assistant.py annotate status"


@click.command()
@_json
@_pseudonyms
@options.database
def agreement(is_json: bool, pseudonyms: bool, db: Path | None) -> None:
    """Show how far annotators agree.

    The tables hold α, κ, each annotator's errors, and the items to adjudicate first.
    """
    from storage.annotation import report as reports  # here, because of numpy
    from ui.desk.report_table import agreement_tables, text_lines

    with opened(db) as store:
        found = reports.report(store, pseudonyms=pseudonyms)
    if is_json:
        options.echo_json(reports.as_json(found.disagreement))
        return
    if not found.labels:
        raise NotFound(_NO_LABELS)
    for line in text_lines(table for table in agreement_tables(found.disagreement) if table.rows):
        click.echo(line)


@click.command()
@_json
@_pseudonyms
@click.option(
    "--format",
    "format",
    type=click.Choice(["text", "latex", "csv"]),
    default="text",
    help="How to write the tables; csv: one figure a row, with its interval, unrounded.",
)
@options.database
def report(is_json: bool, pseudonyms: bool, format: str, db: Path | None) -> None:
    """Show SKC and AMP by system.

    Both are shown beside the paper's figures, with intervals, agreement, reliability and time. The desk shows the same
    on a page, with plots: /annotate/report.
    """
    from storage.annotation import report as reports  # here, because of numpy
    from ui.desk import report_table
    from ui.desk.report_table import FIGURES, figure_rows, latex_lines, text_lines
    from ui.exports import csv_rows

    with opened(db) as store:
        found = reports.report(store, pseudonyms=pseudonyms)
    if not found.labels and not found.work and not is_json:
        raise NotFound(_NO_LABELS)
    text = json.dumps(reports.as_json(found), ensure_ascii=False)
    if is_json:
        click.echo(text.encode())
        return
    if format == "csv":
        rows = ([csv_rows.cell(value) for value in row] for row in figure_rows(json.loads(text)))
        click.echo(csv_rows.lines([FIGURES, *rows]), nl=False)
        return
    for line in (text_lines if format == "text" else latex_lines)(report_table.tables(found)):
        click.echo(line)


@click.command()
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM SYSTEM...")
@click.option("--measure", "measures", multiple=True, help="Compare this measure; may be given several times.")
@_json
@options.database
def compare(systems: tuple[str, ...], measures: tuple[str, ...], is_json: bool, db: Path | None) -> None:
    """Compare systems on the questions that they all answered.

    For every pair of systems: the difference with a paired interval, a sign-flip permutation test, wins, ties
    and losses by question, and Holm's correction over the pairs.
    """
    from searchain.annotation import comparing  # here, because of numpy
    from storage.annotation import report as reports
    from ui.desk.report_table import comparison_tables, text_lines

    names = list(dict.fromkeys(systems))
    if len(names) < 2:
        raise UsageError("name two systems or more; see: python assistant.py annotate status")
    if unknown := [name for name in measures if name not in comparing.MEASURES]:
        raise UsageError(f"there is no measure {unknown[0]!r}; there are: {', '.join(comparing.MEASURES)}")
    with opened(db) as store:
        judgements, seed = reports.counted(store)
    _must_be_judged(names, judgements)
    found = comparing.compare(judgements, names, measures or _SHOWN, seed)
    if is_json:
        options.echo_json({"comparisons": [asdict(one) for one in found]})
        return
    for line in text_lines(table for table in comparison_tables(found) if table.rows):
        click.echo(line)


def _must_be_judged(names: Sequence[str], judgements: Iterable["Judgement"]) -> None:
    """Raise ``NotFound`` for a system without judged replies."""
    there = {one.item.system for one in judgements}
    if missing := [name for name in names if name not in there]:
        raise NotFound(f"no replies of {missing[0]!r} are judged; there are: {', '.join(sorted(there)) or 'none'}")


@click.command()
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM [SYSTEM]")
@click.option("--measure", default="amp", help="The measure to be compared.")
@click.option("--difference", type=float, required=True, help="The smallest difference to be detected, such as 0.1.")
@click.option("--power", type=options.Number(0.5, 0.999), default=0.8, help="The probability of detecting it.")
@click.option("--level", type=options.Number(0.0001, 0.2), default=0.05, help="The significance level of the test.")
@_json
@options.database
def plan(
    systems: tuple[str, ...],
    measure: str,
    difference: float,
    power: float,
    level: float,
    is_json: bool,
    db: Path | None,
) -> None:
    """Say how many replies and annotators a difference takes.

    The judged replies of the systems are the pilot: of two, the variance of their difference on the same questions; of
    one, twice its own. A small pilot makes a vague plan, and the limits in brackets say how vague.
    """
    from statistics import median

    from searchain.annotation import comparing  # here, because of numpy
    from storage.annotation import report as reports

    if not 1 <= len(set(systems)) == len(systems) <= 2:
        raise UsageError("name one system, or two different ones")
    if measure not in comparing.MEASURES:
        raise UsageError(f"there is no measure {measure!r}; there are: {', '.join(comparing.MEASURES)}")
    if not difference:
        raise UsageError("a difference of 0 cannot be seen; name one with --difference")
    with opened(db) as store:
        judgements, seed = reports.counted(store)
    _must_be_judged(systems, judgements)
    pilot = comparing.pilot(judgements, systems, measure, seed)
    found = comparing.plan(pilot, difference, power, level)
    seconds = [one.seconds for one in judgements if one.seconds and one.item.system in systems]
    each = median(seconds) if seconds else None
    if is_json:
        about = {name: value for name, value in asdict(pilot).items() if name != "samples"}
        options.echo_json({"pilot": about, "plans": [asdict(one) for one in found], "seconds": each})
        return
    kind = "the same questions" if pilot.is_paired else "one system, taken twice"
    click.echo(f"to see a difference of {difference:g} in {measure} with power {power:g} (level {level:g}, two-sided)")
    click.echo(
        f"pilot: {plural(pilot.questions, 'question')}, {kind}; in brackets: what 95 of 100 resampled pilots say"
    )
    for one in found:
        click.echo(f"{plural(one.annotators, 'annotator')}: {_planned(one, each, f'more than {comparing.MOST:,}')}")


@click.command()
@click.option("--system", metavar="NAME", help="Only replies of this system; default: all on the desk.")
@click.option(
    "--judged", type=click.IntRange(1), metavar="N", help="The size of the sample: citations that people judge."
)
@click.option("--at-most", type=options.Number(0, 1), default=0.05, help="The share of wrong citations to be shown.")
@click.option("--sure", type=options.Number(0.5, 0.999), default=0.9, help="How sure the sentence is to be.")
@click.option("--seed", type=int, default=0, help="Draws the sample.")
@_json
@options.database
def certificate(
    system: str | None, judged: int | None, at_most: float, sure: float, seed: int, is_json: bool, db: Path | None
) -> None:
    """Say how many citations are wrong at most, from a random sample that people judged.

    Without --judged it says how many must be judged. The first use of --judged fixes that number and --seed for the
    replies of --system; others are refused, because a sample that grows until the sentence pleases proves less. It
    exits with 1 where the sample is not judged yet, or shows more than --at-most.
    """
    from searchain.annotation.certificate import needed
    from storage.annotation import certifying

    with opened(db) if judged is None else writable(db) as store:
        replies = certifying.population(store, system)
        if judged is None:
            citations = sum(len(item.marks) for item in replies)
            for wrong in range(4):
                count = needed(citations, at_most, wrong, sure)
                enough = f"judge {count:,} of {citations:,} citations" if count else "not even all citations suffice"
                click.echo(f"if {wrong} of them are wrong: {enough}")
            return
        certifying.fix(store, system, judged, seed)
        found, sample = certifying.certify(store, replies, judged, sure, seed)
    waiting = list(dict.fromkeys(item for (item, _), verdict in sample.items() if verdict is None))
    if is_json:
        told = [{"item": item, "mark": mark, "is_right": right} for (item, mark), right in sample.items()]
        sentence = None if waiting else found.sentence
        options.echo_json({**asdict(found), "sentence": sentence, "sample": told})
    if waiting:
        raise SearChainError(f"the sample is not judged yet; judge these replies on the desk: {' '.join(waiting)}")
    if not is_json:
        click.echo(found.sentence)
    if found.most > at_most * found.citations:
        raise SearChainError(f"more than {100 * at_most:g} % may be wrong; say so with a larger --at-most")


def _planned(one: "Plan", each: float | None, more: str) -> str:
    """Describe a plan; ``each`` are the seconds that a judgement takes, ``more`` the words for too many replies."""
    if one.replies is None:
        return f"{more} replies of each system"
    judged = 2 * one.replies * one.annotators
    hours = f", about {judged * each / 3600:.1f} hours" if each else ""
    limits = f"[{one.low}, {one.high or more}]"
    return f"{one.replies} {limits} replies of each system, {judged} judgements{hours} (power {one.power:.2f})"


COMMANDS = [agreement, report, compare, plan, certificate]
