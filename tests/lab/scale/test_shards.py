"""Searching by shards finds what the whole index finds; a missing shard, or a missing Ray, is never silent."""

import httpx
import pytest
from click.testing import CliRunner

from lab.scale import shards
from searchain.errors import RetrieverUnreachable
from searchain.retrieval import checkpoint, indexes, registry, server
from searchain.retrieval.base import Answer, Deployment
from searchain.retrieval.colbert import Found, merge
from searchain.retrieval.encoder import shared_encoder
from searchain.retrieval.remote import RemoteRetriever
from searchain.types import Hit, Passage
from tests.support.applications import serving  # noqa: F401
from tests.support.retrieval_home import CITIES, write_corpus
from ui.cli.doctor import check_remote
from ui.cli.main import cli

COLOURS, THINGS = "red green blue black white grey pink".split(), "car house river cloud tree lamp".split()
NUMBERS = [(f"{n}", f"Number {n}", f"A {COLOURS[n % 7]} {THINGS[n % 6]} of {1000 + n}.") for n in range(30)]


def test_shards_find_what_the_whole_index_finds(index_home, tmp_path):
    indexes.build_index("whole", [write_corpus(tmp_path / "c.jsonl", NUMBERS + CITIES[:4])], shard_size=13)
    indexes.add_passages("whole", [write_corpus(tmp_path / "more.jsonl", CITIES[4:])])
    index, encoder = registry.get("whole"), shared_encoder(checkpoint.find("embedded"))
    found = shards.groups(index)
    assert [*found] == ["shard-1", "shard-2", "shard-3", "shard-4"]
    assert [part for some in found.values() for part in some] == [*index.parts]
    opened = [shards.Shard(keys) for keys in found.values()]
    whole = indexes.open_index("whole")
    queries = [f"Which {colour} {thing}?" for colour in COLOURS for thing in THINGS]
    for query in [*queries, "capital of ottawa", "rainbow colours", "What is the capital of Canada?"]:
        vectors = encoder.encode_query(query)
        answers = [answer for shard in opened for answer in shard.find(query, vectors[0].numpy(), 10)]
        hits, expected = shards.merged(encoder, vectors, answers, 10), whole.search(query, 10)
        assert [(hit.rank, hit.passage) for hit in hits] == [(hit.rank, hit.passage) for hit in expected]
        assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in expected], abs=1e-5)


def test_an_article_that_a_query_names_takes_the_last_place():
    found = [Found([(9.0, 0), (7.0, 1), (5.0, 2)], []), Found([(8.0, 0), (6.0, 4), (4.0, 5)], [(3, True), (2, False)])]
    best = merge(found, 5, lambda places: [6.5 for _ in places])
    assert best == [(9.0, (0, 0)), (8.0, (1, 0)), (7.0, (0, 1)), (6.5, (1, 3)), (6.0, (1, 4))]
    found[1].named[0] = (4, True)  # it was found
    assert [place for _, place in merge(found, 5, lambda places: [])] == [(0, 0), (1, 0), (0, 1), (1, 4), (0, 2)]


class Sharded:
    """Three shards, of which some are missing."""

    def __init__(self, **missing):
        self.missing = missing

    def find(self, query, k):
        return Answer([Hit(Passage("kyoto", "Kyoto", "Kyoto is a city."), 7.0, 1)], self.missing)

    def search(self, query, k):
        if self.missing:
            raise RetrieverUnreachable("not all of the index can be searched now; missing: " + ", ".join(self.missing))
        return self.find(query, k).hits

    def deployments(self):
        return [Deployment("search", "healthy", 1), Deployment("one", "unhealthy" if self.missing else "healthy", 0)]


def test_without_a_shard_a_search_fails_and_says_so(serving):
    url = serving(server.create_app(Sharded(one="busy")))
    message = (
        f"the retriever at {url}/api/search cannot search now: not all of the index can be searched now; missing: one"
    )
    with pytest.raises(RetrieverUnreachable) as caught:
        RemoteRetriever(url).search("q", 3)
    assert str(caught.value) == message
    with pytest.raises(RetrieverUnreachable) as caught:
        check_remote(url)
    assert str(caught.value) == f"{message}; search: healthy, 1 process running; one: unhealthy, 0 processes running"


def test_who_asks_for_a_part_learns_what_is_missing(serving):
    url = serving(server.create_app(Sharded(one="busy"))) + "/api/search?query=q&partial=true"
    answer = httpx.get(url).json()
    assert [record["pid"] for record in answer["topk"]] == ["kyoto"]
    assert answer["shards_missing"] == {"one": "busy"}


def test_doctor_lists_the_deployments(serving):
    url = serving(server.create_app(Sharded()))
    listed = "; search: healthy, 1 process running; one: healthy, 0 processes running"
    assert check_remote(url) == f"{url}: a search found 'Kyoto'{listed}"
    assert httpx.get(url + "/api/search?query=q&partial=true").json()["shards_missing"] == {}


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
