"""The sentences that are quoted where no passage answers outright."""

from types import SimpleNamespace

import pytest

from searchain.language import text
from searchain.language.languages import foreign_language, function_words
from searchain.reply.nearby import nearby, sharing_words
from searchain.types import Node, Passage, Place, Verdict

LEASE = "Die Wohnung liegt in Kassel. Die monatliche Miete beträgt 640 Euro. Die Kaution ist in drei Raten zu zahlen."
NOTICE = "夏祭りは八月九日に中央公園で行われます。会費は一世帯につき年間三千円です。"
BLOOD = "血红蛋白(HGB) | 仪器法 | 159 | g/L"


@pytest.mark.parametrize(
    ("question", "text", "quoted"),
    [
        ("Wie hoch ist die Miete?", LEASE, ["Die monatliche Miete beträgt 640 Euro."]),
        ("Wer ist der Trainer?", LEASE, []),
        ("会費はいくらですか。", NOTICE, ["会費は一世帯につき年間三千円です。"]),
        ("血红蛋白的结果是多少？", BLOOD, [BLOOD]),
    ],
)
def test_for_a_foreign_question_the_sentences_with_its_words_are_quoted(question, text, quoted):
    language = foreign_language(question)
    assert language is not None
    node = Node("a", None, 1, question, verdict=Verdict.COMPLETED, passage=Passage("1", "", text))
    found = sharing_words(question, [node, node], function_words(language))
    assert [one.answer for one in found] == quoted
    assert all(one.passage.text[one.span.start : one.span.end] == one.answer for one in found)


HEATING = "The rent is due on the third working day. If the heating fails for two days, the rent falls by 20 per cent."


@pytest.mark.parametrize(
    ("place", "answer"),
    [
        (Place("lease", "0" * 64, 0, len(HEATING)), "If the heating fails for two days, the rent falls by 20 per cent"),
        (None, None),
    ],
)
def test_of_own_documents_the_nearest_sentence_is_shown_where_no_answer_is_found(place, answer):
    asked = "heating broken for three days, do we get money off?"
    node = Node(
        "n1", None, 1, asked, verdict=Verdict.UNCONFIRMED, passage=Passage("l.1", "Lease", HEATING, None, place)
    )
    run = SimpleNamespace(
        lookups=SimpleNamespace(found=lambda node: [node]),
        similarity=lambda one, other: len(text.content_words(one) & text.content_words(other)) / 10,
        tree=SimpleNamespace(path=lambda: [node]),
        question=asked,
        asked=asked,
        explains=False,
        large_read=None,
    )
    reply = nearby(run)
    assert (reply is None) is (answer is None)
    if reply is not None:
        assert reply.content.startswith(f"I found no answer. This sentence is the nearest. {answer} [")
        assert (reply.final, reply.is_nearby) == ("", False)
