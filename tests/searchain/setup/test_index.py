"""The index is built behind the page: who builds, how far it is, and what a run searches meanwhile."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from searchain.retrieval import indexes, registry, updates
from searchain.retrieval.corpus import DEFAULT
from searchain.retrieval.live import LiveIndex, searching
from searchain.setup import index
from searchain.setup.index import Behind, Meter, State, reached
from searchain.types import Passage
from tests.support.retrieval_home import CITIES

ROOT = Path(__file__).parents[3]
CAPITAL = "What is the capital of Canada?"
TOY = tuple(Passage(*city) for city in CITIES)
BUILD = (
    "import sys; from searchain.retrieval import updates; from searchain.setup import index; "
    "from tests.searchain.setup.test_index import TOY; updates.default_corpus = lambda: TOY; sys.exit(index.main())"
)


def program(code: str) -> Behind:
    return Behind((sys.executable, "-c", code))


@pytest.fixture
def toy(index_home, monkeypatch) -> Path:
    """A home without an index, in which the embedded corpus has five passages."""
    monkeypatch.setattr(updates, "default_corpus", lambda: TOY)
    return index_home / "indexes"


def test_the_encyclopedia_is_searched_by_words_until_it_is_encoded(toy):
    live = LiveIndex(DEFAULT)
    early = searching([live])
    assert (early.by_words, early.generations) == ({DEFAULT}, {})
    hits = early.search(CAPITAL, 2)
    assert hits[0].passage == TOY[0]
    steps = []
    built = indexes.build_default_index(lambda *step: steps.append(step))
    assert (built.waiting, len(built.parts), built.generation) == ((), 1, 0)
    assert [path.name for path in (toy / "parts").iterdir() if path.is_dir()] == list(built.parts)
    late = searching([live])
    assert late.by_words == frozenset()
    assert late.search(CAPITAL, 1)[0].score == pytest.approx(hits[0].score, abs=0.05)  # the scores mean the same
    assert (early.by_words, early.search(CAPITAL, 2)) == ({DEFAULT}, hits)  # a run keeps what was there at its start
    del steps[:]
    assert (indexes.build_default_index(lambda *step: steps.append(step)), steps) == (built, [])


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_text("{torn"),
        lambda file: file.write_text(file.read_text().replace(json.loads(file.read_text())["fingerprint"], "older")),
        lambda file: [part.rename(file.parent / "gone") for part in (file.parent / "parts").glob("[!.]*")],
    ],
    ids=["a torn file", "an older checkpoint", "a missing part"],
)
def test_an_index_that_cannot_be_searched_is_searched_by_words_and_built_anew(toy, damage):
    indexes.build_default_index()
    damage(toy / "default.json")
    assert searching([LiveIndex(DEFAULT)]).by_words == {DEFAULT}
    assert indexes.build_default_index().waiting == ()


def test_one_process_builds_at_a_time_and_the_page_follows_it(toy):
    updates.announce_default()
    opened = threading.Event()
    behind = program(BUILD)
    with registry.edit_lock(DEFAULT):  # as ``make setup`` in another shell
        behind.start(opened.set)
        assert (behind.state(), reached()) == (State.BUILDING, None)
        Meter(toy / ".default.progress")(index.ENCODING, 0, 5)
        assert reached() is not None
    assert opened.wait(120), behind.reason
    assert (behind.state(), behind.reason, reached()) == (State.READY, "", None)
    behind.start(lambda: pytest.fail("it is built already"))


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; sys.exit('a line\\nerror: no room; make room')", "no room; make room"),
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
            "building the index ended with signal 9; to go on, run: make setup",
        ),
    ],
    ids=["refused", "killed"],
)
def test_a_build_that_failed_says_the_next_step(toy, code, reason):
    updates.announce_default()
    behind = program(code)
    behind.start(lambda: pytest.fail("nothing was built"))
    deadline = time.monotonic() + 60
    while behind.state() is State.BUILDING and time.monotonic() < deadline:
        time.sleep(0.02)
    assert (behind.state(), behind.reason) == (State.FAILED, reason)
    indexes.build_default_index()  # as ``make setup`` does
    assert behind.state() is State.READY


def test_a_build_ends_with_the_page_that_started_it(toy):
    updates.announce_default()
    waits = "import time; from searchain.setup import index; index.run = lambda *_: time.sleep(600); index.main()"
    page = (
        "import sys, time; from searchain.setup.index import Behind; "
        f"behind = Behind((sys.executable, '-c', {waits!r})); behind.start(print); "
        "print(behind._process.pid, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", page], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        builder = Path("/proc") / process.stdout.readline().strip()
        assert builder.is_dir()
        process.kill()
    deadline = time.monotonic() + 60
    while builder.is_dir() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not builder.is_dir()
