"""The command line: documented, quick to help, one clear line for every mistake."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import click
import pytest

import assistant
from assistant import Assistant
from lab.scripted.server import Reply, ScriptedServer
from searchain.errors import SearChainError, SetupError, UsageError
from searchain.llm.base import tell
from searchain.settings import Settings
from searchain.types import TaskKind
from storage.database import Database, default_path
from tests.support.shell import run as in_process
from tests.support.stories import QUESTION, nintendo
from tests.support.story_runs import StoryPlayer
from ui.cli import warm
from ui.cli.main import cli

ROOT = Path(assistant.__file__).parent


def run(*args, player=None, db=None, **options):
    """The command in this process; ``ask`` gets an Assistant whose model is a player."""

    def open_assistant(*, db, **named):
        return Assistant(Database(db), player or StoryPlayer(), Settings(), **options)

    return in_process(*args, db=db, obj=open_assistant)


def shell(*args, **env):
    """The command in a process of its own."""
    command = [sys.executable, ROOT / "assistant.py", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ | env)


def commands(group=cli, path=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def test_every_command_and_option_has_help_which_imports_nothing_heavy():
    for path, command in commands():
        assert command.help, path
        assert command.help.split(".")[0]
        assert [p.name for p in command.params if isinstance(p, click.Option) and not p.help] == []
    program = "import sys; from ui.cli.main import cli; cli(['--help'], standalone_mode=False); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert all(f"\n  {name} " in done.stdout for name in cli.list_commands(None))
    heavy = {"torch", "transformers", "colbert", "gradio", "openai", "sqlite_utils", "pydantic", "numpy"}
    assert heavy & set(done.stderr.split()) == set()


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["ask", ""], 2, "the question is empty"),
        (["ask", "q", "--task", "poetry"], 2, "'poetry' is not one of"),
        (["ask", "q", "--max-rounds", "0"], 2, "'max_rounds' is 0"),
        (["ask", "q", "--conversation", "none"], 2, "no conversation 'none'"),
        (["aks", "q"], 2, "No such command 'aks'. Did you mean 'ask'? See: "),
        (["logs", "lst"], 2, "No such command 'lst'. Did you mean 'list'? See: "),
        (["documents", "add", "missing.pdf"], 2, "no file 'missing.pdf'; check its name and its folder"),
        (["logs", "list", "--db", "a.db", "--db", "b.db"], 2, "name one database; import brings several together"),
        (["export", "--db", "missing.db"], 1, "ask or import something first, or check the name after --db"),
        (["logs", "show", "none"], 2, "no turn or conversation 'none'"),
        (["logs", "list", "--limit", "0"], 2, "'--limit'"),
        (["index", "build", "nothing.jsonl", "--name", "x"], 2, "no file 'nothing.jsonl'"),
        (["index", "build", "default", "--name", "No Name"], 2, "'No Name' is no index name"),
        (["index", "build", "default", "--name", "default"], 2, "is the embedded corpus"),
        (["index", "add", "nothing", __file__], 2, "is of an unknown kind"),
        (["index", "remove", "nothing", "--yes"], 2, "no index 'nothing' (there are: none yet)"),
        (["serve"], 1, "run: make setup"),
        (["serve", "--host", "0.0.0.0"], 2, "add --public"),
        (["documents", "add"], 2, "Missing argument 'PATH…'"),
        (["documents", "add", __file__, "--collection", "a/b"], 2, "cannot be the name of a collection"),
        (["documents", "remove", "x", "--collection", "absent", "--yes"], 2, "there is no collection 'absent'"),
        (["documents", "remove", "--yes"], 2, "name documents, or --all"),
        (["documents", "allow", "absent"], 2, "there is no collection 'absent'"),
        (["documents", "share"], 2, "name whom to let in"),
    ],
)
def test_wrong_use_is_told_in_one_line(index_home, args, status, words):
    Database(default_path()).close()
    result = run(*args, db=default_path() if args[0] in ("ask", "logs") else None)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (status, "", 1)
    assert words in result.stderr
    assert len(result.stderr) < 300


def asking_over(player, db, **options):
    """A process that asks a question, whose runs are what ``player`` says."""
    program = (
        "import sys, time; from assistant import Assistant; from ui.cli.main import cli\n"
        "from searchain.settings import Settings; from storage.database import Database\n"
        "from tests.support.stories import QUESTION; from tests.support.story_runs import StoryPlayer\n"
        f"open_ = lambda *, db, **named: Assistant(Database(db), {player}, Settings())\n"
        "cli(['ask', QUESTION, '--db', sys.argv[1]], obj=open_)"
    )
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT} | options
    return subprocess.Popen([sys.executable, "-c", program, db], **options)


def test_on_a_terminal_the_reply_appears_as_it_is_written(tmp_path):
    terminal, end = os.openpty()
    asking = asking_over("StoryPlayer(pause=0.02)", tmp_path / "chat.db", stdout=end)
    os.close(end)
    pieces = []
    while True:
        try:
            pieces.append(os.read(terminal, 65_536).decode())
        except OSError:  # the other end is closed
            break
    os.close(terminal)
    assert (asking.wait(30), len(pieces) > 3) == (0, True)
    assert "".join(pieces).splitlines()[:3] == [
        "",
        "Nintendo has its headquarters in Kyoto [1]. Kyoto lies on Honshu [2]. Honshu is the largest island of Japan.",
        "[1] Nintendo https://en.wikipedia.org/wiki/Nintendo",
    ]


def test_the_flags_become_settings(tmp_path):
    seen = []

    class Listening(StoryPlayer):
        def __call__(self, settings, index):
            seen.append((settings, index))
            return self

    off = ("ir", "verification", "completion")
    flags = (
        f"--profile paper --task yesno --index toy {' '.join(f'--no-{one}' for one in off)} --max-rounds 3 --passages 2"
    )
    run("ask", QUESTION, *flags.split(), db=tmp_path / "chat.db", player=Listening())
    unused = {f"use_{one}": False for one in off}
    wanted = Settings.of("paper", task=TaskKind.YESNO, max_rounds=3, passages=2, **unused)
    assert seen
    assert all(one == (wanted, "toy") for one in seen)


def test_what_a_terminal_shows_is_harmless(tmp_path):
    evil = "\x1b]0;owned\x07\x1b[31mred\u202e\r"
    db = tmp_path / "chat.db"
    asked = run("ask", QUESTION, db=db, player=StoryPlayer(story=lambda question: nintendo(evil + question)))
    for text in (asked.stdout, asked.stderr):
        assert text
        assert not set(text) & set("\x1b\x07\r\u202e")
    assert f"red{QUESTION}" in run("logs", "show", asked.stderr.split()[-1], db=db).stdout


def test_a_terminal_that_only_knows_ascii(tmp_path):
    db, ascii_only = tmp_path / "chat.db", {"PYTHONIOENCODING": "ascii", "SEARCHAIN_HOME": str(tmp_path)}
    run("ask", "任天堂はどこ？", db=db)
    listed = shell("logs", "list", "--json", "--db", db, **ascii_only)
    assert json.loads(listed.stdout)["question"] == "任天堂はどこ？"
    shown = shell("logs", "list", "--db", db, **ascii_only)
    assert (shown.returncode, shown.stderr, shown.stdout.split()[-1]) == (0, "", "Honshu")


def stored(db):
    """Return the kinds of the events in a database, in order."""
    with closing(sqlite3.connect(db)) as opened:
        return [kind for (kind,) in opened.execute("SELECT payload ->> 'type' FROM events ORDER BY turn, seq")]


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (UsageError("two models", hint="choose one with --model"), 2, "two models; choose one with --model"),
        (ZeroDivisionError("a\nb"), 1, "unexpected ZeroDivisionError: a b (SEARCHAIN_DEBUG=1 shows where)"),
    ],
)
def test_a_question_is_stored_and_told_before_its_models_load_and_their_failure_is_one_line(
    tmp_path, error, status, line
):
    db, seen = tmp_path / "chat.db", []

    def fail_to_load(settings, index):
        seen.extend(stored(db))
        raise error

    result = run("ask", QUESTION, db=db, player=fail_to_load)
    assert seen == ["waiting"]
    assert (result.exit_code, result.stdout, result.stderr) == (status, "", f"loading the models …\nerror: {line}\n")
    assert stored(db) == ["waiting", "run_finished"]


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["--no-ir", "--base-url", "http://127.0.0.1:9/v1", "--model", "m"], 1, "cannot reach http://127.0.0.1:9/v1"),
        (["--no-ir", "--base-url", "nowhere", "--model", "m"], 2, "'nowhere'"),
        (["--index", "toy"], 2, "no index 'toy'"),
        (["--index", "No Name"], 2, "'No Name' is no index name"),
    ],
)
def test_parts_that_cannot_be_had(tmp_path, monkeypatch, args, status, words):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    done = in_process("ask", QUESTION, "--json", *args, db=tmp_path / "chat.db")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (status, "", 1)
    assert words in done.stderr
    assert ("--index" in args) == (stored(tmp_path / "chat.db") == [])  # a missing index shows before a run begins


def test_ctrl_c_ends_the_command_while_models_load(tmp_path):
    db = tmp_path / "chat.db"
    with asking_over("lambda settings, index: time.sleep(60)", db, text=True) as asking:
        assert asking.stderr.readline() == "loading the models …\n"
        asking.send_signal(signal.SIGINT)
        assert asking.wait(30) == 130
        assert asking.stderr.read().startswith("error: stopped; what was found is kept: ")
    assert stored(db) == ["waiting", "run_finished"]


def test_what_loading_meets_is_told_beside_the_json_and_a_run_that_fails_on_the_way_is_one_line(tmp_path):
    class Telling(StoryPlayer):
        def __call__(self, settings, index):
            tell("the index is not built yet", "searches it by words")
            return self

    class Failing(StoryPlayer):
        def stream(self, question, **how):
            yield from nintendo()[:8]
            raise SearChainError("the index is gone; build it again")

    result = run("ask", QUESTION, "--json", db=tmp_path / "chat.db", player=Telling())
    assert result.stderr == "  ! the index is not built yet; searches it by words\n"
    assert json.loads(result.stdout)["status"] == "answered"
    result = run("ask", QUESTION, "--json", db=tmp_path / "chat.db", player=Failing())
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "error: the index is gone; build it again\n")


def test_what_is_checked_before_a_question_is_stored_stays_unstored(tmp_path, monkeypatch):
    def check_parts(settings, index):
        raise UsageError("the careful model is not installed")

    monkeypatch.setattr(warm, "hand_over", lambda at, asked: pytest.fail("it was handed over"))
    done = run("ask", QUESTION, db=tmp_path / "chat.db", check_parts=check_parts)
    assert (done.exit_code, done.stderr) == (2, "error: the careful model is not installed\n")
    assert stored(tmp_path / "chat.db") == []


def test_ctrl_c_stops_the_run_and_keeps_the_tree(tmp_path, index_home):
    db = tmp_path / "chat.db"
    begun = f"[Query 1]: {QUESTION}\n[Answer 1]: Honshu\n[Query 2]: Is that all?\n"
    with ScriptedServer(script=[Reply(begun + "and so on " * 500, repeats=True)], tokens_per_second=60) as server:
        command = [sys.executable, ROOT / "assistant.py", "ask", QUESTION, "--no-ir", "--base-url", server.base_url]
        out = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        asking = subprocess.Popen([*command, "--db", db], text=True, **out)
        for line in asking.stderr:
            if "→ Honshu" in line:
                asking.send_signal(signal.SIGINT)
                break
        rest = asking.stderr.read()
        assert (asking.wait(30), asking.stdout.read()) == (130, "")
    assert rest.splitlines()[-1].startswith("error: stopped; what was found is kept: python assistant.py logs show ")
    shown = run("logs", "show", rest.split()[-1], "--json", db=db)
    kept = json.loads(shown.stdout)
    assert (kept["status"], kept["tree"]["nodes"][0]["answer"]) == ("stopped", "Honshu")


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ((), {}),
        (("--model", "m"), {"max_seconds": 600.0}),
        (("--model", "m", "--timeout", "40"), {"max_seconds": 80.0}),
        (("--max-seconds", "5", "--max-tokens", "99"), {"max_seconds": 5.0, "max_tokens": 99}),
    ],
)
def test_ask_names_the_limits_of_the_run(options, limits):
    def open_assistant(**named):
        raise SetupError(repr((named["limits"], named["reasoning_effort"])))

    done = in_process("ask", QUESTION, *options, "--reasoning-effort", "low", obj=open_assistant)
    assert repr((limits, "low")) in done.stderr
