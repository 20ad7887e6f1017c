"""Read own documents: turn a file into text with blocks, passages for reading, and highlights in the original.

A file is opened only in a child process with limits (``child.py``): a hostile file can end that process, not the chat.
Callers import everything from here.
"""

from searchain.documents.kinds import SUFFIXES
from searchain.documents.originals import FoundFile, files_in, page_image, parse_file, regions
from searchain.documents.parsed import Block, BlockKind, Label, Page, ParsedDocument, Region
from searchain.documents.passages import passages_of
from searchain.errors import DocumentRefused

__all__ = [
    "SUFFIXES",
    "Block",
    "BlockKind",
    "DocumentRefused",
    "FoundFile",
    "Label",
    "Page",
    "ParsedDocument",
    "Region",
    "files_in",
    "page_image",
    "parse_file",
    "passages_of",
    "regions",
]
