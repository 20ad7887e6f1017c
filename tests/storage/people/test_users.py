"""Users, their passwords and tokens: kept as hashes, refused when removed, added from a file or the command line."""

import os
import pty
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from searchain.errors import NotFound, UsageError
from storage.database import Database
from storage.people import passwords, shares, tokens, users
from storage.people.users import Role, User
from tests.support import shell
from tests.support.json_lines import kept
from tests.support.shell import told
from tests.support.story_runs import store_run

ROOT = Path(__file__).parents[3]
SECRETS = ("correct horse", "another one")


@pytest.fixture(scope="module")
def peopled(tmp_path_factory):
    """Two users, one of them removed; nothing in the tests changes them."""
    store = Database(tmp_path_factory.mktemp("users") / "chat.db")
    users.add(store, users.new("Ann", "annotator", SECRETS[0]))
    users.add(store, users.new("gone", "admin", SECRETS[1]))
    users.remove(store, "gone")
    yield store
    store.close()


def facts(user: User | None):
    return user and (user.name, user.role, user.disabled is None)


@pytest.mark.parametrize(
    ("name", "password", "found"),
    [
        ("Ann", SECRETS[0], ("Ann", Role.ANNOTATOR, True)),
        ("ann", SECRETS[0], ("Ann", Role.ANNOTATOR, True)),
        ("Ann", SECRETS[0] + " ", None),
        ("Ann", "", None),
        ("Ann", "x" * 100_000, None),
        ("gone", SECRETS[1], None),
        ("nobody", SECRETS[0], None),
        ("' OR 1=1 --", "x", None),
        ("half \ud83d", "half \ud83d", None),
    ],
)
def test_only_the_right_password_of_a_user_who_is_there(peopled, name, password, found):
    assert facts(users.verify(peopled, name, password)) == found


def test_no_password_or_token_is_in_the_file(peopled):
    token = tokens.issue(peopled, "Ann")
    with peopled.reading() as db:
        stored = [str(list(db.query(f"SELECT * FROM {table}"))) for table in ("users", "tokens")]
    assert all(secret not in text for secret in (*SECRETS, token, token.removeprefix("sc-")) for text in stored)
    assert peopled.row("SELECT count(DISTINCT hash), count(DISTINCT salt) FROM users") == (2, 2)


def test_a_password_is_costly_to_guess_and_an_unknown_name_costs_as_much(store, shipped_passwords):
    users.add(store, users.new("Ann", "annotator", SECRETS[0]))
    assert store.row("SELECT n, p FROM users") == (32768, 3)
    assert (passwords.NOBODY.n, passwords.NOBODY.p) == (32768, 3)
    assert users.verify(store, "Ann", SECRETS[0])
    assert not users.verify(store, "Ann", SECRETS[1])


@pytest.mark.parametrize(
    ("user", "line"),
    [
        (("", "chat", "x"), "'' cannot be a user's name; use up to 64 letters, digits and . _ @ - (and not 'local')"),
        (("Local", "chat", "x"), "'Local' cannot be a user's name"),
        (("visitor:x", "chat", "x"), "'visitor:x' cannot be"),
        (("a b", "chat", "x"), "'a b' cannot be"),
        (("a" * 65, "chat", "x"), "cannot be a user's name"),
        (("ann", "root", "x"), "there is no role 'root'; use chat, annotator, adjudicator or admin"),
        (("ann", "chat", ""), "the password of ann is empty"),
        (("ann", "chat", "x" * 1_001), "longer than 1,000 characters"),
    ],
)
def test_a_user_who_cannot_be(user, line):
    with pytest.raises(UsageError) as error:
        users.new(*user)
    assert line in str(error.value)


def test_a_token_is_its_holders_until_it_is_revoked(store):
    users.add(store, users.new("Ann", "chat", "pw"))
    first, second, session = (tokens.issue(store, *of) for of in (("Ann",), ("ann",), ("Ann", "session")))
    given = first, second, session, "", first + "x"
    assert [tokens.holder(store, token, "api") for token in given] == ["Ann", "ann", None, None, None]
    assert (tokens.holder(store, session, "session"), tokens.count(store)) == ("Ann", {"Ann": 2})
    assert tokens.revoke(store, "Ann") == 2
    assert [tokens.holder(store, token, "api") for token in (first, second)] == [None, None]
    assert tokens.holder(store, session, "session") == "Ann"
    tokens.end(store, session)
    assert tokens.holder(store, session, "session") is None


def test_a_removed_user_is_out_everywhere_and_keeps_the_name(store):
    users.add(store, users.new("Ann", "chat", "pw"))
    api, session = tokens.issue(store, "Ann"), tokens.issue(store, "Ann", "session")
    link, _ = shares.make(store, store_run(store, owner="Ann").conversation, owner="Ann")
    with pytest.raises(UsageError, match="there is a user 'Ann' already$"):
        users.add(store, users.new("ANN", "admin", "other"))
    users.remove(store, "ANN")
    assert (tokens.holder(store, api, "api"), tokens.holder(store, session, "session")) == (None, None)
    assert shares.find(store, link) is None
    for again in (users.remove, users.get):
        with pytest.raises(NotFound, match="there is no user 'Ann'$"):
            again(store, "Ann")
    users.add(store, users.new("Ann", "admin", "new"))
    assert facts(users.verify(store, "Ann", "new")) == ("Ann", Role.ADMIN, True)


def test_a_changed_user_signs_in_anew(store):
    users.add(store, users.new("ann", "chat", "correct horse"))
    session, api = (tokens.issue(store, "ann", kind) for kind in ("session", "api"))
    users.change(store, "ANN", role=Role.ADMIN)
    assert users.verify(store, "ann", "correct horse").role is Role.ADMIN
    assert (tokens.holder(store, session, "session"), tokens.holder(store, api, "api")) == (None, "ann")
    users.change(store, "ann", password="battery staple")
    assert users.verify(store, "ann", "correct horse") is None
    assert users.verify(store, "ann", "battery staple").role is Role.ADMIN
    with pytest.raises(UsageError, match="the password of ann is empty"):
        users.change(store, "ann", password="")
    users.remove(store, "ann")
    with pytest.raises(NotFound):
        users.change(store, "ann", role=Role.CHAT)


def test_an_ended_session_counts_no_more(store, monkeypatch):
    monkeypatch.setattr(tokens, "SESSION_SECONDS", -1)
    assert tokens.holder(store, tokens.issue(store, "Ann", "session"), "session") is None


def test_a_file_of_users(tmp_path, store):
    file = tmp_path / "users.txt"
    file.write_text("\ufeff# team\r\n\r\nann:annotator:pass:word\r\nbob: plain pw \n  root:admin:x", encoding="utf-8")
    read = [(user.name, user.role, user.password) for user in users.read_file(file)]
    assert read == [("ann", Role.ANNOTATOR, "pass:word"), ("bob", Role.CHAT, "plain pw"), ("root", Role.ADMIN, "x")]
    assert users.replace_users(store, users.read_file(file)) == []
    users.remove(store, "root")
    session = tokens.issue(store, "ann", "session")
    assert users.replace_users(store, users.read_file(file)) == ["root"]
    assert tokens.holder(store, session, "session") == "ann"
    file.write_text("ann:admin:pass:word\nroot:x")
    users.replace_users(store, users.read_file(file))
    assert tokens.holder(store, session, "session") is None
    assert [facts(user) for user in users.every(store)] == [
        ("ann", Role.ADMIN, True),
        ("bob", Role.CHAT, True),
        ("root", Role.ADMIN, False),
    ]


@pytest.mark.parametrize(("content", "line"), kept("broken-users.json"))
def test_a_broken_line_is_named(tmp_path, content, line):
    file = tmp_path / "users.txt"
    if content is not None:
        file.write_bytes(content.encode("latin-1"))
    with pytest.raises(UsageError) as error:
        users.read_file(file)
    assert str(error.value) == line.format(file=str(file))


run = partial(told, "user")


def test_users_on_the_command_line(store, tmp_path):
    db, file = store.path, tmp_path / "pw"
    file.write_text("hunter2\r\nsecond line")
    added = "ann may sign in (admin)\nthe password of ann is short; 8 characters or more are better\n"
    assert run("add", "ann", "--role", "admin", "--password-file", file, db=db) == (0, "", added)
    nobody = "error: nobody is there to be asked for the password; name a file with --password-file\n"
    assert run("add", "bob", db=db) == (2, "", nobody)
    assert run("add", "b c", db=db)[0] == 2
    status, printed, _ = run("token", "ANN", db=db)
    assert (status, run("token", "local", db=db)[0], run("token", "bob", db=db)[0]) == (0, 0, 2)
    assert tokens.holder(store, printed.strip(), "api") == "ann"
    assert facts(users.verify(store, "ann", "hunter2")) == ("ann", Role.ADMIN, True)
    listed = run("list", db=db)[1].splitlines()
    rows = [line.split("\t")[:3] for line in listed]
    assert rows == [["ann", "admin", "1 API token"], ["local", "the person at this machine", "1 API token"]]
    file.write_text("correct horse")
    assert run("change", "ANN", "--role", "chat", "--password-file", file, db=db) == (0, "", "ann may sign in (chat)\n")
    nothing = "error: nothing to change; name --role, --password or --password-file\n"
    assert run("change", "ann", db=db) == (2, "", nothing)
    assert run("change", "bob", "--role", "chat", db=db)[0] == 2
    assert [line.split("\t")[:3] for line in run("list", db=db)[1].splitlines()][0] == ["ann", "chat", "1 API token"]
    assert run("revoke", "ann", db=db) == (0, "", "1 token revoked\n")
    assert run("remove", "ann", db=db) == (0, "", "ann may not sign in any more; the conversations stay\n")
    assert run("list", db=db)[1].startswith("ann\tremoved ")
    assert run("remove", "ann", db=db)[0] == 2


def test_the_password_is_asked_for_twice_and_not_shown(tmp_path):
    ours, theirs = pty.openpty()
    words = [sys.executable, "assistant.py", "user", "add", "ann", "--db", str(tmp_path / "chat.db")]
    with subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, start_new_session=True) as asked:
        os.close(theirs)
        shown = b""
        for prompt in (b"Password of ann: ", b"Repeat for confirmation: "):
            while prompt not in shown:
                shown += os.read(ours, 1000)
            os.write(ours, b"long enough\n")
        while b"may sign in" not in shown:
            shown += os.read(ours, 1000)
    os.close(ours)
    assert (asked.returncode, b"long enough" in shown) == (0, False)


def test_exports_and_logs_hold_no_hashes(store):
    users.add(store, users.new("ann", "chat", "secret password"))
    token = tokens.issue(store, "ann")
    store_run(store, owner="ann")
    secret = {store.row(f"SELECT {one}")[0] for one in ("hash FROM users", "salt FROM users", "hash FROM tokens")}
    commands = "export --format jsonl", "export --format html", "export --format csv", "logs list --json", "logs stats"
    for command in commands:
        shown = shell.run(*command.split(), db=store.path)
        assert (shown.exit_code, shown.stdout != "") == (0, True), shown.output
        assert [text for text in (*secret, token, "secret password") if text in shown.stdout] == []
