"""The commands ``tables``, asked once, kept, printed and written, and ``index from-dataset``."""

import json
from functools import partial

import pytest

from lab.scripted.model import ScriptedModel
from searchain.assemble import Parts
from tests.support.fakes import EXAMPLE, toy_searchain
from tests.support.json_lines import kept, write_lines
from tests.support.shell import run, told

END = "Nintendo is in Kyoto. So the final answer is: Honshu."


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A folder with two questions of our own, and parts that always answer Honshu."""
    asked = []

    def searchain(self, settings, index, model_name=None):
        parts = toy_searchain(lambda messages: asked.append(messages) or END)
        parts.settings, parts.index = settings.with_thresholds(0.0, 0.0), index
        return parts

    monkeypatch.setattr(Parts, "searchain", searchain)
    monkeypatch.setattr(Parts, "model", lambda self, name=None: ScriptedModel())
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path / "home"))
    lines = ({"id": str(one), "question": f"{EXAMPLE.question} {one}", "answers": ["Honshu"]} for one in (1, 2))
    write_lines(tmp_path / "data" / "vital" / "dev.jsonl.gz", lines)
    return tmp_path, asked


tables = partial(run, "tables")


def test_what_is_missing_is_asked_once_and_the_table_written(data):
    folder, asked = data
    args = ("1", "--data", folder / "data", "--out", folder / "out", "--systems", "cot,cot-sc", "--small")
    first = tables(*args)
    assert first.exit_code == 0, first.output
    assert "| cot-sc | – \\| 100.0 [100.0, 100.0] (2) |" in first.stdout
    assert "4 questions to ask, about 12 calls of the model" in first.stderr
    assert len(asked) == 2 * (1 + 5)
    assert (folder / "out" / "cot-sc-vital.jsonl").read_text().count("\n") == 2
    written = json.loads((folder / "out" / "table-1.json").read_text())
    assert written["tables"][0]["rows"]["cot"]["vital"]["ours"]["value"] == 100.0
    again = tables(*args)
    assert (len(asked), again.stdout) == (12, first.stdout)
    kept = tables(*args, "--kept", "--systems", "cot")
    assert "| cot | – \\| 100.0" in kept.stdout


def test_the_papers_figures_alone_need_no_data(data):
    shown = tables("all", "--paper")
    assert shown.exit_code == 0, shown.output
    assert "| searchain | 56.91 \\| – | 17.07 \\| – |" in shown.stdout
    assert "| New Bing | 1.143 \\| – | 0.45 \\| – |" in shown.stdout


@pytest.mark.parametrize(("args", "says"), kept("wrong-tables.json"))
def test_what_is_wrong_is_said_in_one_line(data, args, says):
    folder, _ = data
    result = tables(*(one.replace("{data}", str(folder / "data")) for one in args), "--out", folder / "out")
    assert result.exit_code == 2
    assert says.replace("{data}", str(folder / "data")) in result.output
    assert "Traceback" not in result.output


def test_table_3b_reads_the_runs_of_the_system_whose_right_answers_count(data):
    folder, _ = data
    (folder / "data" / "multihop").mkdir()
    (folder / "data" / "vital" / "dev.jsonl.gz").rename(folder / "data" / "multihop" / "tune.jsonl.gz")
    args = ("--data", folder / "data", "--out", folder / "out")
    assert tables("1", *args, "--systems", "direct").exit_code == 0
    answers = (folder / "out" / "direct-hotpotqa.jsonl").read_text()
    (folder / "out" / "dsp-hotpotqa.jsonl").write_text(answers)
    made = tables("3b", *args, "--systems", "dsp", "--right-by", "direct", "--kept")
    assert made.exit_code == 0, made.output
    assert "| dsp | 14.72 \\| 0.0 [0.0, 0.0] (2) |" in made.stdout
    assert "Right without retrieval: by direct." in made.stdout


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        ('["Kyoto is on Honshu."]', "cities", "error: record 1 of 'hotpot.json' has not the form of "),
        ('[{"context": {"title": ["Kyoto"]}}]', "cities", "error: record 1 of 'hotpot.json' has not the form of "),
        ('[{"context": [["Kyoto", ["Kyoto is on Honshu."]]]}]', "a/b", "error: 'a/b' is no index name; a name has "),
    ],
)
def test_a_data_set_that_cannot_be_indexed_is_one_line(index_home, tmp_path, content, name, says):
    file = tmp_path / "hotpot.json"
    file.write_text(content)
    status, out, err = told("index", "from-dataset", file, "--name", name)
    assert (status, out, err.count("\n"), err[: len(says)]) == (2, "", 1, says)
