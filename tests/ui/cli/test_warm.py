"""A question of the shell is answered by a process that has its models loaded, where there is one."""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from assistant import Assistant
from searchain.errors import NotFound
from searchain.settings import Settings
from storage.database import Database
from tests.support.stories import QUESTION
from tests.support.story_runs import StoryPlayer
from ui.cli import warm
from ui.cli.main import cli
from ui.cli.warm import Door, Refused, hand_over, place

ASKED = {"question": QUESTION, "profile": "default", "changes": {}, "index": "default", "system": None}
ASKED |= {"conversation": None}


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    return tmp_path / "warm.db"


@pytest.fixture
def door(db: Path) -> Iterator[Door]:
    """A process with loaded models, which takes questions of ``db``."""
    assistant = Assistant(Database(db), StoryPlayer(), Settings())
    with Door(assistant, place({"db": db})) as door:
        yield door
    assistant.close()


def ask(db: Path, *args: str) -> Result:
    """Ask in a process that cannot load a model."""

    def open_assistant(*, db: Path, **named: object) -> Assistant:
        return Assistant(Database(db), None, Settings())  # type: ignore[arg-type]

    return CliRunner().invoke(cli, ["ask", QUESTION, "--db", str(db), *args], obj=open_assistant)


def test_a_process_with_the_same_parts_answers_and_one_with_others_does_not(db: Path, door: Door):
    result = ask(db)
    assert result.exit_code == 0, result.output
    assert "Kyoto lies on Honshu [2]." in result.stdout
    assert "to go on: --conversation" in result.stderr
    for other in (["--max-tokens", "100"], ["--base-url", "http://127.0.0.1:1/v1"], ["--careful", "off"]):
        assert "unexpected TypeError" in ask(db, *other).stderr  # it tried to load its own model


def test_a_key_older_modules_another_folder_and_another_database_make_other_parts(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    here = place({"db": db, "parallel": 8})
    assert place({"db": db, "limits": {}, "careful": None}) == here
    places = [here, place({"db": db.with_name("other.db")})]
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        monkeypatch.chdir(folder)
        places.append(place({"db": db, "gguf": Path("model.gguf")}))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-another-key-of-somebody")
    places.append(place({"db": db}))
    monkeypatch.setattr(warm, "_newest", lambda: 2**62)
    places.append(place({"db": db}))
    assert len(set(places)) == 6


def test_only_its_owner_may_enter_and_a_refusal_has_its_status_and_the_seconds_since_the_last_run_count(
    db: Path, door: Door
):
    assert stat.S_IMODE(place({"db": db}).parent.stat().st_mode) == 0o700
    with pytest.raises(Refused, match="^there is no conversation 'none'") as refused:
        hand_over(place({"db": db}), {**ASKED, "conversation": "none"})
    assert refused.value.exit_status == NotFound.exit_status
    time.sleep(0.3)
    assert door.idle >= 0.3
    began = time.monotonic()
    assert hand_over(place({"db": db}), ASKED) is not None
    assert door.idle < time.monotonic() - began


def test_a_socket_that_a_killed_process_left_is_replaced(db: Path):
    at = place({"db": db})
    at.parent.mkdir()
    at.touch()
    assert hand_over(at, ASKED) is None
    assistant = Assistant(Database(db), StoryPlayer(), Settings())
    with Door(assistant, at), Door(assistant, at) as second:  # the second finds the first, and leaves it alone
        assert hand_over(at, ASKED) is not None
        assert not second.is_open
        second.__exit__()
        assert hand_over(at, ASKED) is not None
    assert not at.exists()
    assistant.close()


@pytest.mark.parametrize(
    ("is_other", "status", "debug", "told"),
    [
        (False, None, "", "process {pid} keeps the models; end it with: kill {pid}; log: {log}\n"),
        (False, None, "1", "process {pid} keeps the models; end it with: kill {pid}\n"),
        (False, 0, "", ""),  # it has ended
        (True, None, "", ""),  # another process was there first
    ],
)
def test_ask_says_how_the_process_that_it_left_is_stopped_and_where_it_logs(
    db: Path, monkeypatch: pytest.MonkeyPatch, is_other: bool, status: int | None, debug: str, told: str
):
    pid = os.getpid() + is_other
    monkeypatch.setenv("SEARCHAIN_DEBUG", debug)
    assistant = Assistant(Database(db), StoryPlayer(), Settings())
    with ExitStack() as ending:
        ending.callback(assistant.close)

        def leave_behind(named: object, minutes: int) -> SimpleNamespace:
            ending.enter_context(Door(assistant, place({"db": db})))
            return SimpleNamespace(pid=pid, poll=lambda: status)

        monkeypatch.setattr(warm, "leave_behind", leave_behind)
        said = ask(db, "--keep-warm", "5").stderr
    lines = [line for line in said.splitlines(keepends=True) if line.startswith("process ")]
    assert "".join(lines) == told.format(pid=pid, log=db.with_name("searchain.log"))


@pytest.mark.slow
def test_ask_leaves_a_process_that_answers_the_next_question(tmp_path: Path):
    db = tmp_path / "real.db"
    process = warm.leave_behind({"db": db}, 5)
    try:
        began = time.monotonic()
        result = CliRunner().invoke(cli, ["ask", "Who composed The Four Seasons?", "--db", str(db), "--keep-warm", "5"])
        assert "Vivaldi" in result.stdout
        assert time.monotonic() - began < 10  # loading the models takes longer
    finally:
        process.terminate()
    assert process.wait(20) == 0
    assert not place({"db": db}).exists()
