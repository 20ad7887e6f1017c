"""SKC, AMP, citation recall and precision: a reply counted by hand, means of means, and what a seeded set implies."""

from dataclasses import fields, replace
from fractions import Fraction
from statistics import mean

import pytest

from searchain.annotation import protocol
from searchain.annotation.agreement import MISSING
from searchain.annotation.measures import Counts, Measures, breakdown, counts, measures
from searchain.annotation.protocol import Backing, Labels, MarkJudgement, Place, default_labels
from searchain.annotation.units import UNCITED, Judgement, ratings
from searchain.types import Span, Support
from tests.support.judged_replies import ENGINE, SEARCHAIN, item_of, simulate_judging

EXACT = 1e-9
NAMES = tuple(one.name for one in fields(Measures))[4:]  # behind the numbers of replies, labels and annotators
ANSWER = "Nintendo sits in Kyoto [1][2]. Kyoto lies on Honshu [3]. Honshu is large. Ask me more."
SENTENCES = (Span(0, 30), Span(31, 56), Span(57, 73), Span(74, 86))
STATES = (Support.VERIFIED, Support.WEAK, Support.NONE, Support.NONE)


def item(answer: str = ANSWER, sentences=SENTENCES, id: str = "i1", states=STATES) -> protocol.Item:
    made = item_of(answer, sentences, id=id, origin=protocol.Origin.TURN, system="searchain", model="a model")
    return replace(made, machine=protocol.Machine(states, confidences=tuple(float(one.number) for one in made.sources)))


def labels(
    *supports, places=(Place.RIGHT, Place.SUPERFLUOUS, Place.RIGHT), missing=(), of: protocol.Item | None = None
):
    default = default_labels(of or item())
    return Labels(
        tuple(
            replace(one, support=support, missing=one.id in missing)
            for one, support in zip(default.knowledge_items, [*supports, *[None] * 9], strict=False)
        ),
        tuple(MarkJudgement(n, place, "k2" if place is Place.ELSEWHERE else None) for n, place in enumerate(places)),
    )


def judged(annotator: str, said: Labels, of: protocol.Item | None = None) -> Judgement:
    return Judgement(of or item(), annotator, said, "2026-08-03T09:00:00.000+00:00", 60.0)


UNMARKED = item("Nothing is marked. Nothing at all.", (Span(0, 18), Span(19, 34)), "i2", (Support.NONE,) * 2)


def test_a_reply_is_counted():
    said = labels(Backing.COMPLETE, Backing.PARTIAL, missing=("k3",))
    found = counts(item(), said)
    assert found == Counts(4, 2, skc_strict=1, partial=1, missing=1, marks=3, right=2, precise=1)
    assert (found.skc_marked, found.skc_strict, found.skc_lenient) == (2, 1, 2)
    assert (found.amp, found.recall, found.precision) == (2 / 3, 1 / 3, 1 / 3)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        # nothing judged yet: the items and their marks are there
        (default_labels(item()), Counts(knowledge_items=4, skc_marked=2)),
        (labels(Backing.CONTRADICTS, Backing.CANNOT_TELL), Counts(4, 2, marks=3, right=2)),
        (
            labels(Backing.NONE, Backing.COMPLETE, places=(Place.ELSEWHERE, Place.SUPERFLUOUS, Place.RIGHT)),
            Counts(4, 2, skc_strict=1, marks=3, right=1, precise=1),
        ),
        # both sentences joined: one item bears all marks
        (
            Labels(
                (protocol.KnowledgeItem("k1", 0, 55, Backing.COMPLETE),),
                (MarkJudgement(0, Place.RIGHT), MarkJudgement(2, Place.RIGHT)),
            ),
            Counts(1, 1, skc_strict=1, marks=2, right=2, precise=2),
        ),
        # the item is removed: its mark stands at none, and counts all the same
        (
            Labels(
                (protocol.KnowledgeItem("k1", 0, 22, Backing.COMPLETE),),
                (MarkJudgement(0, Place.RIGHT), MarkJudgement(2, Place.SUPERFLUOUS)),
            ),
            Counts(1, 1, skc_strict=1, marks=2, right=1, precise=1),
        ),
    ],
)
def test_whatever_is_said_is_counted(said, expected):
    assert counts(item(), said) == expected


def test_what_a_found_document_would_support_is_a_citation_error_and_no_missing_document():
    """Of three knowledge items that lack support one could have cited a document, by one of two annotators."""
    said = labels(Backing.NONE, Backing.PARTIAL, missing=("k3",))

    def with_uncited(*numbers: int | None) -> Labels:
        items = zip(said.knowledge_items, numbers, strict=True)
        return replace(said, knowledge_items=tuple(replace(one, uncited=number) for one, number in items))

    found = measures([judged("ada", with_uncited(0, 4, 0, None)), judged("ben", with_uncited(0, 0, 0, None))])
    assert (found.citable.value, found.citable.n) == (pytest.approx(0.5 / 3), 3)
    assert measures([judged("ada", said)]).citable.n == 0  # nobody was asked
    both = [judged("ada", with_uncited(0, 4, 0, None)), judged("ben", with_uncited(0, 0, None, None))]
    assert ratings(both, names=[UNCITED])[UNCITED].values.tolist() == [[0, 0], [1, 0], [0, MISSING], [MISSING] * 2]


def test_means_are_over_annotators_then_over_replies():
    """Reply 1: SKC strict 1 and 2, AMP 2/3 and 3/3; reply 2 has no marks, and one annotator of two misses one."""
    found = measures(
        [
            judged("ada", labels(Backing.COMPLETE, Backing.PARTIAL, missing=("k3",))),
            judged("ben", labels(Backing.COMPLETE, Backing.COMPLETE, places=(Place.RIGHT,) * 3)),
            judged("ada", labels(places=(), of=UNMARKED), UNMARKED),
            judged("eve", labels(places=(), missing=("k1",), of=UNMARKED), UNMARKED),
        ]
    )
    assert (found.replies, found.labels, found.annotators, found.without_marks) == (2, 4, 3, 1)
    assert {name: (getattr(found, name).value, getattr(found, name).n) for name in NAMES} == {
        "skc_marked": (1.0, 2),
        "skc_strict": (0.75, 2),
        "skc_lenient": (1.0, 2),
        "knowledge_items": (3.0, 2),
        "coverage": (0.25, 2),
        "missing": (0.5, 2),
        "invented": (0.0, 2),
        "amp": (pytest.approx(2.5 / 3), 3),
        "amp_strict": (pytest.approx((1 + 3) / 2 / 3), 3),
        # 1/4 and 2/4 of reply 1, nothing of reply 2
        "alce_recall": (pytest.approx((0.375 + 0) / 2), 2),
        "alce_precision": (pytest.approx((2 / 3 + 0) / 2), 2),
        "amp_per_reply": (pytest.approx(5 / 6), 1),
        # (1/3 + 2/2) / 2, and 0/1 of the one annotator for whom something needs support
        "citation_recall": (pytest.approx((2 / 3 + 0) / 2), 2),
        "citation_precision": (pytest.approx((1 / 3 + 1) / 2), 1),
        "citable": (None, 0),
    }


def test_without_replies_and_without_marks_there_are_reasons():
    nothing, unmarked = measures([]), measures([judged("ada", labels(places=(), of=UNMARKED), UNMARKED)])
    assert {getattr(nothing, name).value for name in NAMES} == {None}
    assert nothing.skc_marked.reason == "no replies are judged"
    assert (unmarked.skc_marked.value, unmarked.amp.reason) == (0.0, "no reply has a mark")
    assert unmarked.citation_recall.reason == "nothing needs support"


@pytest.fixture(scope="module")
def made():
    return simulate_judging(replies=60, seed=7)


@pytest.mark.parametrize("system", [SEARCHAIN, ENGINE])
def test_a_seeded_set_measures_what_was_drawn(made, system):
    """Counted from what the generator wrote down, judgement by judgement; every reply has three annotators."""
    found = breakdown(made.judgements)[system]
    said = [one for one in made.answers if one.system == system]
    places = [one for one in said if one.question == "place"]
    supports = [one for one in said if one.question == "support"]
    replies = {one.item.id for one in made.judgements if one.item.system == system}
    per = Fraction(1, 3 * len(replies))
    expected = {
        "skc_marked": len(supports) * per,
        "skc_strict": sum(one.given == "complete" for one in supports) * per,
        "skc_lenient": sum(one.given in ("complete", "partial") for one in supports) * per,
        "missing": sum(one.given == "needs one" for one in said) * per,
        "amp": Fraction(sum(one.given == "right" for one in places), len(places)),
        "amp_per_reply": mean(
            Fraction(sum(one.given == "right" for one in those), len(those))
            for reply in replies
            if (those := [one for one in places if one.item == reply])
        ),
    }
    for name, value in expected.items():
        estimate = getattr(found, name)
        assert estimate.value == pytest.approx(float(value), abs=EXACT)
        assert estimate.low < estimate.value < estimate.high
    assert list(breakdown(made.judgements)) == sorted([ENGINE, SEARCHAIN])
    assert found.amp.n * 3 == len(places)
    assert (found.replies, found.labels) == (60, 180)


def test_a_draft_may_speak_of_marks_that_are_not_there():
    said = labels(Backing.COMPLETE, Backing.PARTIAL)
    stray = replace(said, marks=(*said.marks, MarkJudgement(99, Place.RIGHT), MarkJudgement(-1, Place.RIGHT)))
    assert counts(item(), stray) == counts(item(), said)


def test_invented_marks_are_marks_and_never_right():
    fake = replace(item(), sources=item().sources[:1], dropped=2)
    start = default_labels(fake)
    assert [one.place for one in start.marks] == [None, Place.INVENTED, Place.INVENTED]
    assert [one.support for one in start.knowledge_items] == [None, Backing.NONE, None, None]
    said = labels(Backing.COMPLETE, Backing.NONE, places=(Place.RIGHT, Place.INVENTED, Place.INVENTED), of=fake)
    found = counts(fake, said)
    assert (found.skc_marked, found.bare, found.marks, found.right, found.invented) == (1, 1, 3, 1, 4)
    assert (found.amp, found.recall) == (1 / 3, 1 / 2)
