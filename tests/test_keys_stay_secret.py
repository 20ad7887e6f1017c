"""No form of an API key reaches a screen, a message, the database or an export, whatever the server does with it."""

import base64
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

import assistant
from assistant import Assistant
from lab.scripted.server import Failure, Raw, Reply, ScriptedServer
from searchain import secrecy
from searchain.errors import UsageError
from searchain.events import Event
from searchain.llm.openai import OpenAIModel
from searchain.settings import Settings
from storage.database import Database
from storage.transfer import jsonl
from tests.support.fakes import CITY, runs_of
from tests.support.stories import QUESTION

ROOT = Path(assistant.__file__).parent
KEY = "sk-proj-4tY7uI9oP1aS3dF5gH7jK9lZ1xC3vB5n"
HEADER = f"Bearer {KEY}"
ENCODED = (quote(HEADER), base64.b64encode(f"user:{KEY}".encode()).decode(), HEADER.encode().hex())
PIECES = (KEY, KEY[8:24], KEY[-14:])
"""What may be found nowhere."""
SPOKEN = (f"{KEY} {' '.join(ENCODED)} {KEY[8:24]} {KEY[-14:]}", f"{HEADER!r}\n", f"key {KEY[:24]}**** is wrong")


@pytest.fixture(autouse=True)
def no_other_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrecy, "_kept", ())


def asked(tmp_path: Path, server: ScriptedServer, key: str) -> tuple[list[Event], bytes]:
    """The events of a question to a model behind ``server``, and the bytes of the database and of an export."""
    model = OpenAIModel("scripted", server.base_url, key, tries=1)
    store = Database(tmp_path / "chat.db")
    opened = Assistant(store, runs_of(model), Settings())
    try:
        events = [stored.event for stored in opened.follow(opened.start(QUESTION).turn)]
        exported = "".join(jsonl.write(opened.finished()))
    finally:
        opened.close()
    return events, exported.encode() + b"".join(file.read_bytes() for file in tmp_path.iterdir())


def assert_hidden(text: str) -> None:
    for piece in (*PIECES, *ENCODED[:1], *(encoded[10:30] for encoded in ENCODED)):
        assert piece not in text


@pytest.mark.parametrize("said", SPOKEN)
@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
def test_a_server_that_quotes_the_key_in_an_error(tmp_path: Path, said: str, status: int) -> None:
    with ScriptedServer(script=[Failure(status, said, "bad", repeats=True)]) as server:
        events, kept = asked(tmp_path, server, f"“{KEY}”\n")
    assert server.requests[0].authorization == HEADER
    assert_hidden(repr(events) + kept.decode(errors="replace"))


def test_a_server_that_quotes_the_key_within_a_stream(tmp_path: Path) -> None:
    body = 'data: {"error": {"message": "' + f"{KEY} {ENCODED[1]}" + '", "code": 500}}\n\n'
    with ScriptedServer(script=[Raw(body.encode(), repeats=True)]) as server:
        events, kept = asked(tmp_path, server, KEY)
    assert_hidden(repr(events) + kept.decode(errors="replace"))


def test_a_model_that_writes_and_thinks_the_key(tmp_path: Path) -> None:
    text = f"[Query 1]: {CITY} {KEY}?\n[Answer 1]: Kyoto, says {KEY}\n"
    with ScriptedServer(script=[Reply(text, reasoning=f"My key is {KEY}.", repeats=True)]) as server:
        events, kept = asked(tmp_path, server, f"{KEY}\r\n")
    assert server.requests
    assert secrecy.MASK in repr(events)
    assert KEY not in repr(events) + "".join(getattr(event, "text", "") for event in events)
    assert KEY not in kept.decode(errors="replace")


def test_a_question_that_holds_the_key_is_refused(tmp_path: Path) -> None:
    with ScriptedServer(script=[Reply("Kyoto.")]) as server:
        OpenAIModel("scripted", server.base_url, KEY)
        with pytest.raises(UsageError, match=r"^the question holds the key of the language model; ask it without"):
            assistant.readable(f"Is {KEY} my key?")


@pytest.mark.parametrize(
    ("key", "model", "status", "words"),
    [
        (f"{KEY}\n", "m", 1, "cannot reach"),
        (f"“{KEY}”", "m", 1, "cannot reach"),
        (f"{KEY[:20]}\n{KEY[20:]}", "m", 2, "OPENAI_API_KEY holds a line break at place 21 of 41 and cannot be sent"),
        (f"{KEY[:20]}“{KEY[20:]}", "m", 2, "OPENAI_API_KEY holds the character U+201C at place 21 of 41"),
        (KEY, KEY, 2, "the name of the model holds the key; check --model or SEARCHAIN_MODEL"),
    ],
)
def test_the_shell_shows_no_key(tmp_path: Path, key: str, model: str, status: int, words: str) -> None:
    named = {"OPENAI_API_KEY": key, "SEARCHAIN_MODEL": model, "SEARCHAIN_BASE_URL": "http://127.0.0.1:9/v1"}
    command = [sys.executable, ROOT / "assistant.py", "ask", QUESTION, "--db", tmp_path / "a.db"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=os.environ | named)
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir()).decode(errors="replace")
    shown = done.stdout + done.stderr
    assert (done.returncode, words in shown) == (status, True), shown
    for part in (*PIECES, KEY[:20], KEY[20:]):
        assert part not in shown + kept


def test_a_base_url_that_is_the_key_or_holds_credentials_is_not_shown() -> None:
    for written in (KEY, f"htp://user:{KEY}@example.org", "http:/user:pass-word@example.org/"):
        with pytest.raises(UsageError) as caught:
            OpenAIModel("m", written)
        assert KEY not in str(caught.value)
        assert "pass-word" not in str(caught.value)
