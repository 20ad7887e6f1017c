"""The parts are made once, when they are first needed."""

import threading

import pytest

from lab.scripted.server import ScriptedServer
from searchain.assemble import Choice, Parts
from searchain.embedded.assets import Packaged
from searchain.errors import IndexNotFound, SetupError, UsageError
from searchain.settings import Settings


@pytest.fixture
def server():
    with ScriptedServer() as server:
        yield server


def test_threads_that_ask_at_once_share_one(server):
    parts = Parts(Choice(base_url=server.base_url))
    models = []
    threads = [threading.Thread(target=lambda: models.append(parts.model())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(models) == 8
    assert len({id(model) for model in models}) == 1


def test_what_cannot_be_had_is_tried_again(server, tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    parts = Parts(Choice(base_url=server.base_url))
    for _ in range(2):
        with pytest.raises(IndexNotFound, match="no index 'toy'"):
            parts.searchain(Settings(), "toy")
    server.models = ("one", "two")
    undecided = Parts(Choice(base_url=server.base_url))
    with pytest.raises(UsageError, match="several models"):
        undecided.model()
    server.models = ("one",)
    assert undecided.model().name.startswith("one at")


@pytest.mark.parametrize(
    ("given", "theta", "floor"),
    [(Settings(), 1.5, -1.5), (Settings(theta=3.0), 3.0, -1.5), (Settings(floor=-9.0), 1.5, -9.0)],
)
def test_a_readers_thresholds_fill_what_was_not_set(given, theta, floor):
    assert given.with_thresholds(1.5, -1.5) == Settings(theta=theta, floor=floor)


def test_a_connected_models_replies_are_checked_only_if_that_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(Packaged, "find", lambda model: tmp_path)
    named = {"model": "gpt-x"}, {"base_url": "http://127.0.0.1:1/v1"}, {"gguf": tmp_path}
    assert Parts(Choice())._careful(Settings()) == "check"
    assert [Parts(Choice(**one))._careful(Settings()) for one in named] == ["off"] * 3
    assert [Parts(Choice(careful="check", **one))._careful(Settings()) for one in named] == ["check"] * 3


def test_without_the_careful_model_nothing_is_checked_unless_it_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    assert Parts(Choice())._careful(Settings()) == "off"
    for careful in ("check", "write"):
        with pytest.raises(SetupError, match="^the careful model is not installed; fetch it with: make careful$"):
            Parts(Choice(careful=careful))._careful(Settings())
    with pytest.raises(UsageError, match="^--careful write replaces the language model; leave out --model"):
        Parts(Choice(careful="write", model="gpt-x"))._careful(Settings())
    assert Parts(Choice(careful="check"))._careful(Settings.of("paper")) == "off"
