"""Budgets of model tokens: spent by day, also when what cost them is erased, and told in one line everywhere."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import MagicMock

import openai
import pytest

from assistant import Assistant
from searchain.errors import NotFound, StorageError
from searchain.events import Event, RunFinished, TracingStarted
from searchain.settings import Settings
from searchain.types import Status, Usage
from storage.database import Database
from storage.log import event_log, runs, spending
from storage.log.runs import Process, Started
from storage.people import tokens, users
from storage.people.users import Role
from tests.support import shell
from tests.support.api_site import Site, told, user
from tests.support.browser import free_port
from tests.support.fakes import RIGHT_CHAIN, toy_searchain
from tests.support.stories import ending, nintendo
from tests.support.story_runs import StoryPlayer, store_run
from tests.support.waiting import until
from tests.ui.server.test_operating import metrics
from ui.server.access import Access, Person
from ui.server.limits import Budgets, LimitReached
from ui.server.operating import Operating

SPENT = "^your budget of 1,000 tokens a day is spent; ask again after 00:00 UTC, in "


def costly(question: str = "Where is Nintendo?", cost: int = 600) -> list[Event]:
    usage = Usage(prompt_tokens=cost - 100, completion_tokens=100)
    return [replace(event, usage=usage) if isinstance(event, RunFinished) else event for event in nintendo(question)]


@pytest.fixture(autouse=True)
def _people(store: Database) -> None:
    for name in ("Ann", "bob"):
        users.add(store, users.new(name, "chat", "correct horse"))


def test_a_budget_is_spent_by_day_and_frees_up_at_midnight(store: Database, monkeypatch: pytest.MonkeyPatch):
    time = "2026-11-29T18:47:30.000+00:00"
    budgets = Budgets(store, 1_000, lambda: time)
    monkeypatch.setattr("storage.log.event_log.now", lambda: time)
    for _ in range(2):
        budgets.start("Ann", dict)
        store_run(store, costly(), owner="Ann")
    with pytest.raises(LimitReached, match=SPENT + "5 h 13 min$") as reached:
        budgets.start("Ann", dict)
    assert reached.value.wait == 5 * 3600 + 12 * 60 + 30
    for other in ("bob", "visitor:x", "local"):
        budgets.start(other, dict)
    time = "2026-11-29T23:59:59.500+00:00"
    with pytest.raises(LimitReached, match=SPENT + "1 min$"):
        budgets.start("Ann", dict)
    time = "2026-11-30T00:00:00.000+00:00"
    budgets.start("Ann", dict)
    store_run(store, costly(), owner="Ann")
    assert [spending.of_day(store, f"2026-11-{day}") for day in (29, 30)] == [{"Ann": 1_200}, {"Ann": 600}]


def test_a_budget_of_ones_own_goes_before_that_of_everybody(store: Database):
    store_run(store, costly(), owner="Ann")
    everybody, nobody = Budgets(store, 500), Budgets(store, None)
    nobody.start("Ann", dict)
    with pytest.raises(LimitReached):
        everybody.start("Ann", dict)
    users.allow(store, "ANN", 601)
    everybody.start("Ann", dict)
    users.allow(store, "ann", 600)
    with pytest.raises(LimitReached):
        nobody.start("Ann", dict)
    assert users.change(store, "Ann", role=Role.ADMIN).budget == 600
    assert users.allow(store, "Ann", None).budget is None
    with pytest.raises(NotFound):
        users.allow(store, "carl", 1)


def test_what_is_at_work_is_reserved_and_what_was_killed_is_not(store: Database):
    store_run(store, costly(cost=250), owner="Ann")
    store_run(store, costly(cost=350), owner="Ann")  # the dearest
    process, budgets = Process(), Budgets(store, 1_250)
    going = [runs.start(store, process, "?", "Ann").turn for _ in range(2)]
    left = "^what is left of your budget of 1,250 tokens a day may be spent"
    with pytest.raises(LimitReached, match=left) as reached:
        budgets.start("Ann", dict)
    assert reached.value.wait == 5
    for _ in range(2):
        runs.start(store, process, "?", "visitor:x")
    for other in ("bob", "visitor:x"):
        budgets.start(other, dict)
    event_log.append(store, going[0], process.id, 0, runs.ended(Status.STOPPED, usage=Usage(prompt_tokens=10)))
    budgets.start("Ann", dict)
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    for _ in range(2):
        runs.start(store, Process(pid=killed.pid), "?", "Ann")
    budgets.start("Ann", dict)


def test_of_two_questions_at_once_one_gets_what_is_left(store: Database):
    """Nobody knows what a first question costs: it reserves what it may write at most."""
    budgets, together = Budgets(store, 8_000), threading.Barrier(2)

    def start() -> Started:
        time.sleep(0.1)
        return runs.start(store, Process(), "?", "Ann")

    def asking() -> None:
        together.wait()
        budgets.start("Ann", start)

    with ThreadPoolExecutor(2) as threads:
        asked = [threads.submit(asking) for _ in range(2)]
    assert {type(one.exception()) for one in asked} == {LimitReached, type(None)}


ASKING = """
import sys, time
from storage.database import Database
from storage.log import runs
from ui.server.limits import Budgets, LimitReached

store = Database(sys.argv[1])

def start():
    time.sleep(0.5)
    return runs.start(store, runs.Process(), "?", "Ann")

print("ready", flush=True)
sys.stdin.readline()
try:
    Budgets(store, 8_000).start("Ann", start)
except LimitReached:
    print("refused", flush=True)
else:
    print("started", flush=True)
sys.stdin.readline()
"""


def test_of_two_questions_to_two_processes_one_gets_what_is_left(store: Database):
    command = [sys.executable, "-c", ASKING, str(store.path)]
    with ExitStack() as stack:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        both = [stack.enter_context(subprocess.Popen(command, **pipes)) for _ in range(2)]
        for one in both:
            assert one.stdout.readline() == "ready\n"
        for one in both:
            one.stdin.write("\n")
        assert {one.stdout.readline() for one in both} == {"started\n", "refused\n"}


def test_a_lock_that_cannot_be_had_is_named(store: Database):
    Path(f"{store.path}.budgets.lock").mkdir()
    with pytest.raises(StorageError, match=r"^cannot lock .*budgets\.lock.* to count budgets"):
        Budgets(store, 1_000).start("Ann", dict)


@pytest.mark.parametrize("fault", [StorageError("no space left"), ValueError("unforeseen")])
def test_a_run_that_fails_where_nobody_expects_it_is_booked(store: Database, monkeypatch: pytest.MonkeyPatch, fault):
    append, faults = event_log.append, [fault]

    def failing(store: Database, turn: str, process: str, seq: int, event: Event) -> event_log.StoredEvent:
        if isinstance(event, TracingStarted) and faults:
            raise faults.pop()
        return append(store, turn, process, seq, event)

    monkeypatch.setattr(event_log, "append", failing)
    assistant = Assistant(store, lambda settings, index: toy_searchain(*RIGHT_CHAIN), Settings())
    list(assistant.follow(assistant.start("Where is Nintendo?", owner="Ann").turn, owner="Ann"))
    until(lambda: store.rows("SELECT 1 FROM spending"))
    assert store.rows("SELECT user, tokens > 0 FROM spending") == [("Ann", 1)]


def test_a_month_is_kept_visitors_are_not_counted_and_a_stopped_run_is(
    store: Database, monkeypatch: pytest.MonkeyPatch
):
    for day in ("2026-10-28", "2026-10-29", "2026-11-29"):
        monkeypatch.setattr("storage.log.event_log.now", lambda day=day: f"{day}T12:00:00.000+00:00")
        for owner in ("Ann", "visitor:x", "local"):
            store_run(store, costly(), owner=owner)
    assert store.rows("SELECT * FROM spending") == [("Ann", "2026-10-29", 600), ("Ann", "2026-11-29", 600)]
    with store.writing() as db:
        users.forget(db, "Ann")
    assert store.rows("SELECT * FROM spending") == []
    stopped = ending(Status.STOPPED, usage=Usage(prompt_tokens=5, completion_tokens=2))
    store_run(store, [*nintendo()[:-1], stopped], owner="bob")
    assert store.rows("SELECT user, tokens FROM spending") == [("bob", 7)]


@pytest.mark.parametrize(
    ("command", "serve"), [(["chat"], "ui.cli.chat._serve"), (["mcp", "--http"], "ui.api.mcp_tools.serve")]
)
def test_little_is_at_work_beyond_a_budget_also_where_this_machine_alone_is_served(
    store: Database, monkeypatch: pytest.MonkeyPatch, command: list[str], serve: str
):
    def ask(*given: object) -> None:
        (access,) = (one for one in given if isinstance(one, Access))
        start = partial(access.start, Person("Ann", Role.CHAT), None)
        for _ in range(2):
            start(lambda: runs.start(store, Process(), "?", "Ann"))
        with pytest.raises(LimitReached, match="^2 questions of yours are being answered"):
            start(lambda: runs.start(store, Process(), "?", "Ann"))

    monkeypatch.setattr(serve, ask)
    monkeypatch.setattr("assistant.open_assistant", MagicMock())
    options = ["--tokens-per-day", "100000", "--port", str(free_port())]
    assert shell.told(*command, *options, db=store.path)[0] == 0
    monkeypatch.setattr("ui.cli.chat._serve", lambda *given: None)
    _, _, said = shell.told("chat", "--public", "--tokens-per-day", "1000", db=store.path)
    assert said == "visitors have no budget: who signs out asks on without one, within --runs-per-hour\n"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    player = StoryPlayer(costly)
    for site in told(tmp_path, player, others=lambda made: [Operating(made.store)], library=True, tokens_per_day=1_000):
        for name, role in (("bob", "chat"), ("root", "admin")):
            users.add(site.store, users.new(name, role, "correct horse"))
        yield site


def test_who_spent_the_budget_is_told_so_everywhere_also_after_erasing(site: Site):
    client, asked = site.client(), user("Where is Nintendo?")
    create = client.chat.completions.create
    for _ in range(2):
        create(model="searchain", messages=asked)
    for conversation in site.assistant.overview(owner="ann"):
        site.assistant.deletions.seconds = 0.0
        site.assistant.delete(conversation.id, owner="ann")
    site.assistant.deletions.older(0)
    assert (site.turns(), site.store.row("SELECT count(*) FROM turns")) == ([], (0,))
    with pytest.raises(openai.RateLimitError, match="your budget of 1,000 tokens a day is spent") as refused:
        create(model="searchain", messages=asked)
    assert 0 < int(refused.value.response.headers["retry-after"]) <= 24 * 3600 + 1
    kept = store_run(site.store, nintendo(), owner="ann").turn
    status, headers, text = site.request(f"/turns/{kept}/again", "POST", {}, **site.session("ann"))
    assert (status, "your budget of 1,000 tokens a day is spent" in text) == (503, True)
    assert "retry-after" in headers
    site.client(tokens.issue(site.store, "bob")).chat.completions.create(model="searchain", messages=asked)
    today = {name: value for name, value in metrics(site).items() if name.startswith("searchain_tokens_today")}
    assert today == {"searchain_tokens_today ann": 1_200, "searchain_tokens_today bob": 600}


def test_the_operator_sets_and_sees_budgets(tmp_path: Path, store: Database):
    store_run(store, costly(), owner="Ann")
    run = partial(shell.told, "user", db=store.path)
    assert run("budget", "ann", "50000") == (0, "", "Ann may spend 50,000 tokens a day\n")
    listed = [line.split("\t")[-1] for line in run("list")[1].splitlines()]
    assert listed == ["600 of 50,000 model tokens today", "0 model tokens today"]
    assert run("budget", "ann", "default") == (0, "", "Ann may spend as many tokens as everybody a day\n")
    assert "600 model tokens today" in run("list")[1]
    assert [run("budget", "ann", wrong)[0] for wrong in ("0", "-1", "many", "", "9" * 30)] == [2] * 5
    assert run("budget", "carl", "5")[0] == 2
