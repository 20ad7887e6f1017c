"""Questions about own documents themselves: recognised by their words, answered from titles, headings and counts."""

import pytest

from searchain.documents import passages_of
from searchain.documents.parsed import OwnFile
from searchain.documents.reading import read_document
from searchain.events import fold
from searchain.question.talk import talk_of
from searchain.turn_json import as_json
from searchain.types import HEADING_STEP, Outcome, Status, Support, TaskKind
from storage.log import verify
from tests.support.fakes import CORPUS, TOY_COLLECTION, toy_searchain
from tests.support.json_lines import DATA, kept
from tests.support.own_passages import document
from tests.support.question_head import head

PUMP = [
    *document("P", "The pump lifts water. Its relief valve opens at 8 bar.", title=f"Pump manual{HEADING_STEP}Safety"),
    *document("P", "Check the relief valves and the pump each year.", title=f"Pump manual{HEADING_STEP}Maintenance"),
]
LETTER = document("L", "Dear Ann, the valve arrived. Relief at last!", title="Letter [7]")
RECIPE = document("R", "Boil the rice.", title="Rice")
DOCUMENTS = [*PUMP, *LETTER, *RECIPE]


def searchain(*replies, documents=(*DOCUMENTS, *CORPUS), **settings):
    parts = {"probability": None, "collection": TOY_COLLECTION, "head": head()}
    return toy_searchain(*replies, documents=documents, **parts, **settings)


def asked(question, **parts):
    turn = fold(searchain(**parts).stream(question))
    assert list(verify.faults(turn)) == []
    return turn


@pytest.mark.parametrize(("question", "kind", "words", "place"), kept("about-documents.json")["kinds"])
def test_a_question_about_documents_as_wholes_is_recognised(question, kind, words, place):
    asked = talk_of(question, head(), has_documents=True)
    assert (asked and (asked.kind, asked.words, asked.place)) == (kind and (kind, words, place))


def test_what_the_documents_are_about_is_told_by_titles_headings_and_counts():
    turn = asked("What are these documents about?")
    assert turn.answer == (
        "There are 3 documents with 4 passages [1][2][3].\n"
        "- “Pump manual” begins: “The pump lifts water”; 2 sections: Safety; Maintenance [1].\n"
        "- “Letter (7)” begins: “Dear Ann, the valve arrived” [2].\n"
        "- “Rice” begins: “Boil the rice” [3]."
    )
    assert (turn.status, turn.outcome, turn.probability) == (Status.PARTIAL, Outcome.UNRATED, None)
    assert (turn.task, turn.final_answer) == (TaskKind.LONGFORM, "Pump manual, Letter (7), Rice")
    assert [(one.passage, one.quote) for one in turn.sources] == [
        (PUMP[0], "The pump lifts water."),
        (LETTER[0], "Dear Ann, the valve arrived."),
        (RECIPE[0], "Boil the rice."),
    ]
    assert turn.usage.llm_calls == 0


def test_documents_that_mention_something_are_cited_at_the_words_or_at_words_that_stand_together():
    turn = asked("Which documents mention the relief valve?")
    assert turn.answer == "1 of the 3 documents mentions “relief valve” [1].\n- “Pump manual” mentions it twice [1]."
    assert turn.final_answer == "Pump manual"
    assert [(one.passage, one.quote) for one in turn.sources] == [(PUMP[0], "relief valve")]
    assert {sentence.support for sentence in turn.sentences} == {Support.SUPPORTED}
    assert as_json(turn, conversation="c", turn_id="t")["sources"][0]["title"] == PUMP[0].title
    turn = asked("Which documents mention the arrived valve?")
    assert "its words stand together in 1 document" in turn.answer
    assert turn.final_answer == "Letter (7)"
    assert asked("Which documents mention maintenance?").answer.endswith("“Pump manual” has it in a heading [1].")


def test_what_no_document_mentions_is_not_found():
    turn = asked("Which documents mention Nintendo?")  # the encyclopedia does, and is none of the documents
    assert turn.answer == "None of the 3 documents mentions “Nintendo”."
    assert (turn.status, turn.outcome, turn.final_answer, turn.sources) == (Status.NOT_FOUND, Outcome.NOT_FOUND, "", ())


def test_with_the_encyclopedia_alone_it_is_said_what_is_searched():
    turn = asked("What are these documents about?", documents=None)
    assert (turn.outcome, turn.sources) == (Outcome.NO_SEARCH, ())
    assert "No documents of yours are searched here." in turn.answer
    assert "4 introductions" in turn.answer


LEASE = (DATA / "kinds/lease.md").read_text(encoding="utf-8")
AMENDED = LEASE.replace("900", "950").replace("Dogs are", "One dog is")


def file_of(name, text):
    """The passages of a file, and the file."""
    found = name.partition(".")[0]
    parsed = read_document(text.encode(), name, read_pictures=None)
    return passages_of(parsed, found, "1" * 64), OwnFile(found, name, None, "2024-05-01", lambda: parsed)


def whole(question, **texts):
    """The turn of a question over the files with these names and texts."""
    found = [file_of(f"{name}.md", text) for name, text in texts.items()]
    passages = [passage for some, _ in found for passage in some]
    chain = searchain(documents=passages)
    chain.files = lambda: {file.id: file for _, file in found}
    turn = fold(chain.stream(question))
    assert list(verify.faults(turn)) == []
    return turn


@pytest.mark.parametrize(("question", "said", "outcome"), kept("about-documents.json")["replies"])
def test_a_whole_document_answers_from_its_own_text(question, said, outcome):
    turn = whole(question, lease=LEASE)
    assert said in turn.answer
    assert turn.outcome is Outcome(outcome)
    assert all(source.passage.place for source in turn.sources)


def test_the_document_that_is_named_answers_and_a_section_is_found_by_its_whole_heading():
    handbook = "# Handbook\n\n## Medicines\n\nInhalers stay in class.\n\n## Uniform\n\nTrainers are for sports."
    assert "“Medicines” in “Handbook” says:" in whole("Summarise the section Medicines.", handbook=handbook).answer
    texts = {"lease": LEASE, "minutes": "# Minutes of March\n\nKarin opened the meeting."}
    assert "Karin opened" in whole("Summarise the minutes", **texts).answer
    assert "Ben" not in whole("Summarise the minutes", **texts).answer


def test_two_documents_are_compared_sentence_by_sentence():
    turn = whole("Compare the two files", lease=LEASE, amendment=AMENDED)
    assert "- The rent is 900 euros [" in turn.answer
    assert "\n  The rent is 950 euros [" in turn.answer
