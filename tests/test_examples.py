"""The examples of the folder ``examples``, run as their readers run them."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import scripted_chat
from tests.support.fakes import QUESTION

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_docs_name_every_example_and_nothing_else():
    named = re.findall(r"^\| `([^`]+\w)` \|", (EXAMPLES.parent / "docs" / "examples.md").read_text(), re.MULTILINE)
    assert sorted(named) == sorted(file.name for file in EXAMPLES.iterdir() if file.is_file())


@pytest.fixture
def run(monkeypatch):
    """A function that runs the code of a notebook in its folder, and returns its names."""

    def run(name, names):
        notebook = json.loads((EXAMPLES / name).read_text())
        assert all(not cell.get("outputs") for cell in notebook["cells"])
        monkeypatch.chdir(EXAMPLES)
        monkeypatch.setattr(sys, "path", list(sys.path))
        for number, cell in enumerate(notebook["cells"]):
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
        return names

    return run


def test_a_folder_of_answers_is_checked_and_does_not_pass(run, index_home, capsys):
    names = {}
    with pytest.raises(SystemExit, match="do not pass"):
        run("check_answers.ipynb", names)
    states = {name: [str(one.support) for one in turn.sentences] for name, turn in names["checked"].items()}
    assert states == {
        "living_there.md": ["quoted", "contradicted", "supported", "absent"],
        "moving_in.md": ["supported", "contradicted"],
    }
    printed = capsys.readouterr().out
    assert "House rules of 12 Mill Lane: “Tuesdays”" in printed
    assert "6 claims, 50% carried, 2 contradicted" in printed


def test_the_notebook_counts_citations(run, capsys):
    names = run("rag_citations.ipynb", {})
    printed = capsys.readouterr().out
    assert "24 answers of ['plain', 'reranked']" in printed
    amp = {system: found.amp for system, found in names["figures"].items()}
    assert amp["reranked"].value > amp["plain"].value
    assert amp["reranked"].low is not None
    assert "(invented" not in printed
    assert "amp: " in printed
    assert "p = " in printed
    assert "Fennel Bridge is 42 metres long [3].  ← [3]" in printed  # there is no third document


def test_a_folder_is_asked(tmp_path, monkeypatch, capsys):
    """The adding is the real command; the answer is a scripted model's over the collection's own passages."""
    from examples import ask_folder

    folder = tmp_path / "mills"
    folder.mkdir()
    (folder / "mill.txt").write_text("Nintendo has its headquarters in Kyoto.\n\nKyoto is on the island of Honshu.\n")
    asked = []
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(subprocess, "run", lambda words: asked.append(words) or subprocess.CompletedProcess(words, 0))

    def opened():
        assistant = scripted_chat.open_assistant(db=tmp_path / "chat.db")
        assistant.searched = lambda names: "default" if names == ["mills"] else pytest.fail(str(names))
        return assistant

    monkeypatch.setattr(ask_folder, "open_assistant", opened)
    ask_folder.main(folder, [QUESTION])
    assert asked == [[sys.executable, ask_folder.PROGRAM, "documents", "add", folder, "--collection", "mills"]]
    assert ask_folder.PROGRAM.is_file()
    printed = capsys.readouterr().out
    for line in ("Kyoto lies on the island of Honshu [2].", "(supported, 95% likely right)", "[1] Nintendo: “Kyoto”"):
        assert line in printed


def test_the_scripts_explain_themselves():
    for file in EXAMPLES.glob("*.py"):
        assert "Usage" in ast.get_docstring(ast.parse(file.read_text()))
    command = [sys.executable, "-m", "examples.ask_folder"]
    done = subprocess.run(command, cwd=EXAMPLES.parent, capture_output=True, text=True)
    assert done.stderr == 'usage: python -m examples.ask_folder FOLDER "QUESTION" …\n'
