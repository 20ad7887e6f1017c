"""Passages of own documents reach a model on another machine only where every collection allows it.

The model is a server on this machine that stands for another one.
"""

from __future__ import annotations

import pytest

from assistant import Assistant, open_assistant
from lab.scripted.server import Reply, ScriptedServer
from searchain.llm import endpoint
from searchain.settings import Settings
from searchain.types import Abilities, Status
from storage.collections import access
from storage.collections.access import Elsewhere
from tests.support.own_documents import collection_of, store, toy_parser  # noqa: F401
from tests.support.shell import told
from tests.support.story_runs import StoryPlayer

QUESTION = "How often must the pump be oiled?"
HOW = "whoever may change it can allow that in the panel “Your documents” of the page"
LOCAL = {"model": None, "base_url": None}


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(endpoint, "is_loopback", lambda host: False)
    with ScriptedServer(script=[Reply("Every ninety days.", repeats=True)]) as server:
        yield server


@pytest.fixture
def open_(server, store):
    """Makes an Assistant over ``store`` with the model of ``server``, or with other parts."""
    opened = []

    def make(**named):
        parts = {"model": "scripted", "base_url": server.base_url, "abilities": Abilities.CAPABLE} | named
        opened.append(open_assistant(db=store.path, careful="off", **parts))
        return opened[-1]

    yield make
    for assistant in opened:
        assistant.close()


def host_of(server):
    return server.base_url.removeprefix("http://").removesuffix("/v1")


def ended(assistant, index, **how):
    turn = assistant.start(QUESTION, index=index, **how).turn
    list(assistant.follow(turn))
    return assistant.turn(turn)


def said(name, server):
    return f"the collection '{name}' does not allow that its passages are sent to the model at {host_of(server)}; {HOW}"


@pytest.mark.parametrize("elsewhere", [Elsewhere.UNKNOWN, Elsewhere.REFUSED])
def test_a_run_is_refused_before_anything_is_sent(open_, server, store, elsewhere):
    manuals = collection_of(store)
    access.decide(store, manuals, elsewhere)
    assistant = open_(abilities=None)
    first = ended(assistant, manuals.index)
    assert (first.status, first.question, first.message) == (Status.FAILED, QUESTION, said("manuals", server))
    [conversation] = assistant.overview()
    assert ended(assistant, manuals.index, conversation=conversation.id).status is Status.FAILED
    assert server.requests == []


def test_what_is_allowed_is_answered_until_it_is_refused(store):
    manuals = collection_of(store)
    assistant = Assistant(store, StoryPlayer(), Settings(), elsewhere=lambda settings: "model.example")
    seen = []
    for elsewhere in (Elsewhere.ALLOWED, Elsewhere.REFUSED):
        access.decide(store, manuals, elsewhere)
        seen.append(ended(assistant, manuals.index).status)
    seen.append(ended(assistant, "default").status)
    assert seen == [Status.ANSWERED, Status.FAILED, Status.ANSWERED]


@pytest.mark.parametrize(
    ("parts", "settings"),
    [(LOCAL, {}), (LOCAL | {"gguf": "a.gguf"}, {}), ({}, {"careful": "write"}), ({}, {"use_ir": False})],
)
def test_where_no_passage_leaves_the_machine_nothing_is_refused(open_, parts, settings):
    assert open_(**parts).elsewhere(Settings.of(**settings)) is None


def test_the_environment_names_a_model_elsewhere_too(open_, server, monkeypatch):
    nothing_named = open_(model=None, base_url=None)
    monkeypatch.setenv("SEARCHAIN_BASE_URL", server.base_url)
    assert nothing_named.elsewhere() == host_of(server)
    assert open_(model="some", base_url=None).elsewhere() == host_of(server)
    monkeypatch.delenv("SEARCHAIN_BASE_URL")
    monkeypatch.setenv("SEARCHAIN_MODEL", "some")
    assert nothing_named.elsewhere() == "api.openai.com"
    assert nothing_named.elsewhere(Settings.of(careful="check")) == "api.openai.com"


def test_the_command_line_tells_how_to_allow_it(server, store):
    collection_of(store, name="my manuals")
    asked = ["ask", QUESTION, "--collection", "my manuals", "--model", "scripted", "--base-url", server.base_url]
    how = "or allow it with: python assistant.py documents allow 'my manuals'"
    assert told(*asked) == (1, "", f"loading the models …\nerror: {said('my manuals', server)}; {how}\n")
    assert server.requests == []
