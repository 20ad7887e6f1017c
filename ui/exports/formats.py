"""The formats of ``export`` and ``annotate export``, by name; each module is imported when its format is written.

A format's module has a function ``write`` that yields the pieces of a file, so that any number of turns takes little
memory. Questions, model text and passages are untrusted: each module escapes for its target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module

from searchain.errors import UsageError
from ui.translation import N_

_LINES, _JSON = "application/x-ndjson", "application/json"


@dataclass(frozen=True, slots=True)
class Format:
    """One file format: where it is written, how a file of it is named and served, and what it is for."""

    module: str
    suffix: str
    media_type: str
    about: str
    config: str = ""
    """The suffix of a file that programs which read this one need beside it; the module's ``CONFIG``."""

    @property
    def write(self) -> Callable[..., Iterator[str]]:
        """The module's ``write``. Its pieces raise ``StorageError`` when a turn cannot be read."""
        return import_module(self.module).write

    @property
    def written_beside(self) -> str:
        """What stands in the file with the suffix ``config``."""
        return import_module(self.module).CONFIG


FORMATS = {
    "jsonl": Format(
        "storage.transfer.jsonl", ".jsonl", _LINES, N_("lossless, every event of every turn; can be imported")
    ),
    "openai": Format(
        "ui.exports.openai_chat", ".openai.jsonl", _LINES, N_("one conversation per line, as OpenAI messages")
    ),
    "csv": Format("ui.exports.csv_rows", ".csv", "text/csv", N_("one row per sentence and citation")),
    "markdown": Format("ui.exports.markdown", ".md", "text/markdown", N_("replies with footnotes and quoted passages")),
    "html": Format("ui.exports.html_page", ".html", "text/html", N_("one self-contained page to read")),
    "bibtex": Format(
        "ui.exports.bibtex", ".bib", "application/x-bibtex", N_("the sources, each once, for a bibliography")
    ),
    "alce": Format("ui.exports.alce", ".alce.json", _JSON, N_("what the ALCE evaluation reads")),
    "label-studio": Format(
        "ui.exports.label_studio", ".label-studio.json", _JSON, N_("tasks for blind annotation"), config=".config.xml"
    ),
}
"""``write(records)``: finished turns, by conversation and position."""

PACKED_LABELS = "labels.jsonl"
"""The name of the labels in the zip of ``annotate export --protocol``."""
LABEL_FORMATS = {
    "jsonl": Format(
        "storage.annotation.export_jsonl",
        ".jsonl",
        _LINES,
        N_("everything, every version of every label; can be imported"),
    ),
    "csv": Format(
        "ui.exports.labels_csv",
        ".csv",
        "text/csv",
        N_("the labels that count and gold: a row for each knowledge item, mark and annotator"),
    ),
    "label-studio": Format(
        "ui.exports.labels_label_studio", ".json", _JSON, N_("tasks with these labels as annotations")
    ),
}
"""``write(store, names)``: the labels of a database, with the names that annotators get in the file."""


def format_named(name: str) -> Format:
    """Find a format of turns by its name.

    Raises:
        UsageError: there is none of this name.
    """
    if name not in FORMATS:
        raise UsageError(f"there is no format {name!r}; there are: {', '.join(FORMATS)}")
    return FORMATS[name]
