"""The sentences that are quoted where no passage answers outright."""

from types import SimpleNamespace

import pytest

from searchain.language import text
from searchain.language.languages import foreign_language, function_words
from searchain.reply.nearby import nearby, sharing_words
from searchain.settings import Settings, Strategy
from searchain.types import Abilities, Node, Passage, Place, TaskKind, Verdict

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
FALLS = "If the heating fails for two days, the rent falls by 20 per cent"
OWN = Place("lease", "0" * 64, 0, len(HEATING))


def asked_of(place, question, *queries, is_label=False):
    """Return the reply to a question that nothing answers, over one passage."""
    passage = Passage("l.1", "Lease", HEATING, None, place)
    path = [Node(one, None, 1, one, verdict=Verdict.UNCONFIRMED, passage=passage) for one in queries or (question,)]
    run = SimpleNamespace(
        lookups=SimpleNamespace(found=lambda node: [node]),
        similarity=lambda one, other: len(text.content_words(one) & text.content_words(other)) / 10,
        tree=SimpleNamespace(path=lambda: path),
        question=question,
        asked=question,
        parts=queries,
        settings=Settings(),
        strategy=Strategy(abilities=Abilities.TRAINED),
        task=TaskKind.YESNO if is_label else TaskKind.MULTIHOP,
        explains=False,
        large_read=None,
    )
    return nearby(run)


def test_of_own_documents_the_nearest_sentence_to_each_thing_is_shown_where_no_answer_is_found():
    question = "heating broken for three days, do we get money off?"
    reply = asked_of(OWN, question)
    assert reply.content.startswith(f"I found no answer. This sentence is the nearest. {FALLS} [")
    assert (reply.final, reply.is_nearby) == ("", False)
    assert asked_of(None, question) is None
    reply = asked_of(OWN, "parrots, cats and dogs?", "working day of payment", "heating failures")
    assert reply.content.startswith("I found no answer. These sentences are the nearest. The rent is due")
    assert FALLS in reply.content


def test_a_sentence_that_may_decide_a_yes_no_question_is_more_than_not_found(monkeypatch):
    question = "some of the rent off while the heating stays broken and cold?"
    for likely, is_label, is_nearby in ((0.2, True, True), (0.05, True, False), (0.2, False, False)):
        monkeypatch.setattr("searchain.reply.own_explanation.Logistic.probability", lambda self, row, p=likely: p)
        reply = asked_of(OWN, question, is_label=is_label)
        assert reply.is_nearby is is_nearby
        assert reply.content.startswith("No passage answers this outright" if is_nearby else "I found no answer.")
