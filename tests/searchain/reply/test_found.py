"""What a second reader is shown: passages, and the answers that were read in them."""

from searchain.reply.found import JUDGED, answers_to_judge
from searchain.types import Passage, Reading, Span

LEASE = Passage("1", "Lease", "The rent is 840 crowns. The deposit is 900 crowns. The flat has 3 rooms and 1 cellar.")


def reading(answer, probability, *others):
    start = LEASE.text.index(answer)
    return Reading(answer, Span(start, start + len(answer)), 1.0, probability=probability, others=others)


def test_the_answer_of_the_reply_is_judged_first_and_then_the_likeliest_others_once_each():
    read = [
        (reading("900 crowns", 0.3, reading("840 crowns", 0.2)), LEASE),
        (reading("3 rooms", 0.1, reading("840", 0.25), reading("1", 0.05)), LEASE),
    ]
    assert answers_to_judge("", None, read) == {"900 crowns": 0.3, "840": 0.25}
    assert answers_to_judge("840 crowns", 0.7, read) == {"840 crowns": 0.7, "900 crowns": 0.3}
    assert len(answers_to_judge("the cellar", 0.7, read)) == JUDGED


def test_where_nothing_was_read_nothing_is_judged():
    assert answers_to_judge("", None, [(Reading("", None, -9.0), LEASE)]) == {}
