"""``--db`` given several times: what several chat processes stored is read as one."""

import json
import re

import pytest
from click.testing import CliRunner

from storage.annotation.desk import Desk
from storage.database import Database
from storage.log import runs
from tests.support.judged_replies import desk_database, uniform_labels
from tests.support.story_runs import nintendo, store_run
from ui.cli.main import cli


def run(paths, *words):
    named = [word for path in paths for word in ("--db", str(path))]
    return CliRunner().invoke(cli, [*map(str, words), *named])


@pytest.fixture
def homes(tmp_path):
    """Two databases with a turn of one user each, and in the second another one that is being answered."""
    paths = [tmp_path / "one.db", tmp_path / "two.db"]
    for path, owner in zip(paths, ("ann", "bob"), strict=True):
        store = Database(path)
        store_run(store, nintendo(f"Where is {owner}?"), owner)
        if owner == "bob":
            runs.start(store, runs.Process(), "Is it done?", owner)
        store.close()
    return paths


def listed(done):
    assert done.exit_code == 0, done.output
    return [json.loads(line)["question"] for line in done.stdout.splitlines()]


def test_turns_of_all_are_listed_found_counted_and_shown(homes):
    assert sorted(listed(run(homes, "logs", "list", "--json"))) == ["Is it done?", "Where is ann?", "Where is bob?"]
    assert listed(run(homes, "logs", "list", "--json", "--user", "ann")) == ["Where is ann?"]
    assert sorted(listed(run(homes, "logs", "search", "--json", "where"))) == ["Where is ann?", "Where is bob?"]
    (used,) = json.loads(run(homes, "logs", "stats", "--json").stdout)["usage"]
    assert used["turns"] == 2
    turn = json.loads(run(homes[1:], "logs", "list", "--json", "--text", "bob").stdout)["id"]
    shown = run(homes, "logs", "show", turn)
    assert (shown.exit_code, shown.stdout) == (0, run(homes[1:], "logs", "show", turn).stdout)
    assert listed(run(homes[:1], "logs", "list", "--json")) == ["Where is ann?"]


def test_an_export_holds_the_turns_of_all(homes, tmp_path):
    done = run(homes, "export", "-o", tmp_path / "all.jsonl")
    assert done.stderr.endswith("; 1 still being answered left out\n")
    assert run([tmp_path / "third.db"], "import", tmp_path / "all.jsonl").stderr == "2 turns imported\n"
    apart = [run([path], "export").stdout for path in homes]
    assert sorted((tmp_path / "all.jsonl").read_text().splitlines()) == sorted("".join(apart).splitlines())


def test_an_export_into_a_folder_is_named_after_the_conversation(homes, tmp_path):
    (tmp_path / "out").mkdir()
    (row,) = run(homes[1:], "logs", "list", "--json", "--text", "bob").stdout.splitlines()
    run(
        homes,
        "export",
        "-o",
        tmp_path / "out",
        "--format",
        "markdown",
        "--conversation",
        json.loads(row)["conversation"],
    )
    run(homes, "export", "-o", tmp_path / "out")
    day = r"-\d{4}-\d\d-\d\d"
    names = " ".join(sorted(file.name for file in (tmp_path / "out").iterdir()))
    assert re.fullmatch(rf"SearChain-conversations{day}\.jsonl Where-is-bob{day}\.md", names)


def test_the_same_turn_in_two_is_refused_and_the_same_file_twice_is_one(homes, tmp_path):
    run(homes[:1], "export", "-o", tmp_path / "one.jsonl")
    run([tmp_path / "third.db"], "import", tmp_path / "one.jsonl")
    done = run([homes[0], tmp_path / "third.db"], "logs", "list")
    assert done.exit_code == 1
    assert "is in two of the databases; name one of them" in done.stderr
    assert listed(run([homes[0], homes[0]], "logs", "list", "--json")) == ["Where is ann?"]


def test_labels_of_all_are_counted_reported_and_exported(tmp_path):
    paths = [tmp_path / "one.db", tmp_path / "two.db"]
    for number, path in enumerate(paths, 2):
        store = desk_database(path, number=number)
        desk = Desk(store)
        item = desk.next_item(f"judge{number}").item
        desk.submit(f"judge{number}", item.id, uniform_labels(item))
        store.close()
    apart = [json.loads(run([path], "annotate", "report", "--json").stdout) for path in paths]
    done = run(paths, "annotate", "report", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["labels"] == sum(one["labels"] for one in apart)
    status = run(paths, "annotate", "status").stdout
    assert "annotator judge2: 1 submitted" in status
    assert "annotator judge3: 1 submitted" in status
    exported = run(paths, "annotate", "export").stdout
    assert exported.count('"annotator": "judge') == 2
