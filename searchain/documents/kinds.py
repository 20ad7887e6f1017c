"""Which kinds of files can be read, and whether the bytes of a file are what its name says."""

from __future__ import annotations

SUFFIXES = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "md",
    ".markdown": "md",
    ".txt": "txt",
    ".epub": "epub",
    ".csv": "csv",
    ".tsv": "csv",
    ".zip": "zip",
    ".warc": "warc",
    ".warc.gz": "warc",
}
"""Ending of a name, in lower case → kind. A zip and a web archive hold other files (``files_in``)."""
