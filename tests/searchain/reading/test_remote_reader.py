"""A Reader on another machine: the same readings, and one clear line where there is none."""

import socket
from dataclasses import replace

import pytest
from fastapi import FastAPI
from fastapi.responses import JSONResponse

from searchain.assemble import open_reader
from searchain.errors import ReaderError, UsageError
from searchain.reading import remote
from searchain.reading.reader import DprReader
from searchain.reading.remote import RemoteReader, from_json, to_json
from searchain.reading.thresholds import Thresholds
from searchain.types import Passage, Reading, Span
from tests.support.applications import serving  # noqa: F401
from tests.support.tiny_reader import tiny_model

PASSAGES = [Passage("1", "Kyoto", "Kyoto is in Japan, the company has its seat in kyoto."), Passage("2", "", "京都")]


def answering(readings=None, status=200, thresholds=None):
    """A server that answers every request with these readings or thresholds."""
    app = FastAPI()

    @app.post(remote.READ)
    def read() -> JSONResponse:
        return JSONResponse(readings, status)

    @app.get(remote.THRESHOLDS)
    def stored() -> JSONResponse:
        return JSONResponse(thresholds, status)

    return app


def test_a_reading_comes_back_to_the_last_bit(tmp_path):
    tiny_model(tmp_path / "reader", seed=3)
    for reading in DprReader(tmp_path / "reader").read("where is nintendo", PASSAGES):
        assert from_json(to_json(reading)) == reading
    assert from_json(to_json(Reading("", None, 0.1 + 0.2))) == Reading("", None, 0.1 + 0.2)


def test_a_url_stands_for_a_reader_with_its_thresholds(serving):
    reading = Reading("Kyoto", Span(0, 5), 1.5, -0.25, 3.0, others=(Reading("Japan", Span(12, 17), 1.5, -2.0, 1.0),))
    found = {"readings": [to_json(reading), to_json(Reading("", None, -3.0))]}
    reader, values = open_reader(serving(answering(found, thresholds={"theta": 1, "floor": -2.5})))
    assert values == Thresholds(1.0, -2.5)
    assert reader.read("Where?", PASSAGES) == [reading, Reading("", None, -3.0)]
    assert reader.read("Where?", []) == []


@pytest.mark.parametrize(
    "readings",
    [
        {"readings": []},
        {"readings": [to_json(Reading("Tokyo", Span(0, 5), 1.0))] * 2},
        {"readings": [to_json(replace(Reading("Kyoto", Span(0, 5), 1.0), span=None))] * 2},
        {"readings": [{"answer": ""}] * 2},
        ["no readings"],
        None,
    ],
)
def test_what_is_no_reader_is_named(serving, readings):
    url = serving(answering(readings))
    message = f"^what answers at {url} is no Reader of this program; check the address$"
    with pytest.raises(ReaderError, match=message):
        RemoteReader(url).read("Where?", PASSAGES)
    with pytest.raises(ReaderError, match=message):
        RemoteReader(url).thresholds()


def test_a_reader_that_fails_is_one_line(serving):
    busy = serving(answering({"detail": "the Reader is busy;\ntry again later"}, status=503))
    with pytest.raises(
        ReaderError, match=f"^the Reader at {busy} cannot read now: the Reader is busy; try again later$"
    ):
        RemoteReader(busy).read("Where?", PASSAGES)
    broken = serving(answering({}, status=500))
    with pytest.raises(ReaderError, match=f"^the Reader at {broken} answered with status 500; its own log says why$"):
        RemoteReader(broken).read("Where?", PASSAGES)
    with socket.create_server(("127.0.0.1", 0)) as free:
        gone = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(ReaderError, match=rf"^cannot reach the Reader at {gone} \(.+\); is it running\?$"):
        RemoteReader(gone).thresholds()


@pytest.mark.parametrize("url", ["http://", "http://[1", "https://host:0"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(UsageError, match="is no address of a Reader"):
        open_reader(url)
