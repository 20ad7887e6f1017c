"""The web as what is searched: a SearXNG-like server and pages on this machine, and every limit of fetching."""

import ipaddress
import time

import pytest

from lab.scripted.model import ScriptedModel
from searchain.assemble import Choice, Parts, open_remote
from searchain.errors import RetrieverUnreachable, UsageError
from searchain.events import Turn, fold
from searchain.retrieval import web as fetching
from searchain.retrieval.web import Fetcher, PageRefused, WebRetriever, is_public, networks
from searchain.types import Hit, Outcome
from tests.support.fakes import KnowingReader, around, chain_text
from tests.support.json_lines import kept
from tests.support.small_web import small_web
from ui.show.labels import name_of, summary

HERE = networks("127.0.0.1")
QUESTION = "In which city does Nintendo have its headquarters?"


@pytest.fixture
def web():
    with small_web() as site:
        yield site


def words_shared(query, passages):
    wanted = set(query.lower().split())
    return [len(wanted & set(passage.text.lower().split())) for passage in passages]


def retriever(site, allowed=HERE):
    return WebRetriever(f"searxng={site.url}/", words_shared, Fetcher(allowed))


def test_pages_of_the_web_become_passages_and_are_quoted_in_a_reply_that_is_never_supported(web):
    pages = {"moved": "What the engine calls it", "plain": "Sapporo", "missing": "Gone", "picture": "A picture"}
    web.results = [(f"{web.url}/{path}", title) for path, title in pages.items()]
    found = retriever(web)
    hits = found.search(QUESTION, 3)
    assert [hit.rank for hit in hits] == [1, 2, 3][: len(hits)]
    best = hits[0].passage
    assert (best.title, best.url, best.place) == ("Kyoto guide › Companies", f"{web.url}/kyoto", None)
    assert best.text.startswith("The video game company Nintendo has its headquarters in Kyoto")
    everything = " ".join(hit.passage.text for hit in found.search(QUESTION, 50))
    assert "evil" not in everything
    assert "cheap flights" not in everything
    assert "Sapporo is the largest city" in everything
    assert sum(path == "/kyoto" for path in web.asked) == 1  # a page is fetched once for several queries
    reader = KnowingReader({best.id: {"headquarter": ("Kyoto", 9.0)}})
    plan, index = ScriptedModel(chain_text((QUESTION, "Kyoto"))), f"searxng={web.url}"
    chain = around(plan, retriever=found, reader=reader, index=index, probability=None, reply="template")
    turn = fold(chain.stream(QUESTION))
    assert (turn.final_answer, turn.probability, turn.outcome) == ("Kyoto", None, Outcome.UNRATED)
    (source,) = turn.sources
    assert (source.passage, source.quote) == (best, "Kyoto")
    assert summary(turn).startswith("1 search of the web · ")


@pytest.mark.parametrize(("path", "reason"), kept("refused-pages.json"))
def test_a_page_beyond_a_limit_is_not_read(web, monkeypatch, path, reason):
    monkeypatch.setattr(fetching, "MAX_BYTES", 10_000)
    monkeypatch.setattr(fetching, "SECONDS", 1.0)
    web.robots = "User-agent: *\nDisallow: /private"
    begun = time.monotonic()
    with pytest.raises(PageRefused) as caught:
        Fetcher(HERE).get(web.url + path)
    assert str(caught.value) == reason
    assert time.monotonic() - begun < 10  # both slow pages take twice as long


def test_addresses_that_are_not_public_are_never_connected_to_and_no_redirect_leads_there(web):
    web.away = "http://169.254.169.254/latest/meta-data"
    for fetcher, path, asked in ((Fetcher(), "kyoto", []), (Fetcher(HERE), "away", ["/robots.txt", "/away"])):
        with pytest.raises(PageRefused, match="^its server is not on the public internet$"):
            fetcher.get(f"{web.url}/{path}")
        assert web.asked == asked


@pytest.mark.parametrize(
    "url",
    "file:///etc/passwd ftp://127.0.0.1/ http:// http://user:word@127.0.0.1/ http://[::1/ javascript:alert(1)".split(),
)
def test_only_plain_web_addresses_are_fetched(url):
    with pytest.raises(PageRefused):
        Fetcher(HERE).get(url)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (one, False)
        for one in "127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 "
        "::1 fe80::1 fd00::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1::".split()
    ]
    + [("93.184.216.34", True), ("2606:2800:220:1:248:1893:25c8:1946", True)],
)
def test_which_addresses_are_public(address, expected):
    assert is_public(ipaddress.ip_address(address)) is expected


def test_a_search_server_that_fails_is_told_in_one_line(web):
    for url, message in (
        ("http://127.0.0.1:9", "cannot reach SearXNG at http://127.0.0.1:9"),
        (f"{web.url}/nowhere", "answered with status 404"),
        (f"{web.url}/kyoto?", "is no SearXNG"),
    ):
        with pytest.raises(RetrieverUnreachable) as caught:
            WebRetriever(f"searxng={url}", words_shared, Fetcher(HERE)).search("x", 1)
        assert message in str(caught.value)
    with pytest.raises(UsageError):
        WebRetriever("searxng=nothing", words_shared, Fetcher())


def test_own_documents_are_never_looked_up_in_the_web():
    parts = Parts(Choice(retriever="searxng=http://127.0.0.1:9"))
    own = "c-01j00000000000000000000000"
    assert parts._remote("default") == "searxng=http://127.0.0.1:9"
    assert parts._remote(own) is None
    assert parts._remote(f"{own}+default") is None


def test_the_operator_names_networks_that_may_be_read(monkeypatch):
    monkeypatch.setenv("SEARCHAIN_WEB_ALLOW", "nonsense")
    with pytest.raises(UsageError, match="SEARCHAIN_WEB_ALLOW names no networks"):
        open_remote("searxng=http://127.0.0.1:9")


def test_people_read_that_the_web_is_searched():
    assert name_of("searxng=http://127.0.0.1:8888") == "the web (SearXNG at 127.0.0.1:8888)"
    assert name_of("default") == "default"
    assert not summary(Turn(index="default", hits={"n1": (Hit,)})).startswith("the web")
