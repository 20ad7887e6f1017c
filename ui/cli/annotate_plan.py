"""``annotate plan``: how many replies and annotators show a difference."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from searchain.errors import UsageError
from searchain.language.text import plural
from ui.cli import options
from ui.cli.opening import opened


@click.command()
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM [SYSTEM]")
@click.option("--measure", default="amp", show_default=True, help="The measure to be compared.")
@click.option("--difference", type=float, required=True, help="The smallest difference to be detected, such as 0.1.")
@click.option(
    "--power",
    type=click.FloatRange(0.5, 0.999),
    default=0.8,
    show_default=True,
    help="The probability of detecting it.",
)
@click.option(
    "--level",
    type=click.FloatRange(0.0001, 0.2),
    default=0.05,
    show_default=True,
    help="The significance level of the test.",
)
@click.option("--json", "is_json", is_flag=True, help="One JSON object.")
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
    one, twice its own.
    """
    from statistics import median

    from searchain.annotation import comparing, planning  # here, because of numpy
    from storage.annotation import report as reports

    if not 1 <= len(systems) <= 2:
        raise UsageError("name one system or two")
    if measure not in comparing.MEASURES:
        raise UsageError(f"there is no measure {measure!r}; there are: {', '.join(comparing.MEASURES)}")
    if not difference:
        raise UsageError("a difference of 0 cannot be seen; name one with --difference")
    with opened(db) as store:
        judgements, _ = reports.counted(store)
    pilot = planning.pilot(judgements, systems, measure)
    found = planning.plan(pilot, difference, power, level)
    seconds = [one.seconds for one in judgements if one.seconds and one.item.system in systems]
    each = median(seconds) if seconds else None
    if is_json:
        values = {"pilot": asdict(pilot), "plans": [asdict(one) for one in found], "seconds": each}
        click.echo(json.dumps(values).encode())
        return
    kind = "the same questions" if pilot.is_paired else "one system, taken twice"
    click.echo(f"to see a difference of {difference:g} in {measure} with power {power:g} (level {level:g}, two-sided)")
    click.echo(f"pilot: {plural(pilot.questions, 'question')}, {kind}")
    for one in found:
        who = plural(one.annotators, "annotator")
        if one.replies is None:
            click.echo(f"{who}: more than {planning.MOST:,} replies of each system")
            continue
        judged = 2 * one.replies * one.annotators
        hours = f", about {judged * each / 3600:.1f} hours" if each else ""
        click.echo(f"{who}: {one.replies} replies of each system, {judged} judgements{hours} (power {one.power:.2f})")
