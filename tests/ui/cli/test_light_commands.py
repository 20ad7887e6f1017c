"""Commands that only read and write the database start without the libraries that answer questions or serve a page."""

import json
import subprocess
import sys
from pathlib import Path

from tests.support.judged_replies import fill_desk, simulate_judging
from tests.support.story_runs import database_with, store_run

PROGRAM = """
import json, sys

class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"torch", "gradio", "transformers", "colbert", "faiss", "openai", "xllamacpp", "scipy"}:
            raise ImportError(f"a light command imports {name}")

sys.meta_path.insert(0, Refusing())

from click.testing import CliRunner
from ui.cli.main import cli

results = {" ".join(args): CliRunner().invoke(cli, args) for args in json.loads(sys.argv[1])}
print(json.dumps({said: result.output for said, result in results.items() if result.exit_code}))
"""


def test_light_commands_need_no_model_and_no_page(tmp_path: Path):
    store = database_with(tmp_path / "searchain.db")
    started = store_run(store)
    fill_desk(store, simulate_judging(replies=4))
    store.close()
    (tmp_path / "password.txt").write_text("correct horse\n")
    turn, file = started.turn, str(tmp_path / "out.jsonl")
    calls = [
        *(["logs", name] for name in ("list", "stats", "verify", "shares")),
        *(["logs", name, turn] for name in ("show", "tail")),
        ["logs", "replay", turn, "--speed", "0"],
        ["logs", "search", "kyoto"],
        ["logs", "share", started.conversation],
        ["logs", "backup", str(tmp_path / "backup.db")],
        ["logs", "redact", turn, "--text", "Honshu", "--yes"],
        *(
            ["export", "--format", name, "--out", f"{file}.{name}"]
            for name in ("html", "markdown", "csv", "alce", "openai", "bibtex")
        ),
        ["export", "--out", file],
        ["import", file, "--db", str(tmp_path / "other.db")],
        ["user", "add", "ann", "--password-file", str(tmp_path / "password.txt")],
        ["user", "token", "ann"],
        ["user", "list"],
        ["user", "remove", "ann"],
        ["annotate", "import", file],
        *(["annotate", "export", "--format", name] for name in ("jsonl", "csv")),
        *(["annotate", name] for name in ("status", "agreement", "report")),
        ["annotate", "study", "--freeze"],
        ["annotate", "export", "--protocol", "--out", str(tmp_path / "round.zip")],
        ["index", "list"],
        ["logs", "delete", turn, "--yes"],
    ]
    env = {"SEARCHAIN_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", PROGRAM, json.dumps(calls)], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "{}\n"), done.stderr
