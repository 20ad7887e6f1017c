"""Limits on runs, streams and tokens per person or address, and on password guesses.

Counts are kept in memory, but those of tokens in the database.
"""

import math
import sys
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import TypeVar

import anyio
from filelock import FileLock, Timeout
from starlette.requests import Request

from searchain.errors import SearChainError, StorageError
from searchain.language.text import plural
from searchain.settings import Settings
from storage.database import Database, now
from storage.log import runs, spending
from storage.log.runs import Started

_AT_ONCE, _PER_HOUR = 2, 60  # of one user or visitor, where others may ask
_HOUR = 3600.0
_LOCKED = 30.0  # seconds that a run waits for others that start
_MANY = 10_000  # entries: above it, those that no longer matter are dropped
_FREE_TRIES = 3
_ADDRESS_WAIT = 300.0  # seconds between two tries at most
_NAME_WAIT = 30.0  # shorter: whoever has the name may be elsewhere than who guesses
_ADDRESS = "from "  # no user's name has a space
_AGAIN = 5.0  # seconds after which a refused request may be sent again
_NAME = 100  # characters of a name that count: more than names have


class LimitReached(SearChainError):
    """Too many runs or streams, or a spent budget; after ``wait`` seconds another try may succeed."""

    def __init__(self, message: str, wait: float) -> None:
        super().__init__(message)
        self.wait = wait


class Limits:
    """Limits on runs at once and per hour, for each key: a user, or a visitor and their address. Thread-safe."""

    def __init__(
        self,
        *,
        at_once: int | None,
        per_hour: int | None,
        is_going: Callable[[str], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``is_going(turn)`` returns whether a run goes on. Nothing is limited without a number."""
        self._at_once, self._per_hour = at_once or sys.maxsize, per_hour or sys.maxsize
        self._is_going, self._clock = is_going, clock
        self._lock = threading.Lock()
        self._runs: defaultdict[str, deque[tuple[float, str]]] = defaultdict(deque)
        self._going: defaultdict[str, set[str]] = defaultdict(set)

    def start(self, keys: Sequence[str], start: Callable[[], Started]) -> Started:
        """Call ``start()`` and count the run for every key. Raises ``LimitReached`` if a key has too many runs."""
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
            are = "is" if self._at_once == 1 else "are"
            at_work = f"{plural(self._at_once, 'question')} {whose} {are} being answered"
            raise LimitReached(f"{at_work}, and no more are allowed at once; wait for an answer{end}", _AGAIN)
        runs = self._runs[key]
        while runs and runs[0][0] <= now - _HOUR:
            runs.popleft()
        if len(runs) >= self._per_hour:
            wait = runs[0][0] + _HOUR - now
            are, them, they_have = ("is", "it", "it has") if self._per_hour == 1 else ("are", "them", "they have")
            told = f"{are} allowed, and you have asked {them}"
            if _is_address(key):
                told = f"{are} allowed from this address, and {they_have} been asked"
            again = f"ask again in {max(1, round(wait / 60))} min"
            raise LimitReached(f"{plural(self._per_hour, 'question')} an hour {told}; {again}", wait)


class Budgets:
    """Budgets of the language model's tokens, for each user and day (UTC)."""

    def __init__(self, store: Database, per_day: int | None, clock: Callable[[], str] = now) -> None:
        """``per_day`` is for users without a budget of their own; ``None`` limits only those who have one."""
        self._store, self._per_day, self._clock = store, per_day, clock

    def start(self, owner: str, start: Callable[[], Started]) -> Started:
        """Call ``start()``, unless the user has spent the budget of this day, or may spend it by what is at work.

        Each run at work counts as the dearest of the user's last ones, and without any as what it may write at most.
        Runs that go on are not stopped, so a budget can be exceeded by what they cost beyond that. All processes that
        serve the database wait for each other. Raises ``LimitReached`` if it is spent, or may be, and ``StorageError``
        if the lock beside the database cannot be had.
        """
        user = self._store.row("SELECT budget FROM users WHERE name = ?", (owner,))  # visitors have none
        budget = user and (user[0] or self._per_day)
        if not budget:
            return start()
        with self._locked():  # while the run starts, so that no two requests take what is left
            self._check(owner, budget)
            return start()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = FileLock(f"{self._store.path.resolve()}.budgets.lock", timeout=_LOCKED)
        try:
            lock.acquire()
        except (OSError, Timeout) as error:
            raise StorageError(f"cannot lock {lock.lock_file!r} to count budgets ({error}); ask again") from error
        try:
            yield
        finally:
            lock.release()

    def _check(self, owner: str, budget: int) -> None:
        moment = datetime.fromisoformat(self._clock())
        spent = spending.of_user(self._store, owner, str(moment.date()))
        if spent + self._reserved(owner) < budget:
            return
        if spent < budget:
            runs.interrupt_abandoned(self._store, runs.Process())  # what was killed reserves nothing
            if spent + self._reserved(owner) < budget:
                return
            what = f"what is left of your budget of {budget:,} tokens a day"
            raise LimitReached(f"{what} may be spent by what is being answered; wait for an answer", _AGAIN)
        midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
        wait = (midnight + timedelta(days=1) - moment).total_seconds()
        hours, minutes = divmod(math.ceil(wait / 60), 60)
        left = f"{f'{hours} h ' if hours else ''}{minutes} min"
        told = f"your budget of {budget:,} tokens a day is spent"
        raise LimitReached(f"{told}; ask again after 00:00 UTC, in {left}", wait)

    def _reserved(self, owner: str) -> int:
        """Return the tokens that the user's runs at work are expected to cost."""
        going, dearest = spending.at_work(self._store, owner)
        return going * (Settings().max_tokens if dearest is None else dearest)


class Streams:
    """Counts what is open of each key, such as streams, each of which blocks a thread while it waits. Thread-safe.

    Args:
        refusal: the message if too many are open: ``{number}``, ``{whose}`` they are, and advice at its ``{end}``.
    """

    def __init__(
        self, at_once: int, refusal: str = "{number} windows {whose} show runs, and no more are allowed at once; {end}"
    ) -> None:
        self._at_once, self._refusal = at_once, refusal
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()

    @contextmanager
    def one(self, keys: Sequence[str]) -> Iterator[None]:
        """Count one more as open inside the block. Raises ``LimitReached`` if a key has too many open."""
        with self._lock:
            if full := next((key for key in keys if self._open[key] >= self._at_once), None):
                whose, end = "of yours", "close one, then reload this one"
                if _is_address(full):
                    whose, end = "from this address", "reload this one later"
                raise LimitReached(self._refusal.format(number=self._at_once, whose=whose, end=end), _AGAIN)
            self._open.update(keys)
        try:
            yield
        finally:
            with self._lock:
                self._open.subtract(keys)
                self._open = +self._open  # without those that have none


class Attempts:
    """Counts failed tries per key: after a few, each doubles the next wait. They are forgotten one by one."""

    def __init__(self, longest_wait: float, clock: Callable[[], float] = time.monotonic) -> None:
        """``longest_wait`` caps the wait between two tries, in seconds; after as long, one failed try is forgotten."""
        self._longest_wait, self._clock = longest_wait, clock
        self._failed: dict[str, tuple[int, float, float]] = {}  # tries, time of the last one and of the one before

    def begin(self, key: str) -> float:
        """Count a try as failed and return 0 if it is allowed now; else return the seconds to wait."""
        now = self._clock()
        if len(self._failed) > _MANY:
            self._failed = {one: had for one, had in self._failed.items() if had[0] > self._forgotten(had[1])}
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
        """Uncount the last try, because it succeeded or was not made."""
        tries, _, before = self._failed.pop(key, (0, 0.0, 0.0))
        if tries > 1:
            self._failed[key] = (tries - 1, before, before)

    def forget(self, key: str) -> None:
        """Forget all failed tries of this key."""
        self._failed.pop(key, None)

    def failed(self, key: str) -> int:
        """Return the number of failed tries of this key that are not forgotten."""
        tries, last, _ = self._failed.get(key, (0, 0.0, 0.0))
        return max(tries - self._forgotten(last), 0) if tries else 0

    def _forgotten(self, last: float) -> int:
        return int((self._clock() - last) / self._longest_wait)


class Guesses:
    """Limits on password guesses, per address and per name.

    A browser in which the user signed in before is counted separately, so that others' guesses cannot lock it out.
    Behind an untrusted proxy all people share one address; there, each name may be tried once in a while at any time.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._addresses = Attempts(_ADDRESS_WAIT, clock)
        self._names = Attempts(_NAME_WAIT, clock)
        self._browsers = Attempts(_NAME_WAIT, clock)
        self._known: dict[tuple[str, str], None] = {}

    def begin(self, address: str, name: str, browser: str = "", *, is_shared: bool = False) -> float:
        """Count a guess for ``name`` and return 0 if it is allowed now; else return the seconds to wait.

        ``browser`` is the secret that ``succeed`` stored; ``is_shared`` means that many people may use this address.
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
        """Record a right password. The address keeps its failed tries, which may have been for other names."""
        name = name[:_NAME].casefold()
        if (browser, name) not in self._known:
            self._addresses.take_back(address)
        self._names.forget(name)
        self._browsers.forget(f"{name} {browser}")
        self._known[browser, name] = None
        if len(self._known) > _MANY:
            del self._known[next(iter(self._known))]


def keys_of(owner: str, address: str | None) -> list[str]:
    """Return the keys that limits count: the owner, and the ``address`` (see ``network``) if given."""
    return [owner, *([_ADDRESS + address] if address is not None else [])]


def network(host: str) -> str:
    """Return the address that limits count: an IPv4 address, or the 64-bit network of an IPv6 address."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))
    return str(address)


def _is_address(key: str) -> bool:
    return key.startswith(_ADDRESS)


Result = TypeVar("Result")


class Line:
    """The line of those who wait for the same few threads.

    Args:
        at_once: the work done at a time.
        longest: the requests at work or waiting, of all together.
        each: those of one owner.
    """

    def __init__(self, at_once: int = 2, longest: int = 16, each: int = 4) -> None:
        self._threads = anyio.CapacityLimiter(at_once)
        self._longest, self._each = longest, each
        self._waiting: Counter[str] = Counter()

    async def run(self, request: Request, owner: str, work: Callable[[threading.Event], Result]) -> Result | None:
        """Return ``work(stop)``; ``None`` if the client left, at which ``stop`` is set.

        Raises ``LimitReached`` if too many are waiting. Also what ``work`` raises.
        """
        if self._waiting.total() >= self._longest or self._waiting[owner] >= self._each:
            raise LimitReached("Too many requests are waiting; try again in a few seconds.", _AGAIN)
        stop, results = threading.Event(), list[Result]()

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            stop.set()
            group.cancel_scope.cancel()

        self._waiting[owner] += 1
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(watch)
                results.append(await anyio.to_thread.run_sync(work, stop, limiter=self._threads))
                group.cancel_scope.cancel()
        except ExceptionGroup as errors:  # the group wraps what ``work`` raises
            raise errors.exceptions[0] from None
        finally:
            stop.set()
            self._waiting[owner] -= 1
            self._waiting = +self._waiting
        return results[0] if results else None


def allowed(at_once: int | None, per_hour: int | None, is_shared: bool) -> dict[str, int | None]:
    """Return the limits of ``Access`` for a server that others may ask, or that the person at this machine asks."""
    if not is_shared:
        return {"at_once": at_once, "per_hour": per_hour}
    return {"at_once": at_once or _AT_ONCE, "per_hour": per_hour or _PER_HOUR}
