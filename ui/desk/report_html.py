"""The report: its tables, for the terminal and the page, and one self-contained page for screens, phones and paper.

The page has no scripts and makes no requests.
"""

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path

from searchain.annotation.agreement import Confusion
from searchain.safe_text import escape
from storage.annotation.report import Report, report
from storage.database import Database
from ui.desk import report_people as people
from ui.desk import report_systems as systems
from ui.desk.report_plots import STYLE, plots
from ui.desk.report_table import Table


def tables(report: Report) -> Iterator[Table]:
    """Yield all tables of the report in order, without empty ones."""
    for table in (
        *systems.study_tables(report),
        *systems.system_tables(report),
        *systems.comparison_tables(report.comparisons),
        *people.agreement_tables(report.disagreement),
        *people.program_tables(report),
        *people.machine_tables(report),
        *people.annotator_tables(report),
        *people.blinding_tables(report),
        people.work_table(report),
    ):
        if table.rows:
            yield table


_STYLE = Path(__file__).with_name("report.css").read_text(encoding="utf-8") + STYLE
_SUM = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEAD = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{_SUM}'">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>SKC and AMP: annotation report</title><style>{_STYLE}</style></head><body><main>
"""
_LONG_CELL = 40
"""Characters above which a cell may wrap."""


def report_html(store: Database, *, pseudonyms: bool = False) -> str:
    """Return the page of the report on the newest labels. Raises ``StorageError`` if the database cannot be read."""
    return page(report(store, pseudonyms=pseudonyms))


def page(found: Report) -> str:
    """Return the page of a report."""
    return "".join((_HEAD, *_body(found), "</main></body></html>\n"))


def _body(found: Report) -> Iterator[str]:
    made = found.created[:16].replace("T", " ")
    versions = ", ".join(found.guidelines)
    yield (
        f'<h1>What people say of the citations</h1><p class="quiet">{found.replies} replies, {found.labels} '
        f"judgements of {len(found.work)} annotators · "
        f"{f'guidelines {escape(versions)} · ' if versions else ''}made {escape(made)} UTC</p>"
    )
    if not found.labels:
        yield (
            "<p>No labels of replies are submitted yet. Put replies on the desk, let annotators judge them, and "
            "open the report again.</p>"
        )
    shown = [one for one in tables(found) if found.labels or one.name == "work"]
    yield f'<nav>{"".join(f"""<a href="#{one.name}">{escape(one.title)}</a>""" for one in shown)}</nav>'
    if pictures := "".join(f"<figure>{plot.svg}</figure>" for plot in plots(found)):
        yield f'<div class="plots">{pictures}</div>'
    for one in shown:
        yield _table(one)
        if one.name == "confusion":
            yield _matrices(found)


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = "".join(
        f'<tr><th scope="row" dir="auto">{escape(row[0])}</th>{"".join(map(_cell, row[1:]))}</tr>' for row in table.rows
    )
    note = f'<p class="quiet small">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<h2 id="{table.name}">{escape(table.title)}</h2><div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{note}\n"
    )


def _cell(text: str) -> str:
    return f'<td{" class=words" if len(text) > _LONG_CELL else ""} dir="auto">{escape(text)}</td>'


def _matrices(found: Report) -> str:
    inner = "".join(
        _matrix(name, one) for name, those in found.disagreement.confusions.items() for one in those if one.units
    )
    return (
        f'<details><summary>All confusions, annotator by annotator</summary><p class="quiet small">Rows: the gold '
        f'label, or what most of the others say. Columns: what the annotator says.</p><div class="matrices">{inner}'
        "</div></details>\n"
        if inner
        else ""
    )


def _matrix(question: str, one: Confusion) -> str:
    names = [escape(category.replace("_", " ")) for category in one.categories]
    most = max(number for row in one.counts for number in row)
    rows = "".join(
        f'<tr><th scope="row">{name}</th>'
        + "".join(f'<td class="shade-{-(-4 * number // most)}">{number}</td>' for number in row)
        + "</tr>"
        for name, row in zip(names, one.counts, strict=True)
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    return (
        f"<table><caption>{escape(one.annotator)}: {escape(question)}</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )
