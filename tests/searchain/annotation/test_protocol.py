"""What is judged of a reply, and when labels are complete, fit and hold together."""

import json
from dataclasses import replace

import pytest

from searchain.annotation import protocol
from searchain.annotation.labels import check, item_from_json, labels_from_json, to_json
from searchain.annotation.protocol import Backing, KnowledgeItem, Labels, MarkJudgement, Place, marks_of
from searchain.errors import UsageError
from searchain.types import Span, Support, Verdict
from tests.support.judged_replies import item_of, uniform_labels

SENTENCES = (
    "Nintendo has its headquarters in Kyoto [1], which lies on Honshu [2].",
    "Kyoto [1] is old.",
    "Honshu is large.",
)


def reply(*sentences):
    """An item of these sentences, with a source for each number in them."""
    ends = [len(" ".join(sentences[: number + 1])) for number in range(len(sentences))]
    spans = [Span(end - len(sentence), end) for end, sentence in zip(ends, sentences, strict=True)]
    about = {"origin": protocol.Origin.TURN, "system": "searchain", "model": "a model", "task": "multihop"}
    made = item_of(" ".join(sentences), spans, **about)
    number = len(made.sources)
    agreed = (Verdict.AGREED,) * number
    machine = protocol.Machine((Support.WEAK,) * len(spans), agreed, (0.5,) * number, (Span(0, 4),) * number)
    documents = tuple(replace(one, text="Some text.") for one in made.sources)
    return replace(made, machine=machine, sources=documents)


ITEM = reply(*SENTENCES)
GOOD = uniform_labels(ITEM)


def texts(item):
    return [item.answer[one.start : one.end] for one in protocol.default_labels(item).knowledge_items]


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (
            SENTENCES,
            ["Nintendo has its headquarters in Kyoto", "which lies on Honshu", "Kyoto [1] is old", "Honshu is large"],
        ),
        (("It opened in 1955 [1][2] and closed in 1990 [3].",), ["It opened in 1955", "and closed in 1990"]),
        (("Kyoto [1], Nara [2] and Uji [3] are cities.",), ["Kyoto [1], Nara [2] and Uji [3] are cities"]),
        (("Made by Acme Ltd. [1].", "[2]", "Is it?"), ["Made by Acme Ltd.", "Is it"]),
        (("[1]",), []),
    ],
)
def test_knowledge_items_begin_with_sentences_and_their_clauses(sentences, expected):
    assert texts(reply(*sentences)) == expected


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [(SENTENCES, [[0], [1], [2], []]), (("Kyoto is old.", "[1] Nara is older [2][3]."), [[0], [1, 2]])],
)
def test_marks_belong_to_the_item_before_them(sentences, expected):
    item = reply(*sentences)
    labels = protocol.default_labels(item)
    assert [[mark.index for mark in marks_of(item, labels, one.id)] for one in labels.knowledge_items] == expected


def test_a_mark_behind_words_that_are_no_item_stands_alone():
    item = reply("Kyoto is old.", "I hope that this helps [1].")
    first = replace(protocol.default_labels(item).knowledge_items[0], missing=False)
    labels = Labels((first,), (MarkJudgement(0, Place.SUPERFLUOUS),))
    assert protocol.carriers(item, labels) == {0: None}
    check(labels, item)
    with pytest.raises(UsageError, match="stands at no knowledge item and cannot be right"):
        check(replace(labels, marks=(MarkJudgement(0, Place.RIGHT),)), item)


def test_what_is_open_comes_in_the_order_of_judging():
    labels = protocol.default_labels(ITEM)
    points = [f"{point.step} {point.target}" for point in protocol.open_points(labels, ITEM)]
    assert points == ["support k1", "support k2", "support k3", "mark 0", "mark 1", "mark 2", "need k4"]
    assert protocol.open_points(labels, ITEM)[0].what == "the support of “Nintendo has its headquarters in Kyoto”"
    assert protocol.open_points(GOOD, ITEM) == ()


def changed(at, **values):
    """GOOD with another knowledge item at ``at``."""
    items = list(GOOD.knowledge_items)
    items[at] = replace(items[at], **values)
    return replace(GOOD, knowledge_items=tuple(items))


def marked(at, **values):
    marks = list(GOOD.marks)
    marks[at] = replace(marks[at], **values)
    return replace(GOOD, marks=tuple(marks))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (replace(GOOD, comment="x" * 4001), "the comment has 4,001 characters"),
        (changed(0, start=-1), "is no stretch of the reply"),
        (changed(0, start=39, end=42), "is no stretch of the reply with words in it"),
        (changed(1, id="k1"), "two knowledge items have the name 'k1'"),
        (changed(0, end=50), "overlaps the one before it"),
        (changed(0, support=None), "the support of “Nintendo has its headquarters in Kyoto” is not judged yet"),
        (changed(3, support=Backing.COMPLETE), "“Honshu is large” has no mark, so that no marked document"),
        (changed(0, evidence=(protocol.Evidence(3, 0, 1),)), "no source 3"),
        (changed(0, evidence=(protocol.Evidence(1, 4, 99),)), "is not in source 1"),
        (marked(0, place=None), "the place of mark 1, [1] is not judged yet"),
        (marked(0, mark=7), "mark 8 is not in the reply"),
        (marked(0, place=Place.ELSEWHERE), "say to which knowledge item"),
        (marked(0, belongs_to="k2"), "is not judged to belong elsewhere"),
        (marked(0, place=Place.ELSEWHERE, belongs_to="k1"), "stands at that knowledge item already"),
        (protocol.default_labels(ITEM), "is not judged yet, nor 6 more"),
    ],
)
def test_what_does_not_fit_is_named(labels, message):
    with pytest.raises(UsageError) as raised:
        check(labels, ITEM)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


QUOTING = changed(0, evidence=(protocol.Evidence(1, 0, 4), protocol.Evidence(2, 5, 10)), support=Backing.PARTIAL)


@pytest.mark.parametrize("labels", [GOOD, changed(3, missing=True), replace(GOOD, comment="unsure"), QUOTING])
def test_labels_that_fit_survive_json(labels):
    check(labels, ITEM)
    assert labels_from_json(json.loads(json.dumps(to_json(labels)))) == labels


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"answer": 5}, "the item cannot be read: answer: Input should be a valid string"),
        ({"origin": "found"}, "origin: Input should be 'turn', 'foreign' or 'practice'"),
        ({"answer": "short"}, "mark 1 of the item does not stand in its answer"),
        ({"sources": to_json(ITEM)["sources"] * 2}, "two sources of the item have the same number"),
        ({"sentences": [{"start": 5, "end": 3}]}, "do not lie in its answer one after the other"),
        ({"machine": {"verdicts": ["agreed"]}}, "not one of machine.verdicts for each source"),
        ({"machine": {"supports": ["weak"]}}, "not one of machine.supports for each sentence"),
    ],
)
def test_an_item_that_does_not_hold_together_is_refused(values, message):
    with pytest.raises(UsageError) as raised:
        item_from_json({**to_json(ITEM), **values})
    assert message in str(raised.value)


HALF_A_LETTER = {"knowledge_items": [{"id": "k1", "start": 0.5, "end": 2}]}


@pytest.mark.parametrize(
    "values",
    [None, [], "x", {"knowledge_items": 3}, {"marks": [{"mark": "0"}]}, HALF_A_LETTER, {"comment": float("nan")}],
)
def test_labels_of_another_kind_are_refused(values):
    with pytest.raises(UsageError, match="the labels cannot be read: "):
        labels_from_json(values)


def test_the_blind_view_says_nothing_of_machine_or_system():
    said = json.dumps(ITEM.blind())
    assert json.loads(said) == ITEM.blind()
    assert not any(one in said for one in ("searchain", "a model", "weak", "agreed", "multihop", "turn", "0.5", "span"))


def test_the_simplest_labels():
    item = reply("Nothing was found.")
    check(Labels((), ()), item)
    check(Labels((KnowledgeItem("k1", 0, 7, missing=False),), ()), item)
    with pytest.raises(UsageError, match="whether “Nothing” needs a mark is not judged yet"):
        check(Labels((KnowledgeItem("k1", 0, 7),), ()), item)
