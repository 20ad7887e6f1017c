"""The comparison of one model in four systems: each system's parsing with scripted replies, the table's arithmetic."""

import pytest

from lab.evaluation.outfile import read_lines
from lab.scripted.model import ScriptedModel
from lab.worth import method, plain
from lab.worth.asking import ask_all
from lab.worth.figures import SHORT, TURNS, Value, value_of
from lab.worth.judging import line_of
from lab.worth.questions import Question
from lab.worth.replies import Said, read, refuses
from lab.worth.table import table
from searchain.errors import ModelServerError
from searchain.reply.support_check import Finding
from searchain.types import Exchange
from tests.support.fakes import CITY, KYOTO, NINTENDO, QUESTION, RIGHT_CHAIN, WordRetriever, toy_searchain

ASKED = Question("vital:island", "vital", QUESTION, ("Honshu",), "default")
BEFORE = {"history": (Exchange(CITY, "In Kyoto."),), "supporting": ("kyoto",)}
FOLLOW_UP = Question("mtrag:1", "mtrag", "And where is it?", ("Kyoto is on the island of Honshu.",), "mtrag", **BEFORE)
ROW = {figure.name: figure for figure in (*SHORT, *TURNS)}


class WordCheck:
    """Finds a sentence supported when a cited passage holds its last word."""

    def judge(self, sentence, passages):
        held = any(sentence.rstrip(".").split()[-1] in passage.text for passage in passages)
        return Finding("supported" if held else "not_supported", float(held))


def line(number=1, **changes):
    sentences = [{"label": "supported", "invented": []}, {"label": "none", "invented": ["1887"]}]
    usage = {"llm_calls": 1, "prompt_tokens": 1000, "completion_tokens": 20, "seconds": 2.0}
    kept = {"id": f"q{number}", "kind": "vital", "answerable": True, "failure": "", "is_refusal": False}
    scores = {"right": 1.0, "right_anywhere": 1.0, "found": ["kyoto"], "writers": ["model"], "cpu": 3.0}
    return kept | scores | {"sentences": sentences, "usage": usage} | changes


@pytest.mark.parametrize(
    ("text", "answer", "sentences"),
    [
        ("Kyoto is on Honshu [2].\nAnswer: Honshu", "Honshu", [("Kyoto is on Honshu.", (2,))]),
        (
            "It is big. [1][2] It is old [1, 3].\n**Answer:** big",
            "big",
            [("It is big.", (1, 2)), ("It is old.", (1, 3))],
        ),
        ("[1][2] Answer: Honshu.", "Honshu", [("Honshu", (1, 2))]),
        ("Answer:\nHonshu [2]", "Honshu", [("Honshu", (2,))]),
        ("[1] Answer: and the short answer. Sparta", "Sparta", [("Sparta", (1,))]),
    ],
)
def test_a_plain_reply_is_read(text, answer, sentences):
    assert read(text) == (answer, tuple(Said(*one) for one in sentences))


@pytest.mark.parametrize(
    ("answer", "is_refusal"),
    [("The passages do not answer it", True), ("I cannot determine it", True), ("no", False), ("The No Angels", False)],
)
def test_a_refusal_is_known_by_its_words(answer, is_refusal):
    assert refuses(answer, ()) is is_refusal


def test_rag_shows_what_the_standalone_question_finds():
    model = ScriptedModel("On which island is Kyoto?", "Kyoto is on Honshu [1].\nAnswer: Honshu")
    retriever = WordRetriever()
    reply = plain.rag(FOLLOW_UP, model, retriever)
    prompt = model.calls[1].messages[0].content
    assert retriever.queries == ["On which island is Kyoto?"]
    assert prompt.startswith(f"[1] Kyoto: {KYOTO.text}\n\n[2] ")
    assert "Question: On which island is Kyoto?\n\nAnswer the question from the numbered passages only." in prompt
    assert (reply.usage.llm_calls, reply.numbered[1].id, len(reply.found)) == (2, "kyoto", 4)
    kept = line_of(FOLLOW_UP, reply, WordCheck())
    assert (kept["cites_right"], kept["right"], kept["sentences"][0]["label"]) == (1.0, None, "supported")


def test_searchain_answers_in_the_same_form():
    reply = method.searched(ASKED, toy_searchain(*RIGHT_CHAIN))
    kept = line_of(ASKED, reply, WordCheck())
    assert (kept["final"], kept["right"], kept["is_refusal"], kept["writers"]) == ("Honshu", 1.0, False, ["template"])
    assert {NINTENDO.id, KYOTO.id} <= set(kept["found"])
    assert all(said["cited"] and not said["invented"] for said in kept["sentences"])


def test_a_run_goes_on_and_asks_again_what_failed(tmp_path):
    failing = ScriptedModel(ModelServerError("it broke"), "Answer: Honshu", "never asked")
    path = tmp_path / "alone.jsonl"
    for _ in range(3):
        ask_all([ASKED], {"alone": (path, lambda one: plain.alone(one, failing))}, "scripted", WordCheck())
    (kept,) = read_lines(path)
    assert (kept["failure"], kept["right"], len(failing.calls)) == ("", 1.0, 2)


def test_figures():
    lines = [
        line(1),
        line(2, right=0.0, sentences=[{"label": "supported", "invented": []}], writers=["model", "template"]),
        line(3, answerable=False, is_refusal=True, right=0.0, sentences=[], writers=[]),
    ]
    assert value_of(ROW["right, of the answerable"], lines).value == 0.5
    assert value_of(ROW["*not found*, of the unanswerable (rightly)"], lines) == Value(1.0, 1.0, 1.0, 1)
    assert value_of(ROW["*not found*, of the answerable (wrongly)"], lines) == Value(0.0, 0.0, 0.0, 2)
    assert value_of(ROW["sentences with a citation that carries them"], lines).value == 0.75
    assert value_of(ROW["replies with an invented detail"], lines).value == 0.5
    assert value_of(ROW["model's replies discarded"], lines).value == 0.5
    assert value_of(ROW["seconds, median"], lines).value == 2.0


def test_the_table():
    written = table({"alone": [line(1, found=[])], "rag": [line(1)], "searchain": [line(1, right=0.0)]})
    rows = [row for row in written.splitlines() if row.startswith("| right, of")]
    assert rows == [
        "| right, of the answerable | 100.0 [100.0, 100.0] (1) | 100.0 [100.0, 100.0] (1) | 0.0 [0.0, 0.0] (1) |",
        "| right, of the answerable | +0.0 [+0.0, +0.0] (1) | -100.0 [-100.0, -100.0] (1) |",
    ]
    assert "| sentences with a citation that carries them | – | 50.0" in written
    assert "MTRAG" not in written
