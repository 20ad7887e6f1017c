"""Another system's answer becomes a run that claims nothing."""

import json

import pytest

from searchain.errors import StorageError
from searchain.events import fold
from searchain.types import Passage, Status, Support, Verdict
from storage.database import Database
from storage.history import finished_turns
from storage.log import verify
from storage.transfer import import_turns, other_systems
from ui.exports.formats import FORMATS

ANSWER = {
    "question": "Where is Nintendo?",
    "system": "a search engine",
    "answer": "It is in Kyoto [1][3]. Kyoto is old [9]. So they say [3].",
    "citations": [
        {"number": 1, "title": "Nintendo", "text": "Nintendo is in Kyoto.", "url": "https://example.org/n"},
        {"number": 3, "title": "Kyoto", "text": "Kyoto is a city."},
        {"number": 4, "title": "Unused", "text": "x"},
    ],
}


def test_the_run_of_an_answer():
    turn = fold(other_systems.events(ANSWER))
    assert (turn.answer, turn.invented_markers, turn.status) == (
        "It is in Kyoto [1][3]. Kyoto is old . So they say [3].",
        1,
        Status.ANSWERED,
    )
    assert (turn.outcome, turn.probability) == (None, None)
    assert (turn.model, turn.profile) == ("a search engine", "foreign")
    assert [(source.number, source.passage.title, source.verdict, source.span) for source in turn.sources] == [
        (1, "Nintendo", Verdict.UNCONFIRMED, None),
        (3, "Kyoto", Verdict.UNCONFIRMED, None),
    ]
    assert turn.sources[0].passage == Passage("1", "Nintendo", "Nintendo is in Kyoto.", "https://example.org/n")
    assert [(sentence.citations, sentence.support) for sentence in turn.sentences] == [
        ((1, 3), Support.WEAK),
        ((), Support.NONE),
        ((3,), Support.WEAK),
    ]
    assert len(turn.hits["n1"]) == 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"question": " "}, "is empty"),
        ({"answer": 7}, "'answer' is missing or no text"),
        ({"citations": {}}, None),
        ({"citations": "x"}, "no list"),
        ({"citations": [{"number": 0, "title": "", "text": ""}]}, "0 is no number"),
        ({"citations": [{"number": 1, "title": ""}]}, "'text' is missing"),
        ({"citations": [{"number": 1, "title": "", "text": ""}] * 2}, "the same number"),
    ],
)
def test_what_is_no_answer(change, words):
    if words is None:
        assert fold(other_systems.events({**ANSWER, **change})).sources == ()
    else:
        with pytest.raises(ValueError, match=words):
            other_systems.events({**ANSWER, **change})


def test_answers_are_imported_once_and_come_back_as_they_went(tmp_path):
    store, other = Database(tmp_path / "a.db"), Database(tmp_path / "b.db")
    lines = [json.dumps(answer).encode() for answer in (ANSWER, {**ANSWER, "system": "another"}, ANSWER)]
    assert import_turns.import_lines(store, lines) == import_turns.Imported(2, 1)
    assert import_turns.import_lines(store, lines) == import_turns.Imported(0, 3)
    assert import_turns.import_lines(store, lines, new_ids=True) == import_turns.Imported(2, 1)
    assert list(verify.verify(store)) == []
    assert {record.state().model for record in finished_turns.records(store)} == {
        "a search engine",
        "another",
    }
    exported = "".join(FORMATS["jsonl"].write(finished_turns.records(store)))
    import_turns.import_lines(other, exported.encode().splitlines())
    assert "".join(FORMATS["jsonl"].write(finished_turns.records(other))) == exported
    for name in FORMATS:
        assert any(FORMATS[name].write(finished_turns.records(store)))
    assert json.loads("".join(FORMATS["alce"].write(finished_turns.records(store))))["data"][0]["output"] == (
        "It is in Kyoto [1][2]. Kyoto is old . So they say [2]."
    )
    with pytest.raises(StorageError, match="line 2 cannot be imported: its question or its answer is empty"):
        import_turns.import_lines(store, [lines[0], json.dumps({**ANSWER, "answer": ""}).encode()])
    store.close()
    other.close()
