"""A database with its own home, and a parser of plain text in place of the child process: a passage a paragraph."""

import hashlib
import re

import pytest

from searchain import documents
from searchain.documents import Block, BlockKind, ParsedDocument
from searchain.errors import DocumentRefused
from searchain.types import Passage, Place
from storage.collections import access, adding
from storage.collections import documents as rows
from storage.collections.files import Files
from storage.database import Database


def parse_text(path, name):
    content = path.read_bytes()
    if b"SECRET" in content:
        raise DocumentRefused("encrypted", "The file has a password; save it without one.")
    text = content.decode()
    found = [Block(BlockKind.PARAGRAPH, *match.span()) for match in re.finditer(r"[^\n]+", text)]
    return ParsedDocument(
        name, "txt", hashlib.sha256(content).hexdigest(), len(content), "toy 1", name, text, tuple(found)
    )


def paragraphs(parsed, document, version):
    found = []
    for number, block in enumerate(parsed.blocks):
        place, text = Place(document, version, block.start, block.end), parsed.text[block.start : block.end]
        found.append(Passage(f"{document}-{version[:6]}-{number}", parsed.title, text, place=place))
    return found


@pytest.fixture
def toy_parser(monkeypatch):
    monkeypatch.setattr(documents, "parse_file", parse_text)
    monkeypatch.setattr(documents, "passages_of", paragraphs)


@pytest.fixture
def store(index_home, toy_parser):
    store = Database(index_home / "searchain.db")
    yield store
    store.close()


def submit(store, collection, name, text):
    files = Files(store)
    return rows.submit(store, files, collection.id, name, files.put([text.encode()]))


def add(store, collection, **texts):
    """Add documents, ready to be searched; their names are the keywords with ``.txt``."""
    found = [submit(store, collection, f"{name}.txt", text)[0] for name, text in texts.items()]
    adding.work(store, collection.id)
    return [rows.get(store, document.id) for document in found]


def collection_of(store, owner="local", name="manuals"):
    return access.create(store, owner, name)
