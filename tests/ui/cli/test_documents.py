"""The commands `documents`, with a toy parser, and `calibrate`: what they do and what they say."""

import json
from functools import partial

import pytest

from searchain import documents as parsing
from searchain.documents import FoundFile
from storage.collections import access, ticks
from storage.database import Database
from tests.support.judged_runs import judged
from tests.support.own_documents import toy_parser  # noqa: F401
from tests.support.shell import printed

PUMP = "The pump must be oiled every ninety days."


@pytest.fixture
def plain_files(toy_parser, monkeypatch):
    """Read files, and those of folders, in this process."""

    def files_in(path, name=None):
        for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
            yield FoundFile(str(one.relative_to(path)) if path.is_dir() else name or path.name, one)

    monkeypatch.setattr(parsing, "files_in", files_in)


@pytest.fixture
def run(index_home, plain_files):
    return partial(printed, "documents")


def test_files_are_added_listed_shown_removed_and_erased(run, index_home, tmp_path):
    folder = tmp_path / "manuals"
    folder.mkdir()
    (folder / "pump.txt").write_text(PUMP)
    (folder / "locked.txt").write_text("SECRET")
    told = run("add", folder, "--collection", "work", status=1)
    assert "manuals/pump.txt: ready\n" in told
    assert "manuals/locked.txt: encrypted: The file has a password; save it without one.\n" in told
    assert "1 document ready in 'work', 1 cannot be searched\n" in told
    assert "manuals/pump.txt: already there\n" in run("add", folder, "--collection", "work", status=1)

    assert run("list").splitlines()[0].startswith("work: 2 documents, 1 ready; id 01")
    listed = map(json.loads, run("list", "--json").splitlines())
    (pump,) = [one for one in listed if one["name"].endswith("pump.txt")]
    assert (pump["state"], pump["collection_name"], pump["type"]) == ("ready", "work", "txt")
    assert f"sha256: {pump['sha256']}" in run("show", "manuals/pump.txt", "--collection", "work")

    assert "removed 'manuals/pump.txt' of 'work'" in run("remove", pump["id"], "--collection", "work", "--yes")
    assert "there is no document" in run("remove", "manuals/pump.txt", "--collection", "work", "--yes", status=2)
    assert "words covered in 0 old replies" in run("erase", "manuals", "--collection", "work", "--yes")
    assert "erased the collection 'work' with 0 documents" in run("erase", "--all", "--collection", "work", "--yes")
    assert run("list") == ""


def test_a_collection_says_whether_its_passages_may_be_sent_to_a_model_elsewhere(run, tmp_path):
    (tmp_path / "pump.txt").write_text(PUMP)
    run("add", tmp_path / "pump.txt", "--collection", "work")
    told = "sending passages to a model elsewhere: {}\n"
    assert run("list").splitlines(keepends=True)[0].endswith(told.format("not allowed, because nobody has decided yet"))
    assert run("allow", "work") == f"work: {told.format('allowed')}"
    assert told.format("allowed") in run("show", "pump.txt", "--collection", "work")
    assert run("refuse", "work") == f"work: {told.format('refused')}"
    assert json.loads(run("list", "--json"))["elsewhere"] == "refused"


def test_a_collection_gets_its_tick_by_the_judgements_on_its_replies(index_home):
    store = Database(index_home / "searchain.db")
    mine = access.create(store, "local", "mine")

    def calibrated(*judgements):
        judged(store, mine.index, judgements)
        return printed("calibrate", "--collection", "mine").splitlines()

    assert calibrated(*[(0.7, "up")] * 12) == [
        "mine: 12 of 30 judged; at 30 the tick is yours",
        "threshold: that of all own documents",
    ]
    told = ["mine: 30 judged; ✓ here: 27 of 30 were right [74, 97]", "threshold: 0.700"]
    assert calibrated(*[(0.8, "up")] * 15, *[(0.75, "down")] * 3) == told
    assert ticks.threshold(store, mine.index) == 0.7
    assert calibrated(*[(0.9, "down")] * 30)[-1] == "threshold: none, no reply bears a tick"
    missing = printed("calibrate", "--collection", "other", status=2)
    assert missing.startswith("error: there is no collection 'other';")
    store.close()


def test_only_who_may_change_a_collection_decides(run, index_home):
    store = Database(index_home / "searchain.db")
    theirs = access.create(store, "ann", "theirs")
    access.publish(store, theirs, True)
    assert "ask its owner to make you editor" in run("allow", "theirs", status=2)
    assert access.named(store, "ann", "theirs").elsewhere is access.Elsewhere.UNKNOWN
    store.close()
