"""``--ray`` where there is no Ray, and addresses that are none."""

import pytest
from click.testing import CliRunner

from tests.support.retrieval_home import write_corpus
from ui.cli.main import cli

INSTALL = (
    "error: --ray needs the package 'ray', which is not installed; "
    "run: pip install -r requirements-scale.txt -c constraints.txt\n"
)


@pytest.mark.parametrize("command", ["index", "eval", "serve"])
def test_one_line_says_how_it_is_installed(tmp_path, monkeypatch, index_home, command):
    corpus = str(write_corpus(tmp_path / "c.jsonl"))
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"id": "1", "question": "Who?", "answers": ["x"]}\n')
    asked = ["eval", "--system", "direct", "--data", str(questions), "--out", str(tmp_path / "out.jsonl"), "--ray"]
    words = {"index": ["index", "build", corpus, "--name", "x", "--ray"], "eval": asked, "serve": ["serve", "--ray"]}
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    result = CliRunner().invoke(cli, words[command])
    assert (result.exit_code, result.stderr) == (1, INSTALL)
