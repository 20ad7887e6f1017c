"""A zip of a round of annotation for reviewers: its labels, its figures, and the commands that compute them again."""

import hashlib
import io
import json
import platform
import subprocess
import zipfile
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from searchain.annotation.protocol import GUIDELINES
from searchain.annotation.study import without_names
from searchain.version import VERSION
from storage.annotation import export_jsonl, pseudonyms, record, studies
from storage.annotation import report as reports
from storage.database import Database
from ui.exports import labels_csv, methods
from ui.exports.formats import PACKED_LABELS
from ui.exports.labels_csv import COLUMNS

_ROOT = Path(__file__).parent.parent.parent
_OWN_GUIDELINES = _ROOT / "ui" / "desk" / "annotation-guidelines.md"
_README = """\
# A round of annotation

| file | what it is |
|---|---|
| {labels} | replies with their documents, every version of every label, decisions, what machines said, the study |
| labels.csv, codebook.md | the labels that count as a table, and what its columns hold |
| study.json | the study that counts, and its history; version and SHA-256 of the guidelines |
| guidelines.md | the guidelines of the study that counts |
| report.json | the figures |
| methods.md | what the log shows of the round, one sentence a line |
| datasheet.md | the data set, in words |
| software.json | what wrote this |

The same report again, from nothing but this file:

    python assistant.py annotate import PROTOCOL.zip --db again.db
    python assistant.py annotate report --json --db again.db > again.json

`again.json` equals `report.json` but for `created`. Annotators have pseudonyms.
"""


def packed(store: Database) -> bytes:
    """Return the zip. Raises ``StorageError`` if the database cannot be read."""
    names = pseudonyms.names(store, are_hidden=True)
    found, study = reports.report(store, pseudonyms=True), studies.current(store)
    shown = without_names(study, pseudonyms.pseudonyms_of(store))
    guidelines = study.guidelines or _OWN_GUIDELINES.read_text(encoding="utf-8")
    entries = [
        {"action": one.action, "hash": one.hash, "reason": one.reason, "created": one.created}
        for one in studies.history(store)
    ]
    log = record.record(store)
    digest = hashlib.sha256(guidelines.encode()).hexdigest()
    about = {"version": GUIDELINES, "sha256": digest, "is_of_study": bool(study.guidelines)}
    software = _software()
    files = {
        "README.md": _README.format(labels=PACKED_LABELS),
        PACKED_LABELS: "".join(export_jsonl.write(store, names)),
        "study.json": _json({"hash": study.hash, "study": asdict(shown), "history": entries, "guidelines": about}),
        "guidelines.md": guidelines,
        "report.json": _json(reports.as_json(found)),
        "labels.csv": "".join(labels_csv.write(store, names)),
        "codebook.md": _codebook(),
        "methods.md": methods.markdown(found, log, _told(software, digest)),
        "datasheet.md": "\n".join(methods.datasheet(log, names, study.title)) + "\n",
        "software.json": _json(software),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same content is the same file
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            pack.writestr(entry, text)
    return out.getvalue()


def _software() -> dict[str, str]:
    return {
        "program": VERSION,
        "commit": _commit() or "unknown",
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "krippendorff")},
    }


def _told(software: dict[str, str], guidelines: str) -> tuple[str, ...]:
    return (
        f"Written by searchain {software['program']}, commit {software['commit']}.",
        "The log does not say which version ran while people judged.",
        f"SHA-256 of guidelines.md: {guidelines}.",
    )


def _commit() -> str | None:
    """Return the commit of this checkout, with ``-dirty`` if files differ from it; ``None`` outside of a checkout."""
    if not (_ROOT / ".git").exists():
        return None
    asked = ["git", "-C", str(_ROOT), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, timeout=10, check=True).stdout.strip() or None
    except (OSError, subprocess.SubprocessError):
        return None


def _codebook() -> str:
    rows = "".join(f"| {name} | {about} |\n" for name, about in COLUMNS.items())
    return f"# The columns of labels.csv\n\nEmpty: does not apply.\n\n| column | what it holds |\n|---|---|\n{rows}"


def _json(values: object) -> str:
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"
