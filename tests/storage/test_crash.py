"""Kills, crowds and files that cannot be used: nothing shown is lost, and the next step is said in one line."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import assistant
from storage.history import finished_turns
from tests.storage.test_database import another_programs, garbage, newer
from tests.support.killing import tries
from tests.support.shell import run
from tests.support.story_runs import store_run

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", ["kill", "term", "lock", "corrupt"])
def test_nothing_that_was_shown_is_lost_without_a_word(tmp_path, kind):
    outcomes = list(tries(kind, 10, tmp_path, seed=7))
    assert [(outcome.lost, outcome.faults) for outcome in outcomes] == [(0, ())] * 10
    assert sum(outcome.shown for outcome in outcomes) > 20


def test_what_a_damaged_log_leaves_can_be_read(tmp_path):
    assert [outcome.faults for outcome in tries("log", 10, tmp_path, seed=7)] == [()] * 10


def test_kills_lose_nothing_that_was_confirmed_and_bring_nothing_back():
    done = subprocess.run([sys.executable, "-m", "lab.kills", "--kills", "4"], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "4 kills: 0 lost, 0 revived, 0 other faults")


LOGS = "list,search x,show x,tail x,replay x,stats,verify,delete x --yes,redact x --text y --yes".split(",")
COMMANDS = (*(f"logs {one}" for one in LOGS), "logs backup copy.db", "export")


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_cannot_be_used(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for make, words in (
        (lambda path: None, "there is no database"),
        (newer, "newer version"),
        (garbage, "is not a database"),
        (another_programs, "not a database of this program"),
        (Path.mkdir, "is a folder"),
    ):
        make(path := Path(f"{make.__name__}.db"))
        result = run(*command.split(), "--db", path)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
        assert words in result.stderr
    assert len(list(tmp_path.glob("*.db"))) == 4


def test_an_import_needs_a_database_that_it_can_use_but_makes_a_missing_one(tmp_path):
    (tmp_path / "garbage.db").write_bytes(b"garbage" * 1_000)
    (tmp_path / "none.jsonl").write_text("")
    assert run("import", tmp_path / "none.jsonl", "--db", tmp_path / "new.db").stderr == "0 turns imported\n"
    refused = run("import", tmp_path / "none.jsonl", "--db", tmp_path / "garbage.db")
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
    assert "is not a database" in refused.stderr


def test_a_locked_file_is_told_in_one_line(store, monkeypatch):
    monkeypatch.setattr("storage.database.BUSY_SECONDS", 0.5)
    store_run(store)
    other = sqlite3.connect(store.path)
    other.execute("BEGIN IMMEDIATE")
    result = run("logs", "delete", "--since", "1d", "--yes", "--db", store.path)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert "stayed locked" in result.stderr
    other.rollback()
    assert finished_turns.count(store) == (1, 0)


def test_a_full_disk_behind_standard_output_is_told_in_one_line(store):
    store_run(store)
    command = [sys.executable, assistant.__file__, "export", "--db", store.path]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (
        1,
        "error: cannot write standard output (No space left on device); write to a file with -o\n",
    )
