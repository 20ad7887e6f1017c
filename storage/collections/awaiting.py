"""Wait until the own documents that a question needs are read."""

from __future__ import annotations

import time

from searchain.cancel import CancelToken
from searchain.errors import IndexNotFound
from searchain.types import JOINT, is_own
from storage.collections import access, documents
from storage.collections.documents import Progress
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
