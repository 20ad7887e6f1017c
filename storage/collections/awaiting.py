"""The own documents that a question needs: wait until they are read, and give them as files."""

from __future__ import annotations

import time
from functools import partial

from searchain.cancel import CancelToken
from searchain.documents.parsed import OwnFile
from searchain.errors import IndexNotFound
from searchain.types import JOINT, is_own
from storage.collections import access, documents
from storage.collections.documents import Progress
from storage.collections.files import Files
from storage.database import Database

SECONDS = 60.0
"""How long a question waits until the first document is read."""
POLL_SECONDS = 0.2


def read_so_far(store: Database, index: str, cancel: CancelToken) -> Progress:
    """Return how many own files of ``index`` are read; wait for the first if nothing else can be searched.

    Raises:
        Cancelled: ``cancel`` was set meanwhile.
        IndexNotFound: there is nothing else, and none is read in time.
    """
    names = index.split(JOINT)
    own = [access.collection_of(name) for name in names if is_own(name)]
    end = time.monotonic() + SECONDS
    while True:
        read = documents.progress(store, own)
        if read.searchable or not read.unread or len(own) < len(names):
            return read
        if time.monotonic() > end:
            raise IndexNotFound("none of these documents has been read so far", hint="ask again in a moment")
        cancel.check()
        time.sleep(POLL_SECONDS)


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
