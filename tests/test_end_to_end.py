"""The real thing: the command line, the default index, the embedded Reader and model.

One question is asked in a process of its own, the others in this one, where what one of them loads serves the next.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import assistant as program
from lab.scripted.server import Reply, ScriptedServer
from searchain.assemble import Choice, Parts
from tests.support.fakes import CITY, QUESTION
from tests.support.shell import told
from ui.page.app import EXAMPLES

ROOT = Path(__file__).resolve().parents[1]
ISLAND = "On which island of Japan is the city of Kyoto?"


@pytest.fixture(scope="module", autouse=True)
def parts():
    """Keep the parts of each choice of model, retriever and Reader, as a server does."""
    made = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "Parts", lambda choice, **named: made.setdefault(choice, Parts(choice, **named)))
        yield
    if Choice() in made:
        made[Choice()].model().close()


def assistant_process(*args, db):
    """Run the command line in a process of its own; returns (exit status, standard output, standard error)."""
    words = [sys.executable, str(ROOT / "assistant.py"), *args, "--db", str(db)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, cwd=ROOT)
    return done.returncode, done.stdout, done.stderr


def ask(question, *args, db, run=told):
    status, out, err = run("ask", question, "--json", *args, db=db)
    assert status == 0, err
    reply = json.loads(out)
    check(reply)
    return reply


def check(reply):
    """The contract's promises on offsets and numbers."""
    numbers = [source["number"] for source in reply["sources"]]
    assert numbers == list(range(1, len(numbers) + 1))
    for source in reply["sources"]:
        if source["span"]:
            assert 0 <= source["span"]["start"] < source["span"]["end"] <= len(source["text"])
    for sentence in reply["sentences"]:
        assert reply["answer"][sentence["start"] : sentence["end"]] == sentence["text"]
        assert set(sentence["citations"]) <= set(numbers)
        for mark in sentence["marks"]:
            assert reply["answer"][mark["start"] : mark["end"]] == f"[{mark['number']}]"


def is_answer(reply):
    """Whether it is one, rated as its status says: the tick stands for nothing but a supported reply."""
    return f"{reply['status']} {reply['outcome']}" in ("answered supported", "partial unsure", "partial unrated")


def spans(reply):
    return [(one["title"], one["text"][one["span"]["start"] : one["span"]["end"]]) for one in reply["sources"]]


@pytest.fixture
def db(tmp_path):
    return tmp_path / "searchain.db"


def test_the_worked_example_with_a_capable_planner(db):
    def written(messages):
        shown = "\n".join(message["content"] for message in messages)
        keys = {title: key for key, title in re.findall(r"^\[(k\d+)\] (\w+):", shown, re.MULTILINE)}
        if not any(message["role"] == "assistant" for message in messages):
            return f"[Query 1]: {CITY}\n[Answer 1]: Osaka\n[Query 2]: On which island is Osaka?\n[Answer 2]: Honshu\n"
        first, second = keys["Nintendo"], keys.get("Kyoto")
        if second is None:
            return f"[Query 1]: {CITY}\n[Answer 1]: Kyoto [{first}]\n[Query 2]: {ISLAND}\n[Unsolved Query]\n"
        return (
            f"[Query 1]: {CITY}\n[Answer 1]: Kyoto [{first}]\n[Query 2]: {ISLAND}\n[Answer 2]: Honshu [{second}]\n"
            f"[Answer]: Honshu\n[Final Content]: Nintendo has its headquarters in Kyoto [{first}]. "
            f"Kyoto lies on the island of Honshu [{second}]."
        )

    with ScriptedServer(models=("planner",), tokens_per_second=400) as server:
        server.script = [Reply(written, repeats=True)]
        reply = ask(QUESTION, "--model", "planner", "--base-url", server.base_url, "--abilities", "capable", db=db)
    assert reply["final_answer"] == "Honshu"
    assert is_answer(reply)
    assert reply["answer"] == "Nintendo has its headquarters in Kyoto [1]. Kyoto lies on the island of Honshu [2]."
    assert [title for title, _ in spans(reply)] == ["Nintendo", "Kyoto"]
    on_path = [(node["query"], node["answer"], node["verdict"]) for node in reply["tree"]["nodes"] if node["on_path"]]
    assert on_path == [(CITY, "Kyoto", "corrected"), (ISLAND, "Honshu", "agreed")]


def test_the_question_itself_is_enough_where_the_embedded_parts_support_its_answer(db):
    reply = ask("Who wrote Hamlet?", db=db, run=assistant_process)
    assert [reply[name] for name in ("final_answer", "outcome", "status")] == [
        "William Shakespeare",
        "supported",
        "answered",
    ]
    assert reply["probability"] > 0.8
    assert [node["query"] for node in reply["tree"]["nodes"] if node["on_path"]] == ["Who wrote Hamlet?"]
    assert "Hamlet" in [source["title"] for source in reply["sources"]]
    assert reply["model"].startswith("SmolLM2")
    assert reply["index"] == "default"


def test_the_embedded_model_is_corrected(db):
    question = "In which country was Rudyard Kipling born?"
    reply = ask(question, "--profile", "paper", db=db)  # the default finds it without a plan
    assert reply["final_answer"] == "British India"
    assert is_answer(reply)
    first, *others = reply["tree"]["nodes"]
    assert (first["model_answer"], first["verdict"], first["on_path"]) == ("United States", "corrected", False)
    assert "British India" in [node["answer"] for node in others if node["on_path"]]


ANSWERS = ("Lima", "1513", "Mount Everest", "Antonio Vivaldi", "15 April 1912", "Biological process")


@pytest.mark.parametrize(("question", "answer"), zip(EXAMPLES, ANSWERS, strict=True))
def test_each_example_of_the_empty_page_is_ticked_and_clean(db, question: str, answer: str):
    reply = ask(question, db=db)
    assert reply["outcome"] == "supported"
    assert reply["final_answer"].startswith(answer)
    assert {sentence["support"] for sentence in reply["sentences"]} <= {"quoted", "supported"}
    assert reply["standalone_question"] == question


def test_a_conversation_goes_on_and_numbers_restart(db):
    first = ask("In which city does Nintendo have its headquarters?", db=db)
    second = ask("On which island is it?", "--conversation", first["conversation"], db=db)
    assert second["conversation"] == first["conversation"]
    assert second["turn"] != first["turn"]
    assert second["standalone_question"] == "On which island is Kyoto?"
    assert second["final_answer"] in ("Honshu", "Honshū")
    assert [source["number"] for source in second["sources"]][:1] == [1]
    status, out, _ = told("logs", "show", second["turn"], db=db)
    assert status == 0
    assert second["final_answer"] in out
    assert "Kyoto" in out
