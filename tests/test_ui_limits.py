"""How much may be asked, and how fast passwords may be guessed: with a clock of the tests' own."""

import threading
from dataclasses import dataclass

import pytest

from ui.limits import Attempts, LimitReached, Limits, network


@dataclass
class Run:
    turn: str
    conversation: str = "c"


class World:
    """A clock, and runs that go on until they are ended."""

    def __init__(self, at_once: int = 2, per_hour: int = 3) -> None:
        self.now, self.going, self.count = 0.0, set(), 0
        self.limits = Limits(at_once=at_once, per_hour=per_hour, is_going=self.going.__contains__, clock=lambda: self.now)

    def ask(self, *keys: str) -> str:
        return self.limits.start(keys, self._start).turn

    def _start(self) -> Run:
        self.count += 1
        self.going.add(str(self.count))
        return Run(str(self.count))


def test_so_many_at_once():
    world = World()
    first, _ = world.ask("ann"), world.ask("ann")
    with pytest.raises(LimitReached, match="^2 questions of yours are being answered, and no more are allowed at once; "
                                           "wait for an answer, or stop one$"):
        world.ask("ann")
    world.ask("bob")
    world.going.remove(first)
    world.ask("ann")
    assert world.count == 4


def test_so_many_an_hour():
    world = World()
    for minute in (0, 10, 20):
        world.now = minute * 60.0
        world.going.clear()
        world.ask("ann")
    world.going.clear()
    with pytest.raises(LimitReached, match="^3 questions an hour are allowed, and you have asked them; ask again in 40 min$") as told:
        world.ask("ann")
    assert told.value.wait == 2400
    world.now = 3600.0
    world.ask("ann")


def test_an_address_counts_for_all_its_visitors():
    world = World()
    world.ask("visitor:1", "from 192.0.2.1")
    world.ask("visitor:2", "from 192.0.2.1")
    with pytest.raises(LimitReached):
        world.ask("visitor:3", "from 192.0.2.1")
    world.ask("visitor:3", "from 192.0.2.2")


def test_a_refused_or_failed_question_counts_for_nobody():
    world = World(at_once=1)

    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        world.limits.start(["ann"], fail)
    world.ask("bob")
    with pytest.raises(LimitReached):
        world.ask("ann", "bob")
    world.ask("ann")


def test_no_two_get_the_last_place():
    world, refused = World(at_once=2, per_hour=100), []

    def ask():
        try:
            world.ask("ann")
        except LimitReached:
            refused.append(1)

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (world.count, len(refused)) == (2, 18)


def test_many_addresses_are_forgotten_after_an_hour(monkeypatch):
    monkeypatch.setattr("ui.limits._MANY", 5)
    world = World(per_hour=1)
    for number in range(10):
        world.ask(f"visitor:{number}")
        world.going.clear()
        world.now += 1000
    assert len(world.limits._runs) < 8
    with pytest.raises(LimitReached):
        world.ask("visitor:9")


def test_each_failed_try_makes_the_next_wait_longer():
    now = 0.0
    attempts = Attempts(clock=lambda: now)
    waits = []
    for _ in range(14):
        now += (wait := attempts.begin("192.0.2.1"))
        waits.append(wait)
        if wait:
            assert attempts.begin("192.0.2.1") == 0
    assert waits == [0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    assert attempts.begin("192.0.2.2") == 0
    now += 3601
    assert [attempts.begin("192.0.2.1") for _ in range(3)] == [0, 0, 0]


def test_a_right_password_ends_the_waiting():
    attempts = Attempts(clock=lambda: 0.0)
    for _ in range(3):
        attempts.begin("a")
    assert attempts.begin("a") == 1
    attempts.succeed("a")
    assert attempts.begin("a") == 0


@pytest.mark.parametrize(("host", "found"), [
    ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
    ("::ffff:192.0.2.7", "192.0.2.7"), ("fe80::1%eth0", "fe80::"), ("", ""), ("testclient", "testclient"),
])
def test_what_counts_as_one_address(host, found):
    assert network(host) == found
