"""What users rely on, compared with recorded files: commands, JSON, events, exports, HTTP, schema and names.

Usage:
    UPDATE_CONTRACT=1 pytest tests/test_contract.py     # records again: only where the new texts were agreed on

Ids, times and durations differ from run to run and are written as ``<id 1>``, ``<time>`` and ``<seconds>``.
"""

from __future__ import annotations

import ast
import hashlib
import http.client
import importlib
import inspect
import io
import json
import logging
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import click
import mammoth
import pytest
from click.testing import CliRunner, Result
from pydantic import TypeAdapter

import assistant
from assistant import Assistant, open_assistant, readable
from lab.scripted.model import ScriptedModel
from searchain.embedded.minilm import embedded_reader
from searchain.events import Event, fold
from searchain.pipeline import SearChain
from searchain.retrieval.checkpoint import embedded_checkpoint
from searchain.retrieval.parts import key
from searchain.settings import Settings
from storage.database import Database
from storage.log.event_log import digest
from tests.support.browser import free_port
from tests.support.fakes import CITY, CORPUS, ISLAND, QUESTION, runs_of
from ui.cli.main import cli

ROOT = Path(assistant.__file__).parent
RECORDED = ROOT / "tests" / "data" / "contract"
SEGA = "In which city is Sega based?"
GOVERNOR = "Who is the governor of Honshu?"
REPLY = (
    "[Answer]: Honshu\n[Final Content]: Sega is based in Tokyo [{0}]. Nintendo has its headquarters in Kyoto [{1}]. "
    "Kyoto lies on the island of Honshu [{2}]. Its governor is Smith [{3}]. Honshu is the largest island [k0000]."
)
"""Cites every step once; the last key was never given."""
STORY = (
    f"[Query 1]: {SEGA}\n[Answer 1]: Tokyo\n[Query 2]: {CITY}\n[Answer 2]: Osaka",
    f"[Query 2]: {CITY}\n[Answer 2]: Kyoto\n[Query 3]: {ISLAND}\n[Unsolved Query]",
    f"[Query 3]: {ISLAND}\n[Answer 3]: Honshu\n[Query 4]: {GOVERNOR}\n[Answer 4]: Smith",
    REPLY,
)
"""Steps that are agreed with, corrected, completed and left unconfirmed. What ends a round stands last in its chain, so
that threads cannot change what is stored."""
FOLLOW_UP = (
    CITY,
    "Let me think about it.",
    f"[Query 1]: {CITY}\n[Answer 1]: Kyoto",
    "[Answer]: Kyoto\n[Final Content]: It is in Kyoto [{0}].",
)
"""A question that is rewritten, and a model that is asked again for a readable chain."""
PAPER = (
    f"[Query 1]: {CITY}\n[Answer 1]: Osaka\n[Query 2]: On which Japanese island is Osaka?\n[Answer 2]: Honshu",
    f"[Query 1]: {CITY}\n[Answer 1]: Kyoto\n[Query 2]: {ISLAND}\n[Answer 2]: Honshu",
    "[Answer]: Honshu\n[Final Content]: Kyoto [{0}]. Honshu [{1}].",
)


def run(*args: object, script: tuple[str, ...] = STORY, **options: Any) -> Result:
    """The command in this process, over a model that speaks ``script``, a toy corpus and a toy Reader."""

    def scripted(*, db: Path, **named: object) -> Assistant:
        made = runs_of(ScriptedModel(*map(citing, script)))

        def planning(settings: Settings, index: str) -> SearChain:
            return made(replace(settings, first_call="plan"), index)

        return Assistant(Database(db), planning, Settings())

    arguments = [str(arg) for arg in args]
    return CliRunner().invoke(cli, arguments, obj=scripted, prog_name="assistant.py", terminal_width=78, **options)


def citing(text: str) -> Callable[..., str]:
    """A reply of the script, with the keys that its prompt offers for ``{0}``, ``{1}`` and so on."""
    return lambda messages: text.format(*dict.fromkeys(re.findall(r"\(key (k\d+)\)", messages[-1].content)))


def done(*args: object, **options: Any) -> str:
    """What a command that succeeds prints on standard output."""
    result = run(*args, **options)
    assert result.exit_code == 0, result.output
    return result.stdout


def said(*args: object) -> str:
    """What a command that succeeds prints, also on standard error."""
    result = run(*args)
    assert result.exit_code == 0, result.output
    return result.output


def compare(folder: str, made: Mapping[str, str]) -> None:
    """Compare texts by file name with the recorded ones, which must be the same files; or record them."""
    place = RECORDED / folder
    if os.environ.get("UPDATE_CONTRACT"):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        for name, text in made.items():
            (place / name).write_bytes(text.encode())
    recorded = {file.name: file.read_bytes().decode() for file in place.iterdir()}
    assert sorted(made) == sorted(recorded)
    for name, text in made.items():
        assert text == recorded[name], f"{folder}/{name} changed"


def pretty(values: object) -> str:
    return json.dumps(values, indent=1, ensure_ascii=False) + "\n"


# a turn or conversation; an item of the desk, which is made from its turn; a turn in a Markdown footnote
_ID = re.compile(r"(?<![\w.])([0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{20})\b|(?<=\[\^)[0-9A-Z]{8}(?=-\d)")
_PLACES = {"round_started": 0, "branch_opened": 1, "chain_delta": 3, "node_parsed": 4}


class Normal:
    """Replaces what differs from run to run; the same id has the same number wherever it stands."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def text(self, text: str) -> str:
        text = _ID.sub(self._id, text)
        text = re.sub(r"\b20\d\d-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(\+00:00|Z| UTC)?)?", "<time>", text)
        text = re.sub(r'("(?!max_)(?:\w+_)?seconds": )[\d.e-]+', r'\1"<seconds>"', text)
        return re.sub(r"\b\d+(\.\d+)? s\b", "<seconds> s", text)

    def values(self, text: str) -> Any:
        """The normalised values of a JSON text, neighbouring deltas joined."""
        return json.loads(self.text(text), object_hook=_with_joined_deltas)

    def _id(self, match: re.Match[str]) -> str:
        return self._ids.setdefault(match[0], f"<id {len(self._ids) + 1}>")


def _with_joined_deltas(values: dict[str, Any]) -> dict[str, Any]:
    return {**values, "events": _joined(values["events"])} if "events" in values else values


def _joined(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events in an order that the speed of threads does not change: in each round first what the model wrote."""
    rounds, places = 0, []
    for row in rows:
        event = row["event"]
        rounds += event["type"] in ("round_started", "tracing_started")
        is_inherited = event["type"] == "node_judged" and event["same_as"] is not None
        places.append((rounds, 2 if is_inherited else _PLACES.get(event["type"], 5)))
    joined: list[dict[str, Any]] = []
    for _, row in sorted(zip(places, rows, strict=True), key=lambda pair: pair[0]):
        event, last = row["event"], joined[-1]["event"] if joined else {}
        if event["type"].endswith("_delta") and last["type"] == event["type"]:
            last["text"] += event["text"]
            if "sources" in last:
                last["sources"] += event["sources"]
        else:
            joined.append(row)
    return joined


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The directory that is $SEARCHAIN_HOME meanwhile."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEARCHAIN_HOME", str(folder))
        patch.setenv("COLUMNS", "80")
        yield folder


@pytest.fixture(scope="module")
def asked(home: Path) -> list[str]:
    """What ``ask --json`` printed for three questions in two conversations of ``told.db``."""
    db = home / "told.db"
    first = done("ask", QUESTION, "--json", "--db", db)
    talk = json.loads(first)["conversation"]
    second = done("ask", "And in which city is it?", "--json", "--conversation", talk, "--db", db, script=FOLLOW_UP)
    third = done("ask", QUESTION, "--json", "--profile", "paper", "--task", "multihop", "--db", db, script=PAPER)
    return [first, second, third]


@pytest.fixture
def db(home: Path, asked: list[str], tmp_path: Path) -> Path:
    """A copy of the database with the three turns."""
    copy = tmp_path / "chat.db"
    rows(home / "told.db", "VACUUM INTO ?", str(copy))
    return copy


def rows(db: Path, sql: str, *values: object) -> list[sqlite3.Row]:
    """What a statement answers; what it changes is kept."""
    with closing(sqlite3.connect(db, isolation_level=None)) as store:
        store.row_factory = sqlite3.Row
        return store.execute(sql, values).fetchall()


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command below ``group``, with its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def test_every_help_text(home: Path, monkeypatch: pytest.MonkeyPatch):
    helps = {}
    for path, command in [((), cli), *commands(cli)]:
        # a command that another test ran outside the group would keep a help option without -h
        monkeypatch.setattr(command, "_help_option", None)
        helps[f"{'.'.join(('assistant', *path))}.txt"] = done(*path, "--help")
    compare("help", helps)


def test_the_program_prints_the_recorded_help(home: Path):
    for path in ((), ("logs", "list")):
        command = [sys.executable, ROOT / "assistant.py", *path, "--help"]
        printed = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert printed.stdout == (RECORDED / "help" / f"{'.'.join(('assistant', *path))}.txt").read_text()


def test_ask_json(asked: list[str]):
    answers = [json.loads(text) for text in asked]
    verdicts = {node["verdict"] for node in answers[0]["tree"]["nodes"]}
    assert verdicts == {"agreed", "corrected", "completed", "unconfirmed"}
    assert asked == [json.dumps(answer, ensure_ascii=False) + "\n" for answer in answers]
    normal = Normal()
    compare("ask", {f"{number}.json": pretty(normal.values(text)) for number, text in enumerate(asked, 1)})


def test_ask_for_people(home: Path):
    result = run("ask", QUESTION, "--db", home / "other.db")
    # A step may be read while the one before it is still searched for: which of their lines comes first is chance.
    progress = "".join(sorted(Normal().text(result.stderr).splitlines(keepends=True)))
    compare("ask-text", {"stdout.txt": result.stdout, "stderr.txt": progress})


def test_the_event_log(db: Path, asked: list[str]):
    normal, logs = Normal(), {}
    for number, answer in enumerate(asked, 1):
        found = rows(db, "SELECT payload FROM events WHERE turn = ? ORDER BY seq", json.loads(answer)["turn"])
        events = _joined([{"event": json.loads(normal.text(payload))} for (payload,) in found])
        logs[f"{number}.json"] = pretty([row["event"] for row in events])
    compare("events", logs)


def test_the_form_of_every_event():
    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: bare(inner) for name, inner in sorted(value.items()) if name not in ("description", "title")}
        return [bare(inner) for inner in value] if isinstance(value, list) else value

    def properties(value: dict[str, Any]) -> dict[str, Any]:
        """Fields may be named ``title``, so that they are kept."""
        fields = {name: bare(field) for name, field in value.get("properties", {}).items()}
        return bare(value) | ({"properties": fields} if fields else {})

    forms = TypeAdapter(Event).json_schema()["$defs"]
    compare("event-forms", {"schema.json": pretty({name: properties(form) for name, form in sorted(forms.items())})})


def formats(*command: str) -> list[str]:
    """What the command's help offers as ``--format``."""
    offered = re.search(r"--format \[([\w|-]+)\]", done(*command, "--help"))
    assert offered
    return offered[1].split("|")


def test_every_export(db: Path):
    made = {}
    for format in formats("export"):
        target = db.with_name(f"export.{format}")
        done("export", "--format", format, "--out", target, "--db", db)
        if format == "word":  # a zip: what another program reads of it
            target.write_text(mammoth.convert_to_html(io.BytesIO(target.read_bytes())).value, encoding="utf-8")
        text, normal = target.read_bytes().decode(), Normal()
        if format == "jsonl":
            lines = text.splitlines()
            made["jsonl.json"] = pretty([normal.values(line) for line in lines])
            made["jsonl.start.txt"] = "".join(normal.text(row.partition('"round_started"')[0]) + "\n" for row in lines)
        else:
            if format == "proof":  # its digest is that of times and ids, too
                text = text.replace(text[-91:-27], "<digest>").replace('":', '": ')
            made[f"{format}.txt"] = normal.text(text)
    compare("exports", made)


def test_an_exported_file_is_imported(db: Path):
    target, other = db.with_name("import.jsonl"), db.with_name("import.db")
    done("export", "--out", target, "--db", db)
    compare("import", {name: said("import", target, "--db", other) for name in ("first.txt", "again.txt")})


def test_the_logs(db: Path, asked: list[str]):
    first = json.loads(asked[0])
    normal = Normal()
    calls = {
        "list": ["list"],
        "list-json": ["list", "--json"],
        "show": ["show", first["turn"]],
        "show-conversation": ["show", first["conversation"]],
        "search": ["search", "kyoto", "headquart*"],
        "search-json": ["search", "governor", "--json"],
        "stats": ["stats"],
        "stats-json": ["stats", "--json"],
        "verify": ["verify"],
        "verify-json": ["verify", "--json"],
    }
    made = {name: normal.text(said("logs", *call, "--db", db)) for name, call in calls.items()}
    made["stats"] = re.sub(r" +\d+\.\d(?= )", " <seconds>", made["stats"])
    compare("logs", {f"{name}.txt": text for name, text in made.items()})


def test_the_desk(db: Path):
    normal = Normal()
    made = {"import.txt": said("annotate", "import", "--from-turns", "--db", db)}
    for format in formats("annotate", "export"):
        made[f"export.{format}.txt"] = done("annotate", "export", "--format", format, "--db", db)
    made["status.txt"] = done("annotate", "status", "--db", db)
    made["items.txt"] = done("annotate", "status", "--items", "--db", db)
    compare("desk", {name: normal.text(text) for name, text in made.items()})


def test_http(home: Path, db: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch):
    """The real ``chat`` command, open to visitors and users; what is looked at is looked at while it serves."""
    import gradio  # here, because it takes seconds

    conversation, seen, port = json.loads(asked[0])["conversation"], {}, free_port()
    password = home / "password.txt"
    password.write_text("correct horse\n")
    done("user", "add", "ann", "--role", "admin", "--password-file", password, "--db", db)
    program = {"Authorization": f"Bearer {done('user', 'token', 'ann', '--db', db).strip()}"}
    launch = gradio.Blocks.launch

    def call(method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, dict[str, str], str]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()

    def look(blocks: Any, *args: Any, **options: Any) -> None:
        launch(blocks, *args, **options)
        try:
            seen["routes.txt"] = routes(blocks.app, gradio.routes.App.create_app(gradio.Blocks()))
            form = urlencode({"name": "ann", "password": "correct horse"})
            signed_in = call("POST", "/sign-in", form, **{"Content-Type": "application/x-www-form-urlencoded"})
            session = {"Cookie": signed_in[1]["set-cookie"].partition(";")[0]}
            wanted = json.dumps({"conversation": conversation, "days": 30})
            rows(db, "UPDATE conversations SET owner = 'ann'")
            snapshot = "/" + json.loads(call("POST", "/shares", wanted, **session)[2])["path"]
            seen["headers.json"] = pretty(
                {
                    "GET /": shown(call("GET", "/")),
                    "GET /sign-in": shown(call("GET", "/sign-in")),
                    "POST /sign-in": shown(signed_in),
                    "GET /annotate as a visitor": shown(call("GET", "/annotate")),
                    "GET /s/<token>": shown(call("GET", snapshot)),
                    "GET /s/nothing": shown(call("GET", "/s/nothing")),
                    "GET /annotate as an admin": shown(call("GET", "/annotate", **session)),
                    "GET /v1/models": shown(call("GET", "/v1/models", **program)),
                    "GET /config": shown(call("GET", "/config")),
                    "POST /sign-out": shown(call("POST", "/sign-out", "", **session)),
                }
            )
            question = json.dumps({"model": "searchain", "messages": [{"role": "user", "content": QUESTION}]})
            completion = Normal().values(call("POST", "/v1/chat/completions", question, **program)[2])
            seen["completion.json"] = pretty(completion | {"created": "<time>"})
        finally:
            blocks.close(verbose=False)
        raise KeyboardInterrupt  # how people stop it

    monkeypatch.setattr(gradio.Blocks, "launch", look)
    # uvicorn shuts all handlers of logging; the one that absl adds would close pytest's own standard error
    monkeypatch.setattr(logging, "shutdown", lambda handlers: None)
    result = run("chat", "--public", "--port", port, "--db", db)
    assert result.exit_code == 130, result.output
    compare("http", seen)


def routes(app: Any, plain: Any) -> str:
    """Methods and path of every route that a page without anything on it does not have."""

    def named(app: Any, above: str = "") -> Iterator[str]:
        for route in app.routes:
            if hasattr(route, "routes"):
                yield from named(route, above + route.path)
            elif hasattr(route, "methods"):
                yield f"{' '.join(sorted(route.methods))} {above}{route.path}"

    return "".join(f"{line}\n" for line in sorted({*named(app)} - {*named(plain)}))


def shown(answer: tuple[int, dict[str, str], str]) -> dict[str, Any]:
    """Status and headers, without what differs from call to call."""
    status, headers, _ = answer
    values = {name: value for name, value in headers.items() if name not in ("date", "content-length", "server")}
    if "set-cookie" in values:
        secret = re.sub(r"=[\w-]{20,}", "=<secret>", values["set-cookie"])
        values["set-cookie"] = re.sub(r"expires=[^;]*", "expires=<time>", secret)
    return {"status": status, **dict(sorted(values.items()))}


def test_the_database(home: Path):
    open_assistant(db=home / "new.db").close()
    made = rows(home / "new.db", "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
    applied = rows(home / "new.db", "SELECT migration_set, name FROM _sqlite_migrations ORDER BY id")
    compare(
        "database",
        {
            "schema.sql": "".join(f"-- {type} {name}\n{sql}\n" for type, name, sql in made),
            "migrations.txt": "".join(f"{group} {name}\n" for group, name in applied),
            "digest.txt": digest("turn", 7, "2026-01-02T03:04:05.678+00:00", '{"type": "run_started"}') + "\n",
        },
    )


def test_the_views(db: Path):
    views = {}
    for (name,) in rows(db, "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name"):
        found = [dict(row) for row in rows(db, f"SELECT * FROM {name}")]
        views[f"{name}.json"] = pretty(Normal().values(json.dumps(found, ensure_ascii=False)))
    compare("views", views)


def test_the_names_of_files(home: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch):
    open_assistant().close()
    found = sorted({file.name for file in home.iterdir() if file.stem == "searchain"})
    with monkeypatch.context() as patch:
        patch.setattr(Path, "is_dir", lambda self, **_: True)  # as if they were made already
        directories = [path.relative_to(home).as_posix() for path in (embedded_reader(), embedded_checkpoint())]
    names = {"files": found, "directories": directories, "key of a part": key(CORPUS, "0123456789abcdef")}
    weights = ROOT / "searchain" / "weights"
    sums = "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(ROOT).as_posix()}\n"
        for folder in (weights, ROOT / "prompts")
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    )
    compare("files", {"names.json": pretty(names), "sha256.txt": sums})


def test_the_python_names():
    """Additions are allowed, so that only what was recorded is looked for."""
    functions = {"open_assistant": open_assistant, "readable": readable, "fold": fold}
    if os.environ.get("UPDATE_CONTRACT"):
        modules = ("searchain.types", "searchain.settings", "searchain.errors", "searchain.events")
        names = {
            "modules": {name: sorted(_defined(name)) for name in modules},
            "parameters": {name: list(inspect.signature(function).parameters) for name, function in functions.items()},
            "Assistant": sorted(name for name in vars(Assistant) if not name.startswith("_") and name != "export"),
        }
        compare("python", {"names.json": pretty(names)})
    known = json.loads((RECORDED / "python" / "names.json").read_text())
    for module, names in known["modules"].items():
        assert set(names) <= set(dir(importlib.import_module(module))), module
    for name, parameters in known["parameters"].items():
        assert set(parameters) <= set(inspect.signature(functions[name]).parameters), name
    assert set(known["Assistant"]) <= set(dir(Assistant))


def _defined(module: str) -> Iterator[str]:
    """The public names that the module's own text defines."""
    for node in ast.parse(inspect.getsource(importlib.import_module(module))).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                if not name.startswith("_"):
                    yield name
