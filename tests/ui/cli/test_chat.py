"""``assistant.py chat`` as a program."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from searchain.reading.stance import WEIGHTS, ByKind, MiniLMStance
from searchain.retrieval.parts import BLOCKS
from storage.collections import access, documents
from storage.collections.documents import State
from storage.collections.files import Files
from storage.database import Database
from storage.people import tokens, users
from tests.support.browser import free_port
from tests.support.fakes import QUESTION
from tests.support.shell import told
from tests.support.waiting import until
from ui.cli.chat import _load_behind

_NAME = "https://chat.example.org"
_LETS_IN = "{0} lets others use this page; add users (--auth-file FILE) or --public to allow that, or leave {0} out"
_LETS_ASK = "{0} lets others ask; add users (`user add NAME`) first, or leave {0} out"
_BUDGET = (
    "--tokens-per-day is the budget of users, and none ask here; add users (`user add NAME`), for mcp also --http, or "
    "leave it out"
)
_ADD = "add users first: python assistant.py user add NAME"
_BUILD = "build it with: python assistant.py index build FILE… --name nowhere"
_NO_ENDPOINT = "--also-model needs an endpoint; name it with --base-url, or a model of OpenAI's with --model"
_ALONE = "--retriever searches its own index alone; leave out --also-index"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("chat --share", _LETS_IN.format("--share")),
        ("chat --host 0.0.0.0", _LETS_IN.format("--host 0.0.0.0")),
        (f"chat --public-url {_NAME}", _LETS_IN.format("--public-url")),
        (f"mcp --http --public-url {_NAME}", _LETS_ASK.format("--public-url (SEARCHAIN_PUBLIC_URL)")),
        ("mcp --http --host 0.0.0.0", _LETS_ASK.format("--host 0.0.0.0")),
        (f"annotate serve --public-url {_NAME}", f"--public-url lets others use the desk; {_ADD}"),
        ("chat --also-index nowhere", f"no index 'nowhere' (there are: none yet); {_BUILD}"),
        ("chat --also-index x --retriever http://localhost:1", _ALONE),
        ("chat --also-model x", _NO_ENDPOINT),
        *((f"{command} --tokens-per-day 1000", _BUDGET) for command in ("chat", "mcp --http", "mcp")),
    ],
)
def test_what_cannot_be_served_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, said: str):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    assert told(*command.split(), db=tmp_path / "chat.db") == (2, "", f"error: {said}\n")


_PROVIDER = ["--oidc-issuer", "https://sso.example.org", "--oidc-client", "page"]
_PUBLIC = ["--public-url", _NAME]
_INCOMPLETE = (
    "signing in with a provider needs --oidc-issuer, --oidc-client, and the client secret in SEARCHAIN_OIDC_SECRET or "
    "--oidc-secret-file"
)
_NAMELESS = "--oidc-issuer sends people away and back; name this page's address with --public-url"
_NO_ADDRESS = "'http://sso.example.org' is no address of a provider; --oidc-issuer begins with https://"
_NO_FORM = "--home assigns people by the name in the sign-in form; leave it or --oidc-issuer out"
_SECRET = "a secret of 23 letters"


@pytest.mark.parametrize(
    ("options", "secret", "said"),
    [
        (["--oidc-new"], _SECRET, _INCOMPLETE),
        (_PROVIDER, "", _INCOMPLETE),
        ([*_PROVIDER, "--oidc-client", ""], _SECRET, _INCOMPLETE),
        (_PROVIDER, _SECRET, _NAMELESS),
        ([*_PROVIDER, *_PUBLIC, "--oidc-issuer", "http://sso.example.org"], _SECRET, _NO_ADDRESS),
        ([*_PROVIDER, *_PUBLIC, "--home", "1"], _SECRET, _NO_FORM),
    ],
)
@pytest.mark.parametrize("place", ["environment", "file", "config"])
def test_a_provider_that_cannot_be_used_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], secret: str, said: str, place: str
):
    (file := tmp_path / "secret").write_text(f"{secret}\n")
    if place == "environment":
        monkeypatch.setenv("SEARCHAIN_OIDC_SECRET", secret)
    elif place == "file":
        options = [*options, "--oidc-secret-file", str(file)]
    else:
        (tmp_path / "config.toml").write_text(f'[chat]\noidc-secret-file = "{file}"\n')
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    assert told("chat", *options, db=tmp_path / "chat.db") == (2, "", f"error: {said}\n")
    assert "SEARCHAIN_OIDC_SECRET" not in os.environ  # no child process has it


def test_a_removed_user_in_the_file_lets_nobody_in(tmp_path: Path):
    file, db = tmp_path / "users.txt", tmp_path / "chat.db"
    file.write_text("ann:long enough")
    store = Database(db)
    users.add(store, users.new("ann", "chat", "long enough"))
    users.remove(store, "ann")
    store.close()
    said = "ann was removed and stays so; to undo that: python assistant.py user add ann\n"
    said += f"error: {_LETS_IN.format('--share')}\n"
    assert told("chat", "--share", "--auth-file", file, db=db) == (2, "", said)


def test_a_taken_port_is_one_line_and_names_a_free_one(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, _, said = told("chat", "--port", port, db=tmp_path / "chat.db")
    assert status == 1
    assert re.fullmatch(
        rf"error: cannot serve on 127\.0\.0\.1:{port} \(address already in use\); stop what listens there, "
        r"or take a free port: --port (\d+) \(with make: ARGS='--port \1'\)\n",
        said,
    )


def chatting(port: int, db: Path, *options: str) -> subprocess.Popen[str]:
    program = [sys.executable, "-m", "tests.support.scripted_chat", "--port", str(port), "--db", str(db), *options]
    return subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_printed_address_answers_and_ctrl_c_ends_the_program(tmp_path: Path):
    port = free_port()
    with chatting(port, tmp_path / "c.db") as chat:
        about, url = chat.stdout.readline().strip(), chat.stdout.readline().strip()
        try:
            assert (about, url) == ("a scripted model · index default", f"http://127.0.0.1:{port}/")
            assert "a scripted model" in httpx.get(url, trust_env=False).text
        finally:
            chat.send_signal(signal.SIGINT)
        assert "Traceback" not in chat.communicate(timeout=20)[1]
    assert chat.returncode != 0


def test_sigterm_ends_the_program_well_while_a_document_is_encoded(index_home: Path):
    store = Database(index_home / "searchain.db")
    text = "\n\n".join(f"Pump {number} is oiled every {number} days. " + "It is blue. " * 60 for number in range(900))
    files, manuals = Files(store), access.create(store, "local", "manuals")
    port = free_port()
    document, _ = documents.submit(store, files, manuals.id, "pumps.txt", files.put([text.encode()]))
    with chatting(port, store.path, "--index", "toy") as chat:
        until(lambda: any(index_home.joinpath("indexes").rglob(BLOCKS)), 120)
        time.sleep(0.5)  # the encoder is at work
        for path, said in (("healthz", "alive"), ("readyz", "ready")):
            assert httpx.get(f"http://127.0.0.1:{port}/{path}", trust_env=False, timeout=30).text == said
        chat.send_signal(signal.SIGTERM)
        assert chat.communicate(timeout=60)[1] == "stopping\n"
    assert chat.returncode == 0
    assert documents.get(store, document.id).state is State.ENCODING
    store.close()


def test_sigterm_stops_the_runs_and_takes_deleted_text_out_of_the_file(tmp_path: Path):
    port, db = free_port(), tmp_path / "chat.db"
    store = Database(db)
    headers = {"Authorization": f"Bearer {tokens.issue(store, 'local', 'api')}"}
    store.close()
    body = {"model": "searchain", "stream": True, "messages": [{"role": "user", "content": QUESTION}]}
    secret = [{"role": "user", "content": f"{QUESTION} XYZZYSECRET"}]
    with chatting(port, db) as chat:
        url = [chat.stdout.readline(), chat.stdout.readline().strip()][1]
        with httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=60) as client:
            said = client.post("v1/chat/completions", json={"model": "searchain", "messages": secret}).json()
            assert b"XYZZYSECRET" in b"".join(path.read_bytes() for path in tmp_path.iterdir())
            assert client.delete(f"conversations/{said['searchain']['conversation']}").status_code == 200
            with client.stream("POST", "v1/chat/completions", json=body) as reply:
                lines = reply.iter_lines()
                next(lines)
                chat.send_signal(signal.SIGTERM)
                rest = "\n".join(lines)
        assert "stopped" in rest, "the client hears how its run ended"
        assert "Traceback" not in chat.communicate(timeout=30)[1]
    assert chat.returncode == 0
    assert b"XYZZYSECRET" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    store = Database(db)
    assert store.rows("SELECT status FROM turns") == [("stopped",)]
    store.close()


def test_the_models_for_statements_are_loaded_behind_the_page():
    loaded = threading.Event()

    class Model(MiniLMStance):
        def load(self):
            loaded.set()

    model = Model(WEIGHTS)
    _load_behind(SimpleNamespace(similarity=None, stance=ByKind(model, model, lambda text: False)))
    assert loaded.wait(10)
