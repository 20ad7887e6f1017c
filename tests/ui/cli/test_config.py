"""The config file gives commands their options, and is checked before anything begins; logs come as text or JSON."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.support.json_lines import kept
from tests.support.shell import printed
from ui.cli import ask, chat

ROOT = Path(__file__).parents[3]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    return tmp_path


def test_options_come_from_the_file_and_the_command_line_goes_before(home: Path, monkeypatch: pytest.MonkeyPatch):
    given: dict[str, object] = {}
    for command in (chat.chat, ask.ask):
        monkeypatch.setattr(command, "callback", click.pass_obj(lambda obj, **named: given.update(named)))
    (home / "config.toml").write_text(
        '[chat]\npublic-url = "https://a.example"\nmin-free-disk = 3\nalso-index = ["one", "two"]\npublic = true\nport = 1\n'
    )
    assert printed("chat", "--port", 2) == ""
    found = [given[name] for name in ("public_url", "min_free", "also_indexes", "public", "port")]
    assert found == ["https://a.example", 3.0, ("one", "two"), True, 2]
    for is_off in (True, False):  # a flag that switches off does so in the file
        (home / "config.toml").write_text(f"[ask]\nno-ir = {str(is_off).lower()}\n")
        assert printed("ask", "Who?") == ""
        assert given["use_ir"] is not is_off
    (home / "other.toml").write_text("[logs.list]\nlimitt = 1")  # a command of a group has a table below
    assert "[logs.list] has 'limitt'" in printed("--config", home / "other.toml", "logs", "list", status=2)
    printed("--config", home / "none.toml", "logs", "list", status=2)


@pytest.mark.parametrize(("text", "said"), kept("wrong-configs.json"))
def test_a_wrong_file_is_one_line(home: Path, text: str, said: str):
    (home / "config.toml").write_text(text)
    output = printed("chat", status=2)
    assert (output.count("\n"), said in output) == (1, True), output


_LOGS = """
import logging
from pathlib import Path
from ui.cli.main import log_to
log_to("json", "info", Path("unused.log"))
logging.getLogger("ui.server").info("two\\nlines of %s", "ann")
logging.getLogger("ui.server").debug("too little")
logging.getLogger("httpx").info("of a library")
try:
    raise ValueError("broken")
except ValueError:
    logging.getLogger("httpx").exception("failed")
"""


def test_logs_are_lines_of_json_from_a_level_on(tmp_path: Path):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", _LOGS], cwd=tmp_path, env=env, capture_output=True, text=True)
    first, second = map(json.loads, done.stderr.splitlines())
    assert (first["level"], first["logger"], first["message"]) == ("info", "ui.server", "two\nlines of ann")
    assert (second["message"], "ValueError: broken" in second["error"]) == ("failed", True)
    assert list(tmp_path.iterdir()) == []
