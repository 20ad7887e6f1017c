"""The remote ColBERT protocol, both ways, over real HTTP on loopback."""

import json
import math
import socket
from urllib.parse import parse_qs

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from searchain.errors import RetrieverUnreachable, UsageError
from searchain.retrieval import remote, server
from searchain.retrieval.remote import RemoteRetriever
from searchain.types import Hit, Passage
from tests.support.applications import serving  # noqa: F401

PASSAGES = [
    Passage("kyoto", "Kyoto", "Kyoto is a city | on Honshu.", "https://en.wikipedia.org/wiki/Kyoto"),
    Passage("untitled", "", "A | text without a title."),
    Passage("R&B #1", "R&B, C# + ß", '京都 \U0001f1ef\U0001f1f5 "quoted" <b>'),
]


class Echo:
    """Remembers its queries and returns its passages with falling scores."""

    def __init__(self, scores=(20.0, 19.0, -700.0)):
        self.asked, self.scores = [], scores

    def search(self, query, k):
        self.asked.append((query, k))
        hits = [Hit(one, score, rank) for rank, (one, score) in enumerate(zip(PASSAGES, self.scores, strict=True), 1)]
        return hits[:k]


def stranger(status, body):
    """A server that is not ours: it answers every request with ``body``; and the addresses asked."""
    asked = []

    async def answer(request):
        asked.append(request.url)
        return Response(body if isinstance(body, bytes) else json.dumps(body), status)

    return Starlette(routes=[Route("/{path:path}", answer)]), asked


@pytest.mark.parametrize("query", ["R&B", "a + b", "?k=5&query=x", "京都はどこ？", "a\nb\tc", "x/../y"])
def test_every_query_arrives_as_it_was(serving, query):
    echo = Echo()
    assert RemoteRetriever(serving(server.create_app(echo))).search(query, 2) == Echo().search(query, 2)
    assert echo.asked == [(query, 2)]


def test_the_servers_form_is_that_of_the_protocol(serving):
    answer = httpx.get(serving(server.create_app(Echo())) + "/api/search?query=R%26B&k=3").json()
    assert answer["query"] == "R&B"
    assert [(record["text"], record["pid"], record["rank"], record["score"]) for record in answer["topk"]] == [
        ("Kyoto | Kyoto is a city | on Honshu.", "kyoto", 1, 20.0),
        ("A | text without a title.", "untitled", 2, 19.0),
        ('R&B, C# + ß | 京都 \U0001f1ef\U0001f1f5 "quoted" <b>', "R&B #1", 3, -700.0),
    ]
    assert [record["prob"] for record in answer["topk"]] == pytest.approx(
        [1 / (1 + math.exp(-1)), math.exp(-1) / (1 + math.exp(-1)), 0.0]
    )


@pytest.mark.parametrize(
    ("url", "host", "status"),
    [
        ("/api/search?k=3", "localhost", 422),
        ("/api/search?query=x&k=0", "localhost", 422),
        ("/api/search?query=x&k=many", "localhost", 422),
        ("/", "localhost", 404),
        ("/docs", "localhost", 404),
        ("/api/search?query=x", "localhost", 200),
        ("/api/search?query=x", "evil.example", 400),
    ],
)
def test_wrong_requests_and_other_host_names_are_refused(serving, url, host, status):
    assert httpx.get(serving(server.create_app(Echo())) + url, headers={"Host": host}).status_code == status


def test_a_server_of_the_papers_form_is_understood(serving):
    kyoto = {"text": "Kyoto | A city | in Japan.", "pid": 7, "rank": 2, "score": 12.5, "prob": 0.9}
    bare = {"text": "No title here.", "pid": 3, "rank": 1, "score": 11.5, "prob": 0.1}
    app, asked = stranger(200, {"query": "q", "topk": [kyoto, bare]})
    hits = RemoteRetriever(serving(app) + "/api/search").search("R&B + C#", 2)
    assert hits == [
        Hit(Passage("3", "", "No title here."), 11.5, 1),
        Hit(Passage("7", "Kyoto", "A city | in Japan."), 12.5, 2),
    ]
    (url,) = asked
    assert (url.path, parse_qs(url.query)) == ("/api/search", {"query": ["R&B + C#"], "k": ["2"]})


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (500, {}, "answered with status 500"),
        (404, {}, "answered with status 404"),
        (200, b"<html>", "is no ColBERT retriever"),
        (200, {"topk": [{"pid": 1}]}, "is no ColBERT retriever"),
        (200, ["topk"], "is no ColBERT retriever"),
        (200, {"topk": [None]}, "is no ColBERT retriever"),
    ],
)
def test_a_server_of_another_kind_is_told_in_one_line(serving, status, body, message):
    url = serving(stranger(status, body)[0])
    with pytest.raises(RetrieverUnreachable, match=message) as caught:
        RemoteRetriever(url).search("q", 3)
    assert url in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nobody_there_and_no_answer_in_time(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setattr(remote, "TIMEOUT", httpx.Timeout(0.2))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(RetrieverUnreachable, match="did not answer in time"):
            RemoteRetriever(url).search("q", 3)
    with pytest.raises(RetrieverUnreachable, match="cannot reach the retriever at") as caught:
        RemoteRetriever(url).search("q", 3)
    assert "serve --retriever" in caught.value.hint


def test_a_proxy_is_not_asked_for_this_machine(serving, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert len(RemoteRetriever(serving(server.create_app(Echo()))).search("q", 3)) == 3


@pytest.mark.parametrize("url", ["", "127.0.0.1:8893", "ftp://host/x", "http://", "http://[bad", "http://host:port"])
def test_what_is_no_address_is_wrong_use(url):
    with pytest.raises(UsageError, match="is no address of a retriever"):
        RemoteRetriever(url)
