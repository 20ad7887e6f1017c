"""What people may store: quotas of users, of visitors by their address and together, and the space that stays free."""

import shutil
import threading
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from searchain.errors import DiskFull, UsageError
from searchain.language.text import plural
from storage.collections import documents
from storage.collections.files import MAX_BYTES, Files
from storage.database import Database
from ui.server.access import VISITORS_OWN, Person
from ui.server.limits import network


@dataclass(frozen=True, slots=True)
class Quota:
    """The limits of what one owner, or several together, may store."""

    files: int
    bytes: int
    days: float | None = None
    """Days after which a collection is removed; ``None``: never."""


VISITORS = Quota(files=10, bytes=20_000_000, days=1)
ALL_VISITORS = Quota(files=1_000, bytes=2_000_000_000)
USERS = Quota(files=10_000, bytes=2_000_000_000)
MIN_FREE = 1.0
"""Gigabytes of the disk that documents leave free, by default."""


class Quotas:
    """How much each person may still store. Who sends from an address is known since the server started."""

    def __init__(self, store: Database, files: Files, min_free: float = MIN_FREE) -> None:
        """``min_free`` is the gigabytes of the disk that stay free."""
        self._store, self._files, self._min_free = store, files, min_free
        self._lock = threading.Lock()
        self._owners_at: dict[str, set[str]] = {}

    def storing(self, person: Person) -> AbstractContextManager[object]:
        """Let visitors store one after another in the block, so that no two take the last place."""
        return self._lock if person.is_visitor else nullcontext()

    def left(self, person: Person, host: str) -> int:
        """Return how many bytes the next file that ``person`` sends from ``host`` may have.

        Raises:
            UsageError: no file more is allowed.
            DiskFull: the disk is nearly full.
        """
        if not person.is_visitor and person.role is None:
            raise UsageError("sign in to add documents")
        free = free_space(self._store, self._min_free, "documents are taken")
        if not person.is_visitor:
            used = documents.usage(self._store, person.owner)
            return min(MAX_BYTES, free, _left(USERS, used, used, "you have"))
        used = documents.usage(self._store, VISITORS_OWN + "*")
        there = {at: owners & used.keys() for at, owners in self._owners_at.items()}
        self._owners_at = {at: owners for at, owners in there.items() if owners}
        mine = self._owners_at.setdefault(network(host), set()) | {person.owner}
        whose = "you have" if mine == {person.owner} else "from this address there are"
        together = _left(ALL_VISITORS, used, used, "all visitors together have", "; try again tomorrow")
        left = _left(VISITORS, used, mine, whose)
        self._owners_at[network(host)].add(person.owner)
        return min(MAX_BYTES, free, left, together)


def free_space(store: Database, min_free: float, refused: str) -> int:
    """Return the bytes of the disk that may be used, or raise ``DiskFull``: so no ``refused``."""
    free = shutil.disk_usage(store.path.parent).free - int(min_free * 1e9)
    if free <= 0:
        why = f"the disk of this server has less than {min_free:.1f} GB left"
        raise DiskFull(f"{why}, so no {refused}; ask whoever runs it")
    return free


def _left(
    quota: Quota,
    used: dict[str, tuple[int, int]],
    owners: Collection[str],
    whose: str,
    advice: str = "; remove some first",
) -> int:
    files, size = (sum(numbers) for numbers in zip((0, 0), *(used[one] for one in owners if one in used), strict=True))
    if files >= quota.files or size >= quota.bytes:
        raise UsageError(
            f"{whose} {plural(files, 'document')} with {size / 1e6:,.1f} MB, and {quota.files:,} with "
            f"{quota.bytes / 1e6:,.0f} MB are allowed{advice}"
        )
    return quota.bytes - size
