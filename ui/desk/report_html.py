"""The report: its tables, for the terminal and the page, and one self-contained page for screens, phones and paper.

The page has no scripts and makes no requests.
"""

import base64
import hashlib
from pathlib import Path

from markupsafe import Markup

from searchain.annotation.agreement import Confusion
from storage.annotation.report import Report, report
from storage.database import Database
from ui.desk.report_plots import STYLE, plots
from ui.desk.report_table import tables
from ui.html import render

_STYLE = Path(__file__).with_name("report.css").read_text(encoding="utf-8") + STYLE
_SUM = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()


def report_html(store: Database, *, pseudonyms: bool = False) -> str:
    """Return the page of the report on the newest labels. Raises ``StorageError`` if the database cannot be read."""
    return page(report(store, pseudonyms=pseudonyms))


def page(found: Report) -> str:
    """Return the page of a report."""
    versions = f"guidelines {', '.join(found.guidelines)} · " if found.guidelines else ""
    confusions = found.disagreement.confusions.items()
    return render(
        "desk/report.html",
        sum=Markup(_SUM),
        style=Markup(_STYLE),
        report=found,
        versions=versions,
        made=found.created[:16].replace("T", " "),
        shown=[one for one in tables(found) if found.labels or one.name == "work"],
        plots=list(plots(found)),
        matrices=[_matrix(question, one) for question, those in confusions for one in those if one.units],
    )


def _matrix(question: str, one: Confusion) -> dict[str, object]:
    names = [category.replace("_", " ") for category in one.categories]
    most = max(number for row in one.counts for number in row)
    rows = [[(number, -(-4 * number // most)) for number in row] for row in one.counts]
    cells = list(zip(names, rows, strict=True))
    return {"annotator": one.annotator, "question": question, "names": names, "rows": cells}
