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
_README = Path(__file__).with_suffix(".md")


def packed(store: Database) -> bytes:
    """Return the zip. Raises ``StorageError`` if the database cannot be read."""
    names = pseudonyms.names(store, are_hidden=True)
    found, study = reports.report(store, pseudonyms=True), studies.current(store)
    shown = without_names(study, pseudonyms.pseudonyms_of(store))
    guidelines = study.guidelines or _OWN_GUIDELINES.read_text(encoding="utf-8")
    told = ("action", "hash", "reason", "created")
    entries = [{name: getattr(one, name) for name in told} for one in studies.history(store)]
    log = record.record(store)
    digest = hashlib.sha256(guidelines.encode()).hexdigest()
    about = {"version": GUIDELINES, "sha256": digest, "is_of_study": bool(study.guidelines)}
    software = {"program": VERSION, "commit": _commit() or "unknown", "python": platform.python_version()}
    software |= {name: version(name) for name in ("numpy", "krippendorff")}
    written = (
        f"Written by searchain {VERSION}, commit {software['commit']}.",
        "The log does not say which version ran while people judged.",
        f"SHA-256 of guidelines.md: {digest}.",
    )
    files = {
        "README.md": _README.read_text(encoding="utf-8").format(labels=PACKED_LABELS),
        PACKED_LABELS: "".join(export_jsonl.write(store, names)),
        "study.json": _json({"hash": study.hash, "study": asdict(shown), "history": entries, "guidelines": about}),
        "guidelines.md": guidelines,
        "report.json": _json(reports.as_json(found)),
        "labels.csv": "".join(labels_csv.write(store, names)),
        "codebook.md": _codebook(),
        "methods.md": methods.markdown(found, log, written),
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
