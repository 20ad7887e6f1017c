import json
from importlib.metadata import version

import pytest

from lab.scripted.server import Failure, Reply, ScriptedServer
from searchain.errors import SetupError, StorageError
from storage.database import Database
from tests.support.shell import run
from ui.cli import doctor
from ui.cli.doctor import Check, examine, of_model

NAMES = "Python|packages|models and corpus|disk space|database|language model|index|Reader".split("|")


def raising(error):
    def look():
        raise error

    return look


def test_every_check_ends_in_a_finding_and_packages_of_other_versions_are_named(monkeypatch):
    said = r"^pytest is [\d.]+ instead of 0\.0\.1, not-there is not installed instead of 1\.0; run: make setup$"
    with pytest.raises(SetupError, match=said):
        doctor.check_pins({"pytest": "0.0.1", "not-there": "1.0"}, "run: make setup")
    with pytest.raises(SetupError, match=r"^4 of 5 packages are missing or of another version; run: make setup$"):
        doctor.check_pins({"pytest": version("pytest"), "a": "1", "b": "1", "c": "1", "d": "1"}, "run: make setup")
    monkeypatch.delenv("SEARCHAIN_DEBUG", raising=False)
    broken = Check("broken", raising(SetupError("no browser; install one")))
    surprising = Check("surprising", raising(ZeroDivisionError("by zero")))
    findings = examine((Check("here", lambda: "3 files"), broken, surprising))
    assert [(finding.name, finding.state, finding.detail) for finding in findings] == [
        ("here", "ok", "3 files"),
        ("broken", "problem", "no browser; install one"),
        ("surprising", "problem", "ZeroDivisionError: by zero (SEARCHAIN_DEBUG=1 shows where)"),
    ]


def test_a_machine_that_was_not_set_up_is_told_what_to_do(tmp_path):
    result = run("doctor", "--json", db=tmp_path, env={"SEARCHAIN_HOME": str(tmp_path / "home")})
    report = json.loads(result.stdout)
    found = {check["name"]: check for check in report["checks"]}
    assert (result.exit_code, report["ok"], list(found)) == (1, False, NAMES)
    assert {name for name, check in found.items() if check["state"] == "ok"} >= {"Python", "packages", "disk space"}
    for name in ("models and corpus", "language model", "index"):
        assert found[name]["detail"].endswith("run: make setup")
    assert found["database"]["detail"] == str(pytest.raises(StorageError, Database, tmp_path).value)


def told(script, **server) -> dict[str, tuple[str, str]]:
    """What the checks say of a model behind a scripted server."""
    with ScriptedServer(script=script, tokens_per_second=1e6, **server) as served:
        return {one.name: (one.state, one.detail) for one in examine(of_model("scripted", served.base_url, None))}


def test_a_model_at_an_endpoint_is_asked_and_tried_and_one_that_does_not_answer_is_a_problem():
    found = told([Reply("yes", repeats=True)])
    host = found["language model"][1].partition(" at ")[2].partition(" ")[0]
    able = "small (cites, asks on: not as wanted): it reads answers, and the embedded model plans"
    assert found == {"language model": ("ok", f"scripted at {host} answers"), "· abilities": ("ok", able)}
    assert told([Reply("", repeats=True)])["language model"][0] == "problem"
    missing = told([Failure(401, "no key", repeats=True)])
    assert {state for state, _ in missing.values()} == {"problem"}
    said = {detail.partition(" asks for ")[2] for _, detail in missing.values()}
    assert said == {"a key and none is set; set OPENAI_API_KEY"}
