"""How much one person or address may ask, and how fast an address may guess passwords. Kept in memory."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from ipaddress import IPv6Address, ip_address

from searchain.errors import SearChainError
from ui.base import Started

_HOUR = 3600.0
_MANY = 10_000  # entries: above it, those that no longer matter are dropped
_FREE_TRIES = 3
_LONGEST_WAIT = 300.0  # seconds between two tries


class LimitReached(SearChainError):
    """Too many questions at once or in an hour; ``wait`` is the seconds after which asking again makes sense."""

    def __init__(self, message: str, wait: float) -> None:
        super().__init__(message)
        self.wait = wait


class Limits:
    """Runs at the same time and runs in an hour, for each key: a user, or a visitor and their address. Thread-safe."""

    def __init__(self, *, at_once: int, per_hour: int, is_going: Callable[[str], bool],
                 clock: Callable[[], float] = time.monotonic) -> None:
        """``is_going(turn)`` tells whether a run goes on."""
        self._at_once, self._per_hour, self._is_going, self._clock = at_once, per_hour, is_going, clock
        self._lock = threading.Lock()
        self._runs: defaultdict[str, deque[tuple[float, str]]] = defaultdict(deque)
        self._going: defaultdict[str, set[str]] = defaultdict(set)

    def start(self, keys: Sequence[str], start: Callable[[], Started]) -> Started:
        """``start()``, counted for every key.

        Raises:
            LimitReached: a key has too many runs.
        """
        with self._lock:  # held while the run starts, so that no two requests take the last place
            for key in keys:
                self._check(key)
            started = start()
            for key in keys:
                self._runs[key].append((self._clock(), started.turn))
                self._going[key].add(started.turn)
            return started

    def _check(self, key: str) -> None:
        now = self._clock()
        if len(self._runs) > _MANY:
            recent = {key: runs for key, runs in self._runs.items() if runs and runs[-1][0] > now - _HOUR}
            self._runs = defaultdict(deque, recent)
            self._going = defaultdict(set, {key: turns for key, turns in self._going.items() if key in recent})
        self._going[key] = {turn for turn in self._going[key] if self._is_going(turn)}
        if len(self._going[key]) >= self._at_once:
            raise LimitReached(f"{_questions(self._at_once)} of yours {'is' if self._at_once == 1 else 'are'} being "
                               "answered, and no more are allowed at once; wait for an answer, or stop one", 5.0)
        runs = self._runs[key]
        while runs and runs[0][0] <= now - _HOUR:
            runs.popleft()
        if len(runs) >= self._per_hour:
            wait = runs[0][0] + _HOUR - now
            raise LimitReached(f"{_questions(self._per_hour)} an hour are allowed, and you have asked them; ask again "
                               f"in {max(1, round(wait / 60))} min", wait)


class Attempts:
    """Failed sign-ins of each address: after a few, each makes the next wait twice as long."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failed: dict[str, tuple[int, float]] = {}

    def begin(self, address: str) -> float:
        """0 when the address may try now, which counts as failed until ``succeed``; else the seconds to wait."""
        now = self._clock()
        if len(self._failed) > _MANY:
            self._failed = {other: entry for other, entry in self._failed.items() if entry[1] > now - _HOUR}
        tries, last = self._failed.get(address, (0, now))
        if last < now - _HOUR:
            tries = 0
        wait = last + min(_LONGEST_WAIT, 2.0 ** (tries - _FREE_TRIES)) - now if tries >= _FREE_TRIES else 0.0
        if wait > 0:
            return wait
        self._failed[address] = (tries + 1, now)
        return 0.0

    def succeed(self, address: str) -> None:
        self._failed.pop(address, None)


def network(host: str) -> str:
    """What counts as one address: an IPv4 address, or the 64-bit network of an IPv6 one."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))
    return str(address)


def _questions(number: int) -> str:
    return f"{number} {'question' if number == 1 else 'questions'}"
