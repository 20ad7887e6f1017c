"""The sentences that are quoted where no passage answers outright."""

import pytest

from searchain.language.languages import foreign_language, function_words
from searchain.reply.nearby import sharing_words
from searchain.types import Node, Passage, Verdict

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
