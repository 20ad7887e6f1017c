"""How much may be asked, and how fast passwords may be guessed: with a clock of the tests' own."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from ui.server.limits import Attempts, Guesses, LimitReached, Limits, Streams, keys_of, network


@dataclass
class Run:
    turn: str
    conversation: str = "c"


class World:
    """A clock, and runs that go on until they are ended."""

    def __init__(self, at_once: int = 2, per_hour: int = 3) -> None:
        self.now, self.going, self.count = 0.0, set(), 0
        self.limits = Limits(
            at_once=at_once, per_hour=per_hour, is_going=self.going.__contains__, clock=lambda: self.now
        )

    def ask(self, *keys: str) -> str:
        return self.limits.start(keys, self._start).turn

    def _start(self) -> Run:
        self.count += 1
        self.going.add(str(self.count))
        return Run(str(self.count))


NO_MORE = "and no more are allowed at once;"


def refused(said: str):
    """What is refused with these words."""
    return pytest.raises(LimitReached, match=f"^{said}$")


def test_so_many_at_once_and_no_two_get_the_last_place():
    world = World()
    first, _ = world.ask("ann"), world.ask("ann")
    with refused(f"2 questions of yours are being answered, {NO_MORE} wait for an answer, or stop one"):
        world.ask("ann")
    world.ask("bob")
    world.going.remove(first)
    world.ask("ann")
    assert world.count == 4
    world = World(at_once=2, per_hour=100)
    with ThreadPoolExecutor(20) as threads:
        asked = [threads.submit(world.ask, "ann") for _ in range(20)]
    assert (world.count, sum(isinstance(one.exception(), LimitReached) for one in asked)) == (2, 18)


def test_so_many_an_hour_but_for_refused_or_failed_questions():
    world = World()
    for minute in (0, 10, 20):
        world.now = minute * 60.0
        world.going.clear()
        world.ask("ann")
    world.going.clear()
    with refused("3 questions an hour are allowed, and you have asked them; ask again in 40 min") as told:
        world.ask("ann")
    assert told.value.wait == 2400
    world.now = 3600.0
    world.ask("ann")
    world = World(at_once=1)

    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        world.limits.start(["ann"], fail)
    world.ask("bob")
    with pytest.raises(LimitReached):
        world.ask("ann", "bob")
    world.ask("ann")


def test_an_address_counts_for_all_its_visitors():
    world = World()
    one, *others = (keys_of(f"visitor:{number}", "192.0.2.1") for number in (1, 2, 3))
    world.ask(*one)
    world.ask(*others[0])
    with refused(f"2 questions from this address are being answered, {NO_MORE} wait for an answer"):
        world.ask(*others[1])
    world.ask(*keys_of("visitor:3", "192.0.2.2"))
    world.going.clear()
    world.ask(*one)
    world.going.clear()
    with refused("3 questions an hour are allowed from this address, and they have been asked; ask again in 60 min"):
        world.ask(*others[1])


def test_so_many_windows_of_one_visitor_and_of_an_address():
    streams, mine = Streams(2), keys_of("visitor:1", "192.0.2.1")
    with streams.one(mine), streams.one(mine):
        with refused(f"2 windows of yours show runs, {NO_MORE} close one, then reload this one"), streams.one(mine):
            pass
        others = streams.one(keys_of("visitor:2", "192.0.2.1"))
        with refused(f"2 windows from this address show runs, {NO_MORE} reload this one later"), others:
            pass
        with streams.one(keys_of("visitor:2", "192.0.2.2")), streams.one(keys_of("ann", None)):
            pass


class Guesser:
    """Somebody who guesses, and a clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.attempts = Attempts(300.0, clock=lambda: self.now)
        self.guesses = Guesses(clock=lambda: self.now)

    def tries(self, seconds: float, *, name: str = "admin", own: bool = False) -> int:
        """How many guesses at ``name`` are let through; from an address each, or after each with an ``own`` success."""
        end, made = self.now + seconds, 0
        while self.now < end:
            address = "192.0.2.1" if own else f"address {self.now}"
            wait = self.guesses.begin(address, name)
            made += not wait
            self.now += 0.5
            if own and not self.guesses.begin(address, "mallory", "mallory's"):
                self.guesses.succeed(address, "mallory", "mallory's")
            self.now += 0.5
        return made


def test_each_failed_try_makes_the_next_wait_longer_and_one_that_is_taken_back_leaves_what_was_before():
    guesser, waits = Guesser(), []
    attempts = guesser.attempts
    for _ in range(14):
        guesser.now += (wait := attempts.begin("192.0.2.1"))
        waits.append(wait)
        if wait:
            assert attempts.begin("192.0.2.1") == 0
    assert waits == [0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    assert attempts.begin("192.0.2.2") == 0
    guesser.now += 3900
    assert [attempts.begin("192.0.2.1") for _ in range(4)] == [0, 0, 0, 1]
    for _ in range(3):
        attempts.begin("a")
    guesser.now += 600  # they are forgotten one by one
    assert [attempts.begin("a") for _ in range(3)] == [0, 0, 1]
    guesser = Guesser()
    for _ in range(4):
        guesser.attempts.begin("a")
        guesser.now += 1
    for _ in range(20):
        guesser.now += 1
        assert guesser.attempts.begin("a") == 0
        guesser.attempts.take_back("a")
    assert guesser.attempts.begin("a") == 0
    assert guesser.attempts.begin("a") == 4
    for _ in range(3):
        guesser.attempts.take_back("nobody")


def test_guesses_between_own_sign_ins_and_from_many_addresses_are_slowed_for_each_name():
    assert Guesser().tries(3600, own=True) < 30
    assert Guesser().tries(3600) < 140
    guesser = Guesser()
    assert sum(guesser.tries(600, name=name) for name in ("admin", "Admin", "ADMIN")) < 80


def test_those_who_signed_in_before_are_not_kept_out_by_the_guesses_of_others():
    guesser = Guesser()
    assert guesser.guesses.begin("home", "ann") == 0
    guesser.guesses.succeed("home", "ann", "ann's")
    guesser.tries(600, name="ann")
    for address in ("home", "192.0.2.1"):
        assert guesser.guesses.begin(address, "ann", "ann's") == 0
    assert 0 < guesser.guesses.begin("elsewhere", "ann", "mallory's") <= 30
    assert [guesser.guesses.begin("elsewhere", "bob", "ann's") for _ in range(3)] == [0, 0, 0]
    assert [guesser.guesses.begin("192.0.2.9", "ann", "ann's") for _ in range(2)] == [0, 1]  # whoever stole the cookie


def test_where_all_have_one_address_nobody_is_kept_out_and_a_right_password_ends_the_waiting_of_its_name():
    guesser = Guesser()
    for number in range(600):
        guesser.guesses.begin("proxy", f"name {number}", is_shared=True)
        guesser.guesses.begin("proxy", "admin", is_shared=True)
        guesser.now += 0.1
    assert guesser.guesses.begin("proxy", "ann") > 0
    assert guesser.guesses.begin("proxy", "ann", is_shared=True) == 0
    assert guesser.guesses.begin("proxy", "ann", is_shared=True) > 0
    let_through = sum(not guesser.guesses.begin("proxy", "admin", is_shared=True) for guesser.now in range(100, 3_700))
    assert let_through < 140
    guesser = Guesser()
    for number in range(3):
        guesser.guesses.begin(f"address {number}", "ann")
    assert guesser.guesses.begin("home", "ann") == 1
    guesser.now += 1
    assert guesser.guesses.begin("home", "ann") == 0
    guesser.guesses.succeed("home", "ann", "ann's")
    assert guesser.guesses.begin("elsewhere", "ann") == 0
    assert [guesser.guesses.begin("home", name) for name in ("a", "b", "c", "d")] == [0, 0, 0, 1]
    guesser.now += 1
    assert guesser.guesses.begin("home", "ann") == 0
    guesser.guesses.succeed("home", "ann", "another of ann's")
    assert guesser.guesses.begin("home", "e") == 0
    assert guesser.guesses.begin("home", "ann") == 2


def test_names_and_addresses_are_forgotten(monkeypatch):
    monkeypatch.setattr("ui.server.limits._MANY", 5)
    guesser = Guesser()
    for number in range(50):
        guesser.guesses.begin(f"address {number}", "x" * 10_000 + str(number))
        guesser.guesses.succeed(f"address {number}", f"user {number}", f"browser {number}")
        guesser.attempts.begin(str(number))
        guesser.now += 100
    assert len(guesser.guesses._known) == 5
    assert len(guesser.attempts._failed) < 8
    assert {len(name) for name in guesser.guesses._names._failed} == {100}


def test_what_counts_as_one_address():
    found = {host: host for host in ("192.0.2.7", "", "testclient")} | {"::ffff:192.0.2.7": "192.0.2.7"}
    found |= dict.fromkeys(("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:ffff::"), "2001:db8:1:2::")
    found["fe80::1%eth0"] = "fe80::"
    assert {host: network(host) for host in found} == found
