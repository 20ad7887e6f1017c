"""The product's own methods, and the one door to the laboratory, open and shut."""

import pytest

from searchain.events import Turn
from searchain.methods import laboratory
from searchain.methods.base import OWN, find, systems
from searchain.settings import Settings
from searchain.types import Outcome
from ui.cli.chat import _systems
from ui.page import choices, progress
from ui.page.choices import Offers, form
from ui.show.signs import method


@pytest.fixture
def shut(monkeypatch):
    """No laboratory can be imported."""
    monkeypatch.setattr(laboratory, "find_spec", lambda name: None)


def test_the_product_has_the_method_and_its_ablations(shut):
    assert list(systems()) == list(OWN)
    assert {name: system.settings() for name, system in systems().items()} == {
        "searchain": Settings(),
        "searchain-no-ir": Settings(system="searchain-no-ir", use_ir=False),
        "searchain-no-verification": Settings(system="searchain-no-verification", use_verification=False),
        "searchain-no-completion": Settings(system="searchain-no-completion", use_completion=False),
        "searchain-paper": Settings.of("paper"),
    }


def test_the_laboratory_adds_the_compared_methods():
    assert list(systems())[: len(OWN)] == list(OWN)
    assert len(systems()) == 22
    assert find("self-ask").name == "self-ask"


def test_the_page_offers_the_methods_that_are_there(shut):
    offers = Offers()
    assert offers.systems == tuple(OWN)
    assert _systems((), public=False) == tuple(OWN)
    shown = str(form(offers))
    assert "searchain-no-ir" in shown
    assert "self-ask" not in shown
    assert choices.kept('{"system": "self-ask", "rounds": 3}', offers) == choices.Choices(rounds=3)


def test_a_stored_turn_of_a_compared_method_keeps_its_name(shut):
    turn = Turn(question="Where is Kyoto?", system="self-ask", outcome=Outcome.UNSURE)
    assert method(turn.system) == "Ask its own follow-up questions and look each one up"
    assert "self-ask" in str(progress.run(turn))
