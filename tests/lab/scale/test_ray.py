"""The same work in the processes of a real Ray cluster on this machine: equal to what one process makes."""

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx
import pytest
import yaml
from click.testing import CliRunner

from lab.scale import cluster
from lab.scripted.server import Reply, ScriptedServer
from searchain.assemble import open_reader
from searchain.errors import RetrieverUnreachable, SearChainError
from searchain.llm.base import Form
from searchain.llm.choose import choose_model
from searchain.llm.embedded import EmbeddedModel
from searchain.retrieval import indexes, registry, server
from searchain.retrieval.remote import RemoteRetriever
from searchain.types import Message, Passage, Usage
from tests.support import two_machines
from tests.support.applications import serving  # noqa: F401
from tests.support.json_lines import write_lines
from tests.support.retrieval_home import CITIES, write_corpus
from ui.cli.doctor import check_reader, check_remote, of_model
from ui.cli.main import cli

pytestmark = pytest.mark.ray
# as ``cluster.check`` does; Ray looks for both when it is imported
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ[cluster.CLUSTERS] = "0"
ray = pytest.importorskip("ray", reason="ray is not installed; see requirements-scale.txt")

COLOURS, THINGS = "red green blue black white grey pink".split(), "car house river cloud tree lamp".split()
RECORDS = [(f"{n}", f"Number {n}", f"A {COLOURS[n % 7]} {THINGS[n % 6]} of {1000 + n}.") for n in range(1_145)] + CITIES
"""A shard of 1,100 passages, which has two blocks and becomes a PLAID index, and one of 50."""


QUERIES = [f"Which {colour} {thing}?" for colour in COLOURS for thing in THINGS] + [
    f"What was there in {year}?" for year in range(1_000, 1_158)
]


def ids(retriever, query):
    return [hit.passage.id for hit in retriever.search(query, 10)]


def found(name, queries):
    index = indexes.open_index(name)
    return [ids(index, query) for query in queries]


def stored(home, index):
    return [(home / "indexes" / "parts" / key / "passages.jsonl").read_bytes() for key in index.parts]


def test_an_index_is_equal_to_a_local_one_and_survives_a_killed_worker(index_home, tmp_path):
    from lab.scale.building import building

    path = write_corpus(tmp_path / "c.jsonl", RECORDS)
    with building("local", workers=2) as builder:

        def kill() -> None:
            while not list(registry.parts_root().glob(".*.draft/passages.offsets")) or not builder.workers:
                time.sleep(0.01)
            ray.kill(builder.workers[0], no_restart=False)

        killing = threading.Thread(target=kill)
        killing.start()
        assert [node["NodeManagerAddress"] for node in ray.nodes()] == ["127.0.0.1"]
        far = indexes.build_index("far", [path], shard_size=1_100, builder=builder)
        killing.join()
    assert len(QUERIES) == 200
    texts, answers = stored(index_home, far.index), found("far", QUERIES)
    indexes.remove_index("far")
    near = indexes.build_index("near", [path], shard_size=1_100)
    assert (near.index.parts, near.index.shards) == (far.index.parts, far.index.shards)
    assert stored(index_home, near.index) == texts
    assert found("near", QUERIES) == answers


TIMES = ("llm_seconds", "retrieval_seconds", "reader_seconds", "seconds")


def rows(path):
    lines = sorted((json.loads(line) for line in path.read_text().splitlines()), key=lambda line: line["id"])
    for line in lines:
        for name in TIMES:
            line["usage"].pop(name, None)
    return lines


PLACES = {"Canada": "Ottawa", "Japan": "Tokyo", "France": "Paris"}
QUESTIONS = [
    {"id": one, "question": f"What is the capital of {one}?", "answers": [answer]} for one, answer in PLACES.items()
]


def planner():
    """A model that plans one step for each question."""
    script = [
        Reply(f"[Query 1]: What is the capital of {place}?\n[Answer 1]: {answer}\n", when=place, repeats=True)
        for place, answer in PLACES.items()
    ]
    return ScriptedServer(models=("m",), script=script)


def run(*words):
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_shard_that_is_slow_busy_or_lost_is_missing(index_home, tmp_path, monkeypatch):
    """Ray Serve runs the deployments in this process, so that their failures can be made."""
    from ray import serve
    from ray.exceptions import RayActorError
    from ray.serve.exceptions import BackPressureError

    from lab.scale import serving as cluster_serving
    from lab.scale import shards
    from searchain.retrieval import checkpoint as checkpoints
    from searchain.retrieval import colbert

    indexes.build_index("far", [write_corpus(tmp_path / "c.jsonl", RECORDS[:60])], shard_size=20)
    index = registry.get("far")
    app = cluster_serving._application(checkpoints.of_index(index), shards.groups(index), {})
    handle = serve.run(app, name="far", route_prefix=None, _local_testing_mode=True)
    retriever = cluster_serving.ClusterRetriever(handle, "far", index.passages)
    assert [ids(retriever, query) for query in QUERIES[:10]] == found("far", QUERIES[:10])
    look_in, failures = colbert.look_in, []

    def failing(part, *query):
        if part.store[0].id == "20" and isinstance(failures[-1], Exception):
            raise failures[-1]
        if part.store[0].id == "20":
            time.sleep(failures[-1])
        return look_in(part, *query)

    monkeypatch.setattr(colbert, "look_in", failing)
    monkeypatch.setattr(cluster_serving, "DEADLINE", 2.0)
    others = {record[0] for record in RECORDS[:20] + RECORDS[40:60]}
    for failure, why in ((5.0, "no answer in 2 seconds"), (BackPressureError(1, 1), "busy"), (RayActorError(), "lost")):
        failures.append(failure)
        answer = retriever.find(QUERIES[0], 10)
        assert answer.missing == {"shard-2": why}
        assert len(answer.hits) == 10
        assert {hit.passage.id for hit in answer.hits} <= others
        with pytest.raises(RetrieverUnreachable, match=rf"missing: shard-2 \({why}\); try again later"):
            retriever.search(QUERIES[0], 10)
    failures.append(ValueError("a mistake"))
    with pytest.raises(ValueError, match="a mistake"):
        retriever.search(QUERIES[0], 10)


def processes_of(deployment):
    """The names of the processes that serve ``deployment``."""
    named = [one["name"] for one in ray.util.list_named_actors(all_namespaces=True)]
    return [name for name in named if name.startswith("SERVE_REPLICA::") and f"#{deployment}#" in name]


def kill_a_process_of(deployment):
    """End a process that serves ``deployment`` at once."""
    name = processes_of(deployment)[0]
    ray.kill(ray.get_actor(name, namespace="serve"), no_restart=False)


def test_shards_find_what_the_whole_index_finds_and_a_lost_one_is_never_silent(index_home, tmp_path, serving):
    from lab.scale import serving as cluster_serving

    many = [(f"{n}", f"Number {n}", f"A {COLOURS[n % 7]} {THINGS[n % 6]} of {1000 + n}.") for n in range(1_690)]
    indexes.build_index("far", [write_corpus(tmp_path / "c.jsonl", many + CITIES)], shard_size=1_100)
    indexes.add_passages("far", [write_corpus(tmp_path / "more.jsonl", [("later", "Later", "A red car of 1500.")])])
    queries = [*QUERIES, "capital of ottawa"]
    expected = found("far", queries)
    with cluster_serving.serving("local", "far", is_search_only=True) as served:
        retriever = served.retriever
        assert served.routes is None
        assert [ids(retriever, query) for query in queries] == expected
        url = serving(server.create_app(retriever))
        assert ids(RemoteRetriever(url), queries[0]) == expected[0]
        listed = check_remote(url)
        for name in ("search", "shard-1", "shard-2", "shard-3"):
            assert f"; {name}: healthy, 1 process running" in listed
        kill_a_process_of("shard-2")
        outcomes, until = [], time.monotonic() + 120
        while time.monotonic() < until and outcomes[-3:] != ["right"] * 3:
            number = len(outcomes) % len(queries)
            params = {"query": queries[number], "k": 10, "partial": True}
            answer = httpx.get(f"{url}/api/search", params=params, timeout=30).json()
            if answer["shards_missing"]:
                assert [*answer["shards_missing"]] == ["shard-2"]
                outcomes.append("marked")
                try:  # it may be back by now
                    answered, why = ids(retriever, queries[number]), ""
                except RetrieverUnreachable as error:
                    answered, why = None, str(error)
                assert answered == expected[number] or "missing: shard-2" in why or "not answer" in why
            else:
                assert [record["pid"] for record in answer["topk"]] == expected[number]
                outcomes.append("right")
        assert outcomes[-3:] == ["right"] * 3


def eventually(look):
    """What ``look`` returns, once it raises no more ``SearChainError``; at most two minutes."""
    until = time.monotonic() + 120
    while True:
        try:
            return look()
        except SearChainError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


CHAIN = [
    Message("user", "In which museum is The Starry Night?"),
    Message("assistant", "[Query 1]: In which museum is The Starry Night?\n[Unsolved Query]"),
    Message("user", "On which island is the city of Nintendo's headquarters?"),
]


def test_the_reader_and_the_model_of_a_cluster_are_those_of_this_process(index_home, tmp_path, serving, embedded_model):
    from lab.scale import serving as cluster_serving

    indexes.build_index("far", [write_corpus(tmp_path / "c.jsonl")])
    passages = [Passage(*record) for record in CITIES]
    reader, values = open_reader(None)
    near = EmbeddedModel()

    def text(model, form):
        return [piece for piece in model.stream(CHAIN, form=form) if not isinstance(piece, Usage)]

    with cluster_serving.serving("local", "far") as served:
        url = serving(server.create_app(served.retriever, beside=served.routes))
        listed = check_remote(url)
        for name in ("search", "shard-1", "reader", "model"):
            assert f"; {name}: healthy, 1 process running" in listed
        far, far_values = open_reader(url)
        asked = ["Which city is the capital of Canada?", "Where is Kyoto?", "What causes a rainbow?"]
        assert far_values == values
        assert [far.read(query, passages) for query in asked] == [reader.read(query, passages) for query in asked]
        assert "reads 'Honshu'" in check_reader(url)
        model = choose_model(base_url=f"{url}/v1")
        assert isinstance(model, EmbeddedModel)
        for form in (Form.CHAIN, Form.QUESTION):
            assert text(model, form) == text(near, form)
        assert len(text(model, Form.CHAIN)) > 3
        begun = model.stream(CHAIN, form=Form.CHAIN)
        next(begun)
        begun.close()
        assert [check.name for check in of_model(None, f"{url}/v1", None)] == ["language model"]
        for name, look in (
            ("reader", lambda: far.read(asked[0], passages) == reader.read(asked[0], passages)),
            ("model", lambda: text(model, Form.QUESTION)),
        ):
            kill_a_process_of(name)
            assert eventually(look)
    near.close()


@pytest.fixture
def head():
    """The address of a real cluster with one machine, as an operator starts it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        command = f"start --head --block --port={port} --node-ip-address=127.0.0.1 --num-cpus=2 --temp-dir={folder}"
        command += " --include-dashboard=false --object-store-memory=200000000 --disable-usage-stats"
        words = [sys.executable, "-m", "ray.scripts.scripts", *command.split()]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(words, start_new_session=True, **quiet)
        try:
            until = time.monotonic() + 120
            while socket.socket().connect_ex(("127.0.0.1", port)):
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.2)
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def test_a_cluster_that_runs_already_is_joined_by_its_address(index_home, tmp_path, head):
    corpus = write_corpus(tmp_path / "c.jsonl", RECORDS[:40])
    run("index", "build", corpus, "--name", "far", f"--ray={head}")
    far = registry.get("far")
    run("index", "build", corpus, "--name", "near")
    assert far.parts == registry.get("near").parts
    write_lines(tmp_path / "data" / "vital" / "dev.jsonl.gz", QUESTIONS)
    with planner() as model:
        asked = ["tables", "1", "--data", tmp_path / "data", "--systems", "direct,cot", "--jobs", "2"]
        asked += ["--model", "m", "--base-url", model.base_url]
        near = run(*asked, "--out", tmp_path / "near")
        assert run(*asked, "--out", tmp_path / "far", f"--ray={head}") == near
    for path in sorted((tmp_path / "near").glob("*.jsonl")):
        assert rows(tmp_path / "far" / path.name) == rows(path)


def test_two_machines_build_and_search_one_index(index_home, tmp_path):
    corpus = write_corpus(tmp_path / "c.jsonl", RECORDS[: 3 * two_machines.SHARD])
    with two_machines.cabled() as is_possible:
        if not is_possible:
            pytest.skip(two_machines.CANNOT)
        with two_machines.started():
            command = [sys.executable, "-m", "tests.support.two_machines", str(corpus), *QUERIES[:20]]
            done = subprocess.run(two_machines.within(0, *command), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2_000:]
    far = json.loads(done.stdout.splitlines()[-1])
    assert far["built_at"] == far["served_at"] == list(two_machines.ADDRESSES)
    indexes.remove_index("far")
    near = indexes.build_index("near", [corpus], shard_size=two_machines.SHARD)
    assert (far["parts"], far["found"]) == (list(near.index.parts), found("near", QUERIES[:20]))


def test_the_cluster_file_is_one_of_rays_and_its_commands_are_there():
    from ray.autoscaler._private.util import prepare_config, validate_config
    from ray.scripts import scripts

    config = yaml.safe_load((Path(__file__).parents[3] / "deploy" / "ray-cluster.yaml").read_text())
    validate_config(prepare_config(config))
    for line in (*config["head_start_ray_commands"], *config["worker_start_ray_commands"]):
        words = shlex.split(line)
        name, *options = words[next(n for n, word in enumerate(words) if word.endswith("bin/ray")) + 1 :]
        scripts.cli.commands[name].make_context(name, options)
