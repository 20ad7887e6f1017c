"""Yes/no questions about articles, as the stance model learns them."""

from lab.training.asked import LONGEST, asked, near
from searchain.types import Passage


def test_every_question_has_its_article_and_both_parts_know_all_labels():
    learnt, judged = list(asked("learn")), list(asked("judge"))
    for some in (learnt, judged):
        assert {one.label for one in some} == {"supports", "refutes", "unknown"}
        assert all(0 < len(one.passage.text) <= LONGEST for one in some)
    assert {one.passage.title for one in learnt}.isdisjoint(one.passage.title for one in judged)


def test_of_a_long_article_the_nearest_sentences_are_read():
    about = [f"Sentence {number} is about something else of that kind." for number in range(40)]
    passage = Passage("", "Penguin", " ".join([*about[:20], "Penguins never fly.", *about[20:]]))
    cut = near("can penguins fly", passage)
    assert "Penguins never fly." in cut.text
    assert cut.text in passage.text
    assert near("can penguins fly", Passage("", "Penguin", "Penguins swim.")).text == "Penguins swim."
