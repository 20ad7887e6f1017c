"""The formats of ``export`` and ``annotate export``; a format's module is imported only when it is used.

Each module has a function ``write`` that yields pieces of a file, so that any number of turns needs little memory.
Questions, model text and passages are untrusted; each module escapes them for its format.
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
    """A file format: its module, the suffix and media type of its files, and its purpose."""

    module: str
    suffix: str
    media_type: str
    about: str
    config: str = ""
    """The suffix of an extra file that other programs need to read this format; its text is the module's ``CONFIG``."""

    @property
    def write(self) -> Callable[..., Iterator[str]]:
        """The module's ``write``. Its iterator raises ``StorageError`` if a turn cannot be read."""
        return import_module(self.module).write

    @property
    def written_beside(self) -> str:
        """The text of the extra file with the suffix ``config``."""
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
"""Formats of turns. Their ``write(records)`` takes finished turns, by conversation and position."""

PACKED_LABELS = "labels.jsonl"
"""The name of the file with the labels in the zip of ``annotate export --protocol``."""
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
"""Formats of labels. Their ``write(store, names)`` takes a database and a function that converts annotators' names."""


def format_named(name: str) -> Format:
    """Return a format of turns by its name.

    Raises:
        UsageError: no format has this name.
    """
    if name not in FORMATS:
        raise UsageError(f"there is no format {name!r}; there are: {', '.join(FORMATS)}")
    return FORMATS[name]
