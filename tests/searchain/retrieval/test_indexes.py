"""Indexes by name, with the real checkpoint and toy corpora."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from searchain.errors import IndexMismatch, IndexNotFound, RetrievalError, SetupError, UsageError
from searchain.retrieval import indexes, parts
from searchain.retrieval.checkpoint import embedded_checkpoint
from searchain.retrieval.corpus import Skipped
from searchain.types import Passage
from tests.support.retrieval_home import CITIES, write_corpus

ROOT = Path(__file__).parents[3]
BUILD = (
    "import sys; from searchain.retrieval.indexes import build_index; print(build_index('cities', sys.argv[1:]).is_new)"
)
CAPITAL = "What is the capital of Canada?"


def ids(hits):
    return [hit.passage.id for hit in hits]


def parts_on_disk(home):
    return sorted(path.name for path in (home / "indexes" / "parts").iterdir() if path.is_dir())


def building(path):
    """Another process that builds an index of ``path``."""
    command, environment = [sys.executable, "-c", BUILD, str(path)], os.environ | {"OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def test_a_toy_corpus_is_built_listed_searched_and_removed(index_home, tmp_path):
    built = indexes.build_index("cities", [write_corpus(tmp_path / "cities.jsonl")])
    index = built.index
    assert (built.is_new, built.added, built.skipped) == (True, 5, ())
    assert (index.name, index.passages, index.checkpoint, index.sources) == ("cities", 5, "embedded", ("cities.jsonl",))
    assert indexes.list_indexes() == [index] == [indexes.get("cities")]
    retriever = indexes.open_index("cities")
    hits = retriever.search(CAPITAL, 3)
    assert hits[0].passage == Passage(*CITIES[0])
    assert [hit.rank for hit in hits] == [1, 2, 3]
    assert sorted((hit.score for hit in hits), reverse=True) == [hit.score for hit in hits]
    assert ids(retriever.search("Where are the headquarters of Nintendo?", 1)) == ["nintendo"]
    indexes.remove_index("cities")
    assert indexes.list_indexes() == [] == parts_on_disk(index_home)
    assert ids(retriever.search(CAPITAL, 1)) == ["ottawa"]  # whoever has it open keeps it


FEW = [("", 3, 0), (" \n ", 3, 0), (CAPITAL, 0, 0), (CAPITAL, 100, 5)]
ODD = [("?", 3, 3), ("word " * 20_000, 2, 2), ("京都 \ud800 \0", 2, 2)]


@pytest.mark.parametrize(("query", "k", "count"), [*FEW, *ODD])
def test_any_query_gets_at_most_k_passages(index_home, tmp_path, query, k, count):
    indexes.build_index("cities", [write_corpus(tmp_path / "cities.jsonl")])
    assert len(indexes.open_index("cities").search(query, k)) == count


def test_an_unchanged_build_does_nothing_and_a_changed_one_replaces(index_home, tmp_path):
    path = write_corpus(tmp_path / "cities.jsonl")
    first = indexes.build_index("cities", [path])
    steps = []
    again = indexes.build_index("cities", [path], progress=lambda *step: steps.append(step))
    assert (again.index, again.is_new, steps) == (first.index, False, [])
    write_corpus(path, CITIES[1:])
    changed = indexes.build_index("cities", [path])
    assert changed.index.passages == 4
    assert parts_on_disk(index_home) == list(changed.index.parts)
    assert "ottawa" not in ids(indexes.open_index("cities").search(CAPITAL, 10))


def test_passages_are_added_once_and_parts_stay_few(index_home, tmp_path):
    indexes.build_index("cities", [write_corpus(tmp_path / "1.jsonl", CITIES[1:4])])
    more = write_corpus(tmp_path / "2.jsonl", [CITIES[0], CITIES[3], ("kyoto", "Kyoto", "another text")])
    added = indexes.add_passages("cities", [more])
    assert (added.index.passages, added.added, len(added.index.parts)) == (4, 1, 2)
    assert added.skipped == (Skipped("2.jsonl", 3, "another passage has the id 'kyoto'"),)
    assert added.index.sources == ("1.jsonl", "2.jsonl")
    assert "shards" not in json.loads((index_home / "indexes" / "cities.json").read_text())  # nor has a small index any
    assert ids(indexes.open_index("cities").search(CAPITAL, 10)) == ["ottawa", "toronto", "kyoto", "nintendo"]
    again = indexes.add_passages("cities", [more])
    assert (again.index, again.is_new, again.added) == (added.index, False, 0)
    # one more passage and the part that is not larger become one part: 3 + 1 + 1 → 3 + 2 passages
    last = indexes.add_passages("cities", [write_corpus(tmp_path / "3.jsonl", CITIES[4:])]).index
    assert (last.passages, len(last.parts), last.parts[0]) == (5, 2, added.index.parts[0])
    assert sorted(last.parts) == parts_on_disk(index_home)


def test_a_thousand_and_more_passages_are_searched_by_plaid_as_exactly(index_home, tmp_path, monkeypatch):
    colours, things = "red green blue black white grey pink".split(), "car house river cloud tree lamp".split()
    records = [
        (f"{n}", f"Number {n}", f"Passage {n} tells of a {colours[n % 7]} {things[n % 6]} in {1000 + n}.")
        for n in range(1_001)
    ] + CITIES
    path = write_corpus(tmp_path / "c.jsonl", records)
    plaid = indexes.build_index("plaid", [path]).index
    assert (index_home / "indexes" / "parts" / plaid.parts[0] / "plaid" / "ivf.pid.pt").is_file()
    monkeypatch.setattr(parts, "EXACT_LIMIT", 10_000)
    monkeypatch.setattr(parts, "_format", lambda _: 3)  # else the part that exists is taken
    indexes.build_index("exact", [path])
    plaid, exact = indexes.open_index("plaid"), indexes.open_index("exact")
    for query, first in (
        (CAPITAL, "ottawa"),
        ("Where are the headquarters of Nintendo?", "nintendo"),
        ("What causes a rainbow?", "rainbow"),
    ):
        assert ids(plaid.search(query, 1)) == ids(exact.search(query, 1)) == [first]
    assert len(plaid.search(CAPITAL, 5)) == 5
    assert len(plaid.search(CAPITAL, 100)) == 100  # a small k before does not narrow a later search


@pytest.mark.parametrize("name", ["", "Upper", "a b", "../x", "ä", "x" * 65, "a.json"])
def test_a_bad_name_is_wrong_use(index_home, name):
    for action in (
        lambda: indexes.build_index(name, ["default"]),
        lambda: indexes.open_index(name),
        lambda: indexes.remove_index(name),
    ):
        with pytest.raises(UsageError, match=re.escape(repr(name))):
            action()


def test_a_missing_index_names_those_that_exist(index_home, tmp_path):
    with pytest.raises(IndexNotFound, match="none yet"):
        indexes.open_index("cities")
    indexes.build_index("towns", [write_corpus(tmp_path / "c.jsonl")])
    with pytest.raises(IndexNotFound, match=r"no index 'cities' \(there are: towns\)"):
        indexes.open_index("cities")
    with pytest.raises(SetupError, match="not built yet") as caught:
        indexes.get("default")
    assert "make setup" in caught.value.hint


def test_the_embedded_corpus_keeps_its_name_to_itself(index_home, tmp_path):
    path = write_corpus(tmp_path / "c.jsonl")
    for action in (indexes.build_index, indexes.add_passages):
        with pytest.raises(UsageError, match="embedded corpus"):
            action("default", [path])


def test_an_index_of_another_checkpoint_is_refused(index_home, tmp_path):
    mine = tmp_path / "mine"
    shutil.copytree(embedded_checkpoint(), mine)
    (mine / "fingerprint").unlink()
    path = write_corpus(tmp_path / "c.jsonl")
    index = indexes.build_index("mine", [path], checkpoint=str(mine)).index
    assert index.checkpoint == str(mine)
    assert ids(indexes.open_index("mine").search(CAPITAL, 1)) == ["ottawa"]
    metadata = json.loads((mine / "artifact.metadata").read_text())
    (mine / "artifact.metadata").write_text(json.dumps(metadata | {"query_maxlen": 16}))
    with pytest.raises(IndexMismatch, match="index 'mine' was made with another checkpoint"):
        indexes.open_index("mine")
    assert indexes.build_index("mine", [path], checkpoint=str(mine)).is_new


@pytest.mark.parametrize(
    ("config", "message"),
    [("", "it has no config.json"), ('{"auto_map": {"AutoModel": "evil.Model"}}', "its own code")],
)
def test_a_directory_that_is_no_checkpoint_is_told(index_home, tmp_path, config, message):
    folder = tmp_path / "checkpoint"
    shutil.copytree(embedded_checkpoint(), folder)
    (folder / "config.json").unlink()
    if config:
        (folder / "config.json").write_text(config)
    with pytest.raises(RetrievalError, match=message):
        indexes.build_index("x", [write_corpus(tmp_path / "c.jsonl")], checkpoint=str(folder))


def test_a_hub_that_cannot_be_reached_is_one_clear_line(index_home, tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(RetrievalError, match="the hub cannot be reached; download it elsewhere") as caught:
        indexes.build_index("x", [write_corpus(tmp_path / "c.jsonl")], checkpoint="colbert-ir/colbertv2.0")
    assert "\n" not in str(caught.value)


def test_a_damaged_index_is_told_and_can_be_built_again(index_home, tmp_path):
    path = write_corpus(tmp_path / "c.jsonl")
    index = indexes.build_index("cities", [path]).index
    part = index_home / "indexes" / "parts" / index.parts[0]
    (part / "vectors.safetensors").write_bytes(b"torn")
    with pytest.raises(RetrievalError, match="index 'cities' is damaged") as caught:
        indexes.open_index("cities")
    assert "index remove cities --yes, and build it again" in caught.value.hint
    assert "\n" not in str(caught.value)
    indexes.remove_index("cities")
    assert indexes.build_index("cities", [path]).is_new
    shutil.rmtree(part)
    assert indexes.build_index("cities", [path]).is_new
    assert ids(indexes.open_index("cities").search(CAPITAL, 1)) == ["ottawa"]
    (index_home / "indexes" / "cities.json").write_text("{torn")
    with pytest.raises(RetrievalError, match="is damaged"):
        indexes.get("cities")
    assert indexes.build_index("cities", [path]).index.passages == 5


def test_a_disk_that_is_full_is_told_before_the_work(index_home, tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "BYTES_PER_PASSAGE", 10**15)
    with pytest.raises(SetupError, match="needs about 5,000,000.0 GB"):
        indexes.build_index("cities", [write_corpus(tmp_path / "c.jsonl")])


def test_a_killed_build_leaves_the_old_index_and_the_next_one_goes_on(index_home, tmp_path):
    path = write_corpus(tmp_path / "c.jsonl")
    old = indexes.build_index("cities", [path]).index
    write_corpus(path, [(f"{n}", "", f"Passage number {n} of many.") for n in range(1_030)] + CITIES)
    process = building(path)
    folder = index_home / "indexes" / "parts"
    deadline = time.monotonic() + 120
    while not (blocks := list(folder.glob(".*.draft/blocks/*.safetensors"))) and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.communicate()
    assert indexes.get("cities") == old
    assert ids(indexes.open_index("cities").search(CAPITAL, 1)) == ["ottawa"]
    times = {block: block.stat().st_mtime_ns for block in blocks}
    kept = set()

    def note(*_):
        kept.update(block for block in times if block.exists() and block.stat().st_mtime_ns == times[block])

    new = indexes.build_index("cities", [path], progress=note).index
    assert (new.passages, kept) == (1_035, set(blocks))
    assert parts_on_disk(index_home) == list(new.parts)


def test_two_builds_of_one_index_at_a_time_both_succeed(index_home, tmp_path):
    path = write_corpus(tmp_path / "c.jsonl")
    running = [building(path) for _ in range(2)]
    assert sorted(process.communicate()[0] for process in running) == ["False\n", "True\n"]
    assert ids(indexes.open_index("cities").search(CAPITAL, 1)) == ["ottawa"]
