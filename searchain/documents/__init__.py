"""Read own documents: turn a file into text with blocks, passages for reading, and highlights in the original.

A file is opened only in a child process with limits (``child.py``): a hostile file can end that process, not the chat.
Callers import everything from here.
"""

from searchain.documents.originals import FoundFile, files_in, page_image, parse_file, regions
from searchain.documents.parsed import Block, BlockKind, ParsedDocument, Region
from searchain.documents.passages import passages_of
from searchain.errors import DocumentRefused

__all__ = [
    "Block",
    "BlockKind",
    "DocumentRefused",
    "FoundFile",
    "ParsedDocument",
    "Region",
    "files_in",
    "page_image",
    "parse_file",
    "passages_of",
    "regions",
]
