"""The same work in the processes of a real Ray cluster on this machine: equal to what one process makes."""

import json
import threading
import time

import pytest
from click.testing import CliRunner

from searchain.llm.scripted_server import Reply, ScriptedServer
from searchain.retrieval import indexes, registry
from tests.support.retrieval_home import CITIES, write_corpus
from ui.cli.main import cli

pytestmark = pytest.mark.ray
ray = pytest.importorskip("ray", reason="ray is not installed; see requirements-scale.txt")

COLOURS, THINGS = "red green blue black white grey pink".split(), "car house river cloud tree lamp".split()
RECORDS = [(f"{n}", f"Number {n}", f"A {COLOURS[n % 7]} {THINGS[n % 6]} of {1000 + n}.") for n in range(1_145)] + CITIES
"""A shard of 1,100 passages, which has two blocks and becomes a PLAID index, and one of 50."""


def found(name, queries):
    index = indexes.open_index(name)
    return [[hit.passage.id for hit in index.search(query, 10)] for query in queries]


def stored(home, index):
    return [(home / "indexes" / "parts" / key / "passages.jsonl").read_bytes() for key in index.parts]


def test_an_index_is_equal_to_a_local_one_and_survives_a_killed_worker(index_home, tmp_path):
    from searchain.scale.building import building

    path = write_corpus(tmp_path / "c.jsonl", RECORDS)
    with building("local", workers=2) as builder:

        def kill() -> None:
            while not list(registry.parts_root().glob(".*.draft/passages.offsets")) or not builder.workers:
                time.sleep(0.01)
            ray.kill(builder.workers[0], no_restart=False)

        killing = threading.Thread(target=kill)
        killing.start()
        far = indexes.build_index("far", [path], shard_size=1_100, builder=builder)
        killing.join()
    queries = [f"Which {colour} {thing}?" for colour in COLOURS for thing in THINGS] + [
        f"What was there in {year}?" for year in range(1_000, 1_158)
    ]
    assert len(queries) == 200
    texts, answers = stored(index_home, far.index), found("far", queries)
    indexes.remove_index("far")

    near = indexes.build_index("near", [path], shard_size=1_100)
    assert near.index.parts == far.index.parts
    assert near.index.shards == far.index.shards
    assert stored(index_home, near.index) == texts
    assert found("near", queries) == answers


TIMES = ("llm_seconds", "retrieval_seconds", "reader_seconds", "seconds")


def rows(path):
    lines = sorted((json.loads(line) for line in path.read_text().splitlines()), key=lambda line: line["id"])
    for line in lines:
        for name in TIMES:
            line["usage"].pop(name, None)
    return lines


def test_an_evaluation_has_the_rows_of_jobs(tmp_path):
    questions = tmp_path / "q.jsonl"
    places = {"Canada": "Ottawa", "Japan": "Tokyo", "France": "Paris"}
    questions.write_text(
        "".join(
            json.dumps({"id": place, "question": f"What is the capital of {place}?", "answers": [answer]}) + "\n"
            for place, answer in places.items()
        )
    )
    script = [
        Reply(f"[Query 1]: What is the capital of {place}?\n[Answer 1]: {answer}\n", when=place, repeats=True)
        for place, answer in places.items()
    ]
    with ScriptedServer(models=("m",), script=script) as server:
        asked = [
            "eval",
            "--system",
            "searchain-no-ir",
            "--data",
            str(questions),
            "--set",
            "reply=template",
            "--jobs",
            "2",
        ]
        for name, more in (("near", []), ("far", ["--ray"])):
            out = ["--out", str(tmp_path / f"{name}.jsonl"), "--model", "m", "--base-url", server.base_url]
            result = CliRunner().invoke(cli, [*asked, *out, *more])
            assert result.exit_code == 0, result.stderr
    assert [json.loads(line)["id"] for line in (tmp_path / "far.jsonl").read_text().splitlines()] == list(places)
    assert rows(tmp_path / "far.jsonl") == rows(tmp_path / "near.jsonl")
