"""The Assistant: runs belong to it, not to whoever started or follows them."""

import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest

from assistant import Assistant
from searchain.errors import IndexNotFound, NotFound, StorageError, UsageError
from searchain.events import RunFinished, Waiting, fold
from searchain.settings import Settings
from searchain.types import Exchange, Outcome, Status
from storage.database import Database
from storage.log.conversations import MAX_QUESTION
from tests.support.stories import QUESTION, nintendo
from tests.support.story_runs import StoryPlayer
from tests.support.waiting import until


@pytest.fixture
def open_(tmp_path):
    """Assistants over one file."""
    opened = []

    def make(player=None, **options):
        assistant = Assistant(Database(tmp_path / "chat.db"), player or StoryPlayer(), Settings(), **options)
        opened.append(assistant)
        return assistant

    yield make
    for assistant in opened:
        assistant.close()


def follow(assistant, turn, **how):
    return [stored.event for stored in assistant.follow(turn, **how)]


def test_a_question_is_answered_stored_and_told(open_):
    assistant = open_()
    started = assistant.start(f"  {QUESTION}\r\n")
    assert follow(assistant, started.turn) == list(nintendo())
    assert follow(open_(), started.turn) == list(nintendo())  # another one reads the same from the file
    assert assistant.turn(started.turn) == fold(nintendo())
    assert assistant.turns(started.conversation) == [(started.turn, fold(nintendo()))]
    assert [c.title for c in assistant.overview()] == [QUESTION]


def test_followers_come_late_leave_early_and_see_the_same(open_):
    player = StoryPlayer(pause=0.005, hold=12)
    assistant = open_(player)
    turn = assistant.start(QUESTION).turn
    leaving = assistant.follow(turn)
    next(leaving)
    leaving.close()
    seen = [None] * 3

    def look(place, after):
        seen[place] = [stored.seq for stored in assistant.follow(turn, after=after)]

    threads = [threading.Thread(target=look, args=(place, after)) for place, after in enumerate((-1, 5, 10**6))]
    for thread in threads:
        thread.start()
    player.go_on.set()
    for thread in threads:
        thread.join(10)
    count = len(nintendo())
    assert seen == [list(range(count)), list(range(6, count)), []]
    assert [stored.seq for stored in assistant.follow(turn, after=count - 2)] == [count - 1]
    assert list(assistant.follow(turn, after=count - 1)) == list(open_().follow(turn, after=count - 1)) == []


def test_a_follow_up_gets_the_history(open_):
    player = StoryPlayer()
    assistant = open_(player)
    first = assistant.start(QUESTION)
    follow(assistant, first.turn)
    second = assistant.start("And where is that?", conversation=first.conversation)
    follow(assistant, second.turn)
    told = Exchange(QUESTION, fold(nintendo()).answer, "Honshu", Outcome.SUPPORTED)
    assert player.histories == [(), (told,)]
    assert [id for id, _ in assistant.turns(first.conversation)] == [first.turn, second.turn]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("", "is empty"),
        (" \n\t ", "is empty"),
        ("?" * 100_000, "has 100,000 characters"),
        ("what\x00is this", "control characters"),
        ("\x1b[2Jhello", "control characters"),
        (b"\xff\xfe\x00".decode(errors="surrogateescape"), "control characters"),
    ],
)
def test_an_unusable_question_is_refused_before_anything_is_stored(open_, question, words):
    assistant = open_()
    with pytest.raises(UsageError, match=words) as caught:
        assistant.start(question)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
    assert assistant.overview() == []


def test_another_owner_sees_nothing(open_):
    assistant = open_(StoryPlayer(hold=3))
    started = assistant.start(QUESTION, owner="ann")
    for look in (
        lambda: assistant.follow(started.turn, owner="bob"),
        lambda: assistant.stop(started.turn, owner="bob"),
        lambda: assistant.turn(started.turn, owner="bob"),
        lambda: assistant.turns(started.conversation, owner="bob"),
        lambda: assistant.history(started.conversation, owner="bob"),
        lambda: assistant.start("x", conversation=started.conversation, owner="bob"),
        lambda: assistant.start("x", conversation="nothing", owner="ann"),
        lambda: assistant.follow("nothing"),
    ):
        with pytest.raises(NotFound):
            look()
    assert assistant.overview(owner="bob") == []
    assert [c.id for c in assistant.overview(owner="ann")] == [started.conversation]


def test_stop_keeps_what_was_found_and_frees_the_conversation(open_):
    assistant = open_(StoryPlayer(hold=12))
    started = assistant.start(QUESTION)
    stream = assistant.follow(started.turn)
    told = [next(stream).event for _ in range(12)]
    assert assistant.turn(started.turn) == fold(told)
    assistant.stop(started.turn)
    (last,) = [stored.event for stored in stream]
    assert last.status is Status.STOPPED
    assert assistant.turn(started.turn) == fold([*told, last])
    assert assistant.start("again", conversation=started.conversation)


@pytest.fixture
def elsewhere(tmp_path):
    """A process that plays a run slowly, with the ids of its conversation and turn."""
    command = [sys.executable, "-m", "tests.support.story_runs", tmp_path / "chat.db", "0.05"]
    player = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return player, *player.stdout.readline().split()


def test_a_run_of_another_process_can_be_followed_and_stopped(open_, elsewhere):
    player, conversation, turn = elsewhere
    assistant = open_()
    with pytest.raises(UsageError, match="still being answered"):
        assistant.start("me too", conversation=conversation)
    stream = assistant.follow(turn)
    told = [next(stream).event for _ in range(6)]
    assistant.stop(turn)
    told += [stored.event for stored in stream]
    assert told[-1].status is Status.STOPPED
    assert told[:-1] == list(nintendo("Where is Nintendo?"))[: len(told) - 1]
    assert len(told) < len(nintendo())
    assert player.wait(10) == 0


def test_followers_in_other_processes_hear_that_a_process_died(open_, elsewhere):
    player, _, turn = elsewhere
    stream = open_().follow(turn)
    next(stream)
    player.kill()
    player.wait()
    *_, last = stream
    assert last.event.status is Status.INTERRUPTED


def no_index(settings, index):
    raise IndexNotFound(f"no index {index!r}; build it with: …")


def broken(settings, index):
    raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (no_index, "no index 'default'; build it with: …"),
        (broken, "unexpected ZeroDivisionError: division by zero; ask again"),
        (StoryPlayer(story=lambda question: nintendo()[:-1]), "the run ended without saying how; ask again"),
    ],
)
def test_a_run_that_fails_says_why_and_ends(open_, make, message):
    assistant = open_(make)
    started = assistant.start(QUESTION)
    *_, last = follow(assistant, started.turn)
    assert (last.status, last.message) == (Status.FAILED, message)
    assert open_().turn(started.turn).message == message


def limit_pages(store, more):
    with store.writing() as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages + more}")


def test_when_nothing_can_be_stored_nothing_more_is_shown_but_that(open_, tmp_path):
    player = StoryPlayer(hold=12)
    assistant = open_(player)
    with closing(sqlite3.connect(tmp_path / "chat.db")) as db:
        db.execute("VACUUM")  # migrations leave free pages
    started = assistant.start(QUESTION)
    stream = assistant.follow(started.turn)
    told = [next(stream).event for _ in range(12)]
    limit_pages(assistant._store, 0)
    player.go_on.set()
    rest = [stored.event for stored in stream]
    last = rest.pop()
    assert (last.status, "no space left" in last.message) == (Status.FAILED, True)
    assert assistant.turn(started.turn) == fold([*told, *rest, last])
    assert follow(assistant, started.turn) == [*told, *rest, last]
    with pytest.raises(StorageError, match="no space left"):
        assistant.start("x" * MAX_QUESTION)
    limit_pages(assistant._store, 1_000)  # space is back: the end is stored, and the conversation goes on
    other = open_()
    until(lambda: other.turn(started.turn).status, 10)
    assert other.turn(started.turn) == fold([*told, *rest, last])
    assert assistant.start("again", conversation=started.conversation)


def test_fifty_chats_at_once(open_):
    assistant = open_(StoryPlayer(pause=0.01))
    turns = [assistant.start(f"{QUESTION} {number}").turn for number in range(50)]
    ends = []
    threads = [threading.Thread(target=lambda turn=turn: ends.append(follow(assistant, turn)[-1])) for turn in turns]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [(type(end), end.status) for end in ends] == [(RunFinished, Status.ANSWERED)] * 50
    told = [[event for event in follow(assistant, turn) if not isinstance(event, Waiting)] for turn in turns]
    assert {len(events) for events in told} == {len(nintendo())}


def test_runs_wait_for_their_turn_and_say_how_many_are_before_them(open_):
    player = StoryPlayer(hold=2)
    assistant = open_(player, parallel=1)
    started = [assistant.start(QUESTION, owner=owner) for owner in ("ann", "ann", "ann", "bob")]
    last = assistant.follow(started[2].turn, owner="ann")
    assert next(last).event in (Waiting(ahead=1), Waiting(ahead=2))  # before bob asked, or after
    assert next(assistant.follow(started[3].turn, owner="bob")).event == Waiting(ahead=0)  # ann has one already
    assistant.stop(started[1].turn, owner="ann")
    assert fold(follow(assistant, started[1].turn, owner="ann")).status is Status.STOPPED
    player.hold = None
    player.go_on.set()
    assert fold(stored.event for stored in last) == fold(nintendo())


def test_a_lock_of_another_program_loses_no_event_and_no_run(open_, tmp_path, monkeypatch):
    monkeypatch.setattr("storage.database.BUSY_SECONDS", 0.1)
    player = StoryPlayer(hold=3)
    assistant = open_(player)
    started = assistant.start(QUESTION)
    followed = assistant.follow(started.turn)
    seen = [next(followed) for _ in range(3)]
    with closing(sqlite3.connect(tmp_path / "chat.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        player.hold = None
        player.go_on.set()
        time.sleep(0.6)  # six times as long as a write waits
        other.rollback()
    seen += followed
    assert [stored.event for stored in seen] == list(nintendo())
    assert [stored.seq for stored in seen] == list(range(len(seen)))
    assistant.close()
    assert open_().turn(started.turn) == fold(nintendo())
