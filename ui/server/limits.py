"""How much one person or address may ask and watch, and how fast an address may guess passwords. Kept in memory."""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address

from searchain.errors import SearChainError
from searchain.language.text import plural
from storage.log.runs import Started

_HOUR = 3600.0
_MANY = 10_000  # entries: above it, those that no longer matter are dropped
_FREE_TRIES = 3
_ADDRESS_WAIT = 300.0  # seconds between two tries at most
_NAME_WAIT = 30.0  # shorter: whoever has the name may be elsewhere than who guesses
_ADDRESS = "from "  # no user's name has a space
_NAME = 100  # characters of a name that count: more than names have


class LimitReached(SearChainError):
    """Too many questions at once or in an hour; ``wait`` is the seconds after which asking again makes sense."""

    def __init__(self, message: str, wait: float) -> None:
        super().__init__(message)
        self.wait = wait


class Limits:
    """Runs at the same time and runs in an hour, for each key: a user, or a visitor and their address. Thread-safe."""

    def __init__(
        self,
        *,
        at_once: int,
        per_hour: int,
        is_going: Callable[[str], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
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
        whose, end = ("from this address", "") if _is_address(key) else ("of yours", ", or stop one")
        if len(self._going[key]) >= self._at_once:
            raise LimitReached(
                f"{plural(self._at_once, 'question')} {whose} {'is' if self._at_once == 1 else 'are'} being "
                f"answered, and no more are allowed at once; wait for an answer{end}",
                5.0,
            )
        runs = self._runs[key]
        while runs and runs[0][0] <= now - _HOUR:
            runs.popleft()
        if len(runs) >= self._per_hour:
            wait = runs[0][0] + _HOUR - now
            are, them, they_have = ("is", "it", "it has") if self._per_hour == 1 else ("are", "them", "they have")
            told = (
                f"{are} allowed from this address, and {they_have} been asked"
                if _is_address(key)
                else f"{are} allowed, and you have asked {them}"
            )
            raise LimitReached(
                f"{plural(self._per_hour, 'question')} an hour {told}; ask again in {max(1, round(wait / 60))} min",
                wait,
            )


class Streams:
    """Open streams of each key; each holds a thread while it waits for events. Thread-safe."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()

    @contextmanager
    def one(self, keys: Sequence[str]) -> Iterator[None]:
        """Count one stream as open inside the block.

        Raises:
            LimitReached: a key has too many.
        """
        with self._lock:
            if full := next((key for key in keys if self._open[key] >= self._at_once), None):
                whose, end = (
                    ("from this address", "reload this one later")
                    if _is_address(full)
                    else ("of yours", "close one, then reload this one")
                )
                raise LimitReached(
                    f"{self._at_once} windows {whose} show runs, and no more are allowed at once; {end}", 5.0
                )
            self._open.update(keys)
        try:
            yield
        finally:
            with self._lock:
                self._open.subtract(keys)
                self._open = +self._open  # without those that have none


class Attempts:
    """Failed tries of each key: after a few, each makes the next wait twice as long. They are forgotten one by one."""

    def __init__(self, longest_wait: float, clock: Callable[[], float] = time.monotonic) -> None:
        """``longest_wait``: seconds between two tries at most, and until one failed try is forgotten."""
        self._longest_wait, self._clock = longest_wait, clock
        self._failed: dict[str, tuple[int, float, float]] = {}  # tries, time of the last one and of the one before

    def begin(self, key: str) -> float:
        """0 when a try may be made now, which counts as failed until it is taken back; else the seconds to wait."""
        now = self._clock()
        if len(self._failed) > _MANY:
            self._failed = {
                other: entry for other, entry in self._failed.items() if entry[0] > self._forgotten(entry[1])
            }
        tries, last, _ = self._failed.get(key, (0, now, now))
        forgotten = min(tries, self._forgotten(last))
        tries -= forgotten
        if tries >= _FREE_TRIES:
            wait = last + min(self._longest_wait, 2.0 ** (tries - _FREE_TRIES)) - now
            if wait > 0:
                return wait
        self._failed[key] = (tries + 1, now, last + forgotten * self._longest_wait)
        return 0.0

    def take_back(self, key: str) -> None:
        """The last try did not fail, or was not made."""
        tries, _, before = self._failed.pop(key, (0, 0.0, 0.0))
        if tries > 1:
            self._failed[key] = (tries - 1, before, before)

    def forget(self, key: str) -> None:
        """No try of this key has failed."""
        self._failed.pop(key, None)

    def failed(self, key: str) -> int:
        """How many tries of this key failed and are not forgotten."""
        tries, last, _ = self._failed.get(key, (0, 0.0, 0.0))
        return max(tries - self._forgotten(last), 0) if tries else 0

    def _forgotten(self, last: float) -> int:
        return int((self._clock() - last) / self._longest_wait)


class Guesses:
    """How fast passwords may be guessed: from one address, and for one name from wherever.

    A browser in which somebody signed in before has a count of its own, which nobody else can fill. Behind a proxy that
    is not trusted all people share its address, so there each name may be tried now and then whatever the address did.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._addresses = Attempts(_ADDRESS_WAIT, clock)
        self._names = Attempts(_NAME_WAIT, clock)
        self._browsers = Attempts(_NAME_WAIT, clock)
        self._known: dict[tuple[str, str], None] = {}

    def begin(self, address: str, name: str, browser: str = "", *, is_shared: bool = False) -> float:
        """0 when ``name`` may be tried from ``address`` now, which counts as failed; else the seconds to wait.

        ``browser`` is the secret that ``succeed`` was given; ``is_shared``: who else has this address cannot be known.
        """
        name = name[:_NAME].casefold()
        if (browser, name) in self._known:
            return self._browsers.begin(f"{name} {browser}")
        is_fresh = not self._names.failed(name)
        wait = self._addresses.begin(address)
        if wait and not (is_shared and is_fresh):
            return wait
        if not wait and (wait := self._names.begin(name)):
            self._addresses.take_back(address)
            return wait
        if wait:
            self._names.begin(name)
        return 0.0

    def succeed(self, address: str, name: str, browser: str) -> None:
        """The password was right. An address keeps its failed tries: they may have been for another's name."""
        name = name[:_NAME].casefold()
        if (browser, name) not in self._known:
            self._addresses.take_back(address)
        self._names.forget(name)
        self._browsers.forget(f"{name} {browser}")
        self._known[browser, name] = None
        if len(self._known) > _MANY:
            del self._known[next(iter(self._known))]


def keys_of(owner: str, address: str | None) -> list[str]:
    """Return the keys that limits count: the owner, and the ``address`` (see ``network``) where one is given."""
    return [owner, *([_ADDRESS + address] if address is not None else [])]


def network(host: str) -> str:
    """What counts as one address: an IPv4 address, or the 64-bit network of an IPv6 one."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))
    return str(address)


def _is_address(key: str) -> bool:
    return key.startswith(_ADDRESS)
