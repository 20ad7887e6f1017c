"""The documents of collections as files, for questions about the whole of them."""

from __future__ import annotations

from functools import partial

from searchain.documents.own import OwnFile
from searchain.types import JOINT, is_own
from storage.collections import access, documents
from storage.collections.files import Files
from storage.database import Database


def own_files(store: Database, index: str) -> dict[str, OwnFile]:
    """Return the documents of the collections in ``index`` that were read, by their ids. Access is not checked."""
    files = Files(store)
    own = (access.collection_of(name) for name in index.split(JOINT) if is_own(name))
    return {
        one.id: OwnFile(one.id, one.name, one.pages, one.updated[:10], partial(files.parsed, one.sha256, one.type))
        for collection in own
        for one in documents.of_collection(store, collection)
        if one.type is not None
    }
