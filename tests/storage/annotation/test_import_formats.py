"""Answers as other programs store them: each becomes an item with its marks and documents."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from searchain.annotation.protocol import Place, default_labels
from storage.annotation import items
from storage.annotation.import_formats import detected
from storage.database import Database
from ui.cli.main import cli

DOCUMENTS = [{"title": "Kyoto", "text": "Kyoto is old."}, {"title": "Nara", "text": "Nara is older."}]
FILES = json.loads((Path(__file__).parents[2] / "data" / "import-formats.json").read_text(encoding="utf-8"))
"""The same answer as each program stores it, by the program's name."""


def run(*args, db, input=None):
    return CliRunner().invoke(cli, ["annotate", *map(str, args), "--db", str(db)], input=input)


def frozen(path):
    store = Database(path)
    found = list(items.items(store))
    store.close()
    return found


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("indent", [None, 1])
def test_a_file_of_another_program_is_read(tmp_path, name, indent):
    assert detected(FILES[name]) == name
    text = json.dumps(FILES[name], indent=indent)
    done = run("import", "-", *(["--system", "m"] if name == "ragas" else []), db=tmp_path / "d.db", input=text)
    assert done.stderr == "1 imported\n"
    [item] = frozen(tmp_path / "d.db")
    assert (item.question, item.system) == ("Q?", "m")
    assert item.answer == "Kyoto [1][2]."
    assert [source.number for source in item.sources] == [1, 2]


def test_invented_marks_stay_and_a_dry_run_changes_nothing(tmp_path):
    answers = [
        {
            "question": "Invented?",
            "system": "m",
            "answer": "It is so [1][9].",
            "citations": [{"number": 1, **DOCUMENTS[0]}],
        },
        {"question": "Unclear?", "system": "m", "answer": "It is so (Smith, 2020).", "citations": []},
        {
            "question": "Uncited?",
            "system": "m",
            "answer": "It is so [1].",
            "citations": [{"number": n, **DOCUMENTS[0]} for n in (1, 2)],
        },
    ]
    text = "".join(json.dumps(one) + "\n" for one in answers)
    tried = run("import", "-", "--dry-run", db=tmp_path / "d.db", input=text)
    assert tried.stderr.splitlines() == [
        "3 replies, 3 marks, 1 invented, 1 without marks, 1 look uncited",
        "understood: [1] (3)",
        "looks like a citation, not understood: “(Smith, 2020)” (1)",
        "nothing was imported: leave --dry-run out to import",
    ]
    assert frozen(tmp_path / "d.db") == []
    refused = run("import", "-", "--strict", db=tmp_path / "d.db", input=text)
    assert (refused.exit_code, "(Smith, 2020)" in refused.stderr, refused.stderr.count("\n")) == (2, True, 1)
    assert run("import", "-", db=tmp_path / "d.db", input=text).stderr.endswith("3 imported\n")
    invented, _, uncited = frozen(tmp_path / "d.db")
    assert (invented.answer, invented.invented) == ("It is so [1][9].", {1})
    assert [one.place for one in default_labels(invented).marks] == [None, Place.INVENTED]
    assert [source.number for source in uncited.uncited] == [2]
    assert run("import", "-", db=tmp_path / "d.db", input=text).stderr.endswith("0 imported, 3 there already\n")
