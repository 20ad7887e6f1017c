"""The commands of README and docs, run in a home of their own: a page is a session, from its first command to its last.

The language model is a scripted run; database, documents, users and exports are real. What is not run here is named
below with the reason; ``tests/test_documentation.py`` parses every command of every page.
"""

import json
import shlex
from contextlib import closing

import pytest
from click.testing import CliRunner

from assistant import Assistant
from searchain.settings import Settings
from storage.database import Database
from tests.support.own_documents import toy_parser  # noqa: F401
from tests.support.stories import nintendo
from tests.support.story_runs import StoryPlayer, database_with, store_run
from tests.test_documentation import COMMANDS, words_of
from tests.ui.cli.test_documents import plain_files  # noqa: F401
from ui.cli.main import cli

ONLY_PARSED = {
    "chat": "serves until it is stopped: tests/ui/cli/test_chat.py",
    "serve": "serves until it is stopped: tests/ui/cli/test_index.py",
    "mcp": "serves until it is stopped: tests/ui/api/test_mcp.py",
    "annotate serve": "serves until it is stopped: tests/ui/desk",
    "logs tail": "follows runs until it is stopped: tests/ui/cli/test_logs_watch.py",
    "index build": "encodes passages for minutes: tests/ui/cli/test_index.py",
    "setup": "installs: tests/ui/cli/test_setup_command.py",
    "doctor": "loads every part: tests/ui/cli/test_doctor.py",
    "eval": "asks many questions: tests/lab/cli/test_evaluate.py",
    "tables": "asks many questions: tests/lab/cli/test_tables.py",
    "check": "loads every part: tests/test_checked_texts.py",
    "verify": "needs passages of a real corpus: tests/ui/exports/test_proof.py",
    "calibrate": "asks many questions: tests/lab/cli/test_calibrate.py",
}
LAST = ("user revoke", "user remove", "logs redact", "logs delete")
"""What takes away what other commands of the page show."""
FOLDERS, FILES = ("reports", "notes", "minutes"), ("report.pdf", "archive.zip")
ANSWER = {
    "question": "Where is Kyoto?",
    "system": "another",
    "answer": "Kyoto is on Honshu [1].",
    "citations": [{"number": 1, "title": "Kyoto", "text": "Kyoto is a city on the island of Honshu."}],
}


def arguments(line):
    """The words after the program's name, or ``None`` for another program."""
    words = words_of(line)
    if words[:2] == ["python", "assistant.py"]:
        return words[2:]
    return words[1:] if words[0] == "searchain" else None


def is_run(line):
    given = arguments(line)
    return bool(given) and not any(shlex.join(given).startswith(start) for start in ONLY_PARSED)


def turn_of(line):
    """0 for most commands; what takes something away comes after them, in the order of ``LAST``."""
    words = shlex.join(arguments(line))
    return next((place for place, start in enumerate(LAST, 1) if words.startswith(start)), 0)


SESSIONS = {}
for _page, _line in COMMANDS:
    if is_run(_line):
        SESSIONS.setdefault(_page, []).append(_line)


@pytest.fixture
def session(index_home, plain_files, monkeypatch, tmp_path):
    """Run a command as its reader would, with the names of the page's files and conversations filled in."""

    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in FOLDERS:
        (folder / name).mkdir()
        (folder / name / "audit.txt").write_text(f"The auditors found two mistakes in the {name}.")
    for name in FILES:
        (folder / name).write_text(f"The pump of {name} must be oiled every ninety days.")
    (folder / "answers.jsonl").write_text(json.dumps(ANSWER) + "\n")
    (tmp_path / "password.txt").write_text("correct horse\n")
    for path in (tmp_path / "other.db", folder / "1.db", folder / "2.db"):
        database_with(path, nintendo()).close()
    with closing(Database(index_home / "searchain.db")) as store:
        started = store_run(store)

    def opened(*, db=None, **named):
        return Assistant(Database(db or index_home / "searchain.db"), StoryPlayer(), Settings())

    def run(line):
        names = {"ID": started.conversation, "TURN": started.turn, "NAME": "local"}
        words = [names.get(word, word) for word in arguments(line)]
        if words[:2] == ["user", "add"]:  # asks for the password, where somebody is at the keyboard
            words += ["--password-file", str(tmp_path / "password.txt")]
        if words[:2] in (["logs", "redact"], ["logs", "delete"]):  # asks first, where somebody is at the keyboard
            words += ["--yes"]
        done = CliRunner().invoke(cli, words, obj=opened, prog_name="assistant.py")
        assert done.exit_code == 0, f"{line}\n{done.output}"
        return done.stdout

    assert CliRunner().invoke(cli, ["export", "--db", str(tmp_path / "other.db"), "-o", "talks.jsonl"]).exit_code == 0
    return run


@pytest.mark.parametrize("page", SESSIONS)
def test_the_commands_of_a_page_work_one_after_the_other(page, session):
    for line in sorted(SESSIONS[page], key=turn_of):
        printed = session(line)
        if "--json" in line:
            assert json.loads(printed)["sources"]


def test_what_is_only_parsed_is_still_in_the_docs():
    given = [shlex.join(words) for _, line in COMMANDS if (words := arguments(line))]
    assert [start for start in ONLY_PARSED if not any(words.startswith(start) for words in given)] == []
