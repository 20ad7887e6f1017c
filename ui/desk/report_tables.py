"""The report as tables of plain text, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Iterator

from storage.annotation.report import Report
from ui.desk import report_people as people
from ui.desk import report_systems as systems
from ui.desk.report_table import Table


def tables(report: Report) -> Iterator[Table]:
    """Yield all tables of the report in order, without empty ones."""
    for table in (
        *systems.study_tables(report),
        *systems.system_tables(report),
        *systems.comparison_tables(report.comparisons, report.preferences),
        *people.agreement_tables(report.disagreement),
        *people.program_tables(report),
        *people.machine_tables(report),
        *people.annotator_tables(report),
        *people.blinding_tables(report),
        people.work_table(report),
    ):
        if table.rows:
            yield table
