"""What a remote model does well is measured once; a small one reads while the embedded one plans."""

import json

import pytest

from assistant import Assistant
from lab.scripted.server import Deciding, Failure, Raw, Reply, ScriptedServer
from searchain.assemble import Choice, OwnParts, Parts
from searchain.assemble.abilities import TRIALS, Tried, abilities_of, trials_passed
from searchain.errors import ModelError
from searchain.events import ModelFault, RunStarted, fold
from searchain.llm.openai import OpenAIModel, Timeouts
from searchain.settings import Settings
from searchain.types import Abilities, Message, Usage
from storage.database import Database
from tests.support.behaviours import chunk, sse
from tests.support.fakes import CITY, QUESTION, KnowingReader, WordRetriever

ABLE = {
    "Which river is Vellmar on?": "[Answer]: the Ostra\n[Final Content]: Vellmar lies on the Ostra [k382].",
    "In which town was the author of The Salt Road born?": "[Query 1]: Who wrote The Salt Road?\n"
    "[Answer 1]: Ilse Brandner [k517]\n[Query 2]: In which town was Ilse Brandner born?\n[Unsolved Query]",
    "How deep is Lake Ohme?": "[Answer]: not found\n[Final Content]: The passages give its length alone.",
}
GUESSING = ABLE | {"How deep is Lake Ohme?": "[Answer]: 14 kilometres\n[Final Content]: It is 14 km deep [k733]."}

OWN = OwnParts(retriever=WordRetriever(), reader=KnowingReader())


class Answering:
    """A model that answers the questions of the trials as it is given."""

    name, at_once, abilities = "tried", 1, Abilities.CAPABLE

    def __init__(self, replies):
        self.replies, self.calls = replies, 0

    def stream(self, messages, **options):
        self.calls += 1
        yield next(reply for question, reply in self.replies.items() if question in messages[-1].content)
        yield Usage(llm_calls=1)


@pytest.fixture(autouse=True)
def own_home(monkeypatch, tmp_path):
    monkeypatch.setattr("searchain.assemble.abilities.home", lambda: tmp_path)
    return tmp_path


def test_a_model_that_passes_each_trial_is_capable_and_is_asked_once():
    model = Answering(ABLE)
    assert [abilities_of(model, "here able") for _ in range(2)] == [Tried(Abilities.CAPABLE, "schema")] * 2
    assert model.calls == len(TRIALS)


def test_a_way_that_is_new_is_tried_with_a_known_model_as_well(monkeypatch):
    with monkeypatch.context() as before:
        before.setattr("searchain.assemble.abilities.FORMS", {"tags": None})
        assert abilities_of(Answering(GUESSING), "here").abilities is Abilities.SMALL
    assert abilities_of(Answering(ABLE), "here").abilities is Abilities.CAPABLE


def test_a_model_that_guesses_is_small():
    assert trials_passed(Answering(GUESSING)) == ["cites", "asks on"]
    assert abilities_of(Answering(GUESSING), "here guessing").abilities is Abilities.SMALL


def test_a_model_that_loses_its_way_in_a_schema_is_asked_for_tags(own_home):
    def answered(request):
        if "response_format" in request.body:
            return Reply('{"steps": [], "answer": "not found", "sentences": [], "reply": null}')
        asked = request.body["messages"][-1]["content"]
        return Reply(next(reply for question, reply in ABLE.items() if question in asked))

    with ScriptedServer(script=[Deciding(answered, repeats=True)]) as server:
        model = OpenAIModel("scripted", server.base_url)
        assert abilities_of(model, "here") == Tried(Abilities.CAPABLE, "tags")
        choice = Choice(base_url=server.base_url, careful="off")
        made = Parts(choice, OWN).searchain(Settings(), "toy")
        assert made.model.manner.applied({"messages": [], "response_format": {}}) == {"messages": []}


def test_a_model_that_asks_on_by_a_tool_is_given_one(own_home):
    """Its calls are open steps of the chain: each is looked up, and what was found is shown to it."""
    seen = []

    def answered(request):
        asked = request.body["messages"][-1]["content"]
        seen.append(asked)
        if "Salt Road" in asked and "tools" not in request.body:
            return Reply("[Answer]: not found")
        if "Salt Road" in asked:
            return Raw(called("Where was Ilse Brandner born?"))
        if QUESTION in asked and "tools" in request.body:
            return Raw(called(CITY))
        final = "[Answer]: Honshu\n[Final Content]: Nintendo is on Honshu."
        return Reply(next((reply for question, reply in ABLE.items() if question in asked), final))

    with ScriptedServer(script=[Deciding(answered, repeats=True)]) as server:
        model = OpenAIModel("scripted", server.base_url)
        assert abilities_of(model, "here") == Tried(Abilities.CAPABLE, "tools")
        choice = Choice(base_url=server.base_url, careful="off")
        turn = fold(Parts(choice, OWN).searchain(Settings(), "toy").stream(QUESTION))
    assert [node.query for node in turn.nodes] == [CITY, QUESTION]
    assert f"Step 1: {CITY} (open)" in next(asked for asked in seen if "Step 1" in asked)
    assert turn.final_answer == "Honshu"


def called(query):
    """Return the stream of a reply that is one call, whose arguments come in two parts."""
    arguments = json.dumps({"query": query})
    parts = [{"name": "search", "arguments": arguments[:9]}, {"arguments": arguments[9:]}]
    calls = [chunk(tool_calls=[{"index": 0, "function": part}]) for part in parts]
    return sse(*calls, chunk(finish="tool_calls"))


def test_a_model_that_still_loads_is_waited_for_in_sight(tmp_path):
    def answered(request):
        asked = request.body["messages"][-1]["content"]
        return Reply(next((reply for question, reply in ABLE.items() if question in asked), "[Reply]: Hello!"))

    script = [Failure(503, "Loading model"), Deciding(answered, repeats=True)]
    with ScriptedServer(script=script) as server:
        parts = Parts(Choice(base_url=server.base_url, careful="off"), OWN)
        assistant = Assistant(Database(tmp_path / "runs.db", create=True), parts.searchain, Settings(), index="toy")
        events = [stored.event for stored in assistant.follow(assistant.start("Hello there, model?").turn)]
        assistant.close()
    before = events[: next(place for place, event in enumerate(events) if isinstance(event, RunStarted))]
    told = [event.what for event in before if isinstance(event, ModelFault)]
    assert told[0].endswith("does well is not known yet")
    assert told[1].startswith("the model is loading at 127.0.0.1")
    assert fold(events).answer == "Hello!"


@pytest.mark.parametrize("abilities", [Abilities.SMALL, Abilities.CAPABLE])
def test_a_small_model_reads_while_the_embedded_one_plans(abilities):
    with ScriptedServer() as server:
        choice = Choice(base_url=server.base_url, abilities=abilities, careful="off")
        made = Parts(choice, OWN).searchain(Settings(), "toy")
    is_small = abilities is Abilities.SMALL
    assert (made.review is not None, made.model.abilities is Abilities.TRAINED) == (is_small, is_small)
    assert made.model.name.startswith("scripted at 127.0.0.1")


def judging(**choice):
    """A server's reply with one choice."""
    return Raw(json.dumps({"choices": [{"index": 0, **choice}]}).encode(), "application/json")


SAID = judging(message={"role": "assistant", "content": "yes"})


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ([judging(logprobs={"content": [{"top_logprobs": [{"token": " Yes", "logprob": 0.0}]}]})], (1.0, 0.0)),
        ([SAID], (0.8, 0.1)),
        ([judging(message={"content": "No."}, logprobs=None)], (0.1, 0.8)),
        ([judging(message={"content": None})], (0.1, 0.1)),
        ([Failure(400, "logprobs are not supported"), SAID], (0.8, 0.1)),
        ([Failure(400, "no", repeats=True)], None),
        ([Raw(b"It is so.", "text/plain")], None),
        ([Raw(b'{"choices": null}', "application/json")], None),
    ],
    ids=["likelihoods", "the word", "another", "thoughts", "refused once", "refused", "plain text", "none"],
)
def test_an_endpoint_judges_or_says_in_one_line_why_not(script, wanted):
    with ScriptedServer(script=script) as server:
        model = OpenAIModel("scripted", server.base_url, timeouts=Timeouts(first_token=5, stall=5))
        if wanted:
            assert model.likelihoods([Message("user", "Is it so?")], ("yes", "no")) == pytest.approx(wanted)
        else:
            with pytest.raises(ModelError):
                model.likelihoods([Message("user", "Is it so?")], ("yes", "no"))
