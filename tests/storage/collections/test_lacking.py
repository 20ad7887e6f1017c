"""Questions that a collection lacks an answer to: whose, which ones, and which stand together."""

from dataclasses import replace

from searchain.events import RunStarted
from storage.collections import access
from storage.collections.lacking import count, grouped, unanswered
from tests.support.stories import everest, not_found
from tests.support.story_runs import store_run


def over(index, events):
    return [replace(event, index=index) if isinstance(event, RunStarted) else event for event in events]


def test_a_question_counts_until_it_is_found_and_only_over_its_collection(store):
    flat, other = access.create(store, "local", "flat"), access.create(store, "local", "other")
    store_run(store, over(flat.index, not_found("Who is the janitor?")))
    store_run(store, over(f"default+{flat.index}", not_found("Is there a lift?")), owner="bob")
    store_run(store, over("default", not_found("Who is the mayor?")))
    found = unanswered(store, flat.index)
    assert [(q.question, q.owner) for q in found] == [("Is there a lift?", "bob"), ("Who is the janitor?", "local")]
    assert found[0].title == "Mount Everest"
    assert found[0].text
    assert unanswered(store, other.index) == []
    counts = [count(store, flat.index), count(store, flat.index, "bob"), count(store, other.index)]
    assert counts == [2, 1, 0]
    (answered, *events) = over(flat.index, everest())
    store_run(store, [replace(answered, question="who is the janitor?"), *events])
    assert [one.question for one in unanswered(store, flat.index)] == ["Is there a lift?"]
    assert (count(store, flat.index), count(store, flat.index, "local")) == (1, 0)
    store_run(store, over(flat.index, not_found("Who is the janitor?")))  # the file was removed again
    assert len(unanswered(store, flat.index)) == count(store, flat.index) == 2


def test_similar_questions_stand_together_the_largest_group_first(store):
    flat = access.create(store, "local", "flat")
    for question in ("Where can I park?", "Who is the janitor?", "Is there parking?"):
        store_run(store, over(flat.index, not_found(question)))
    groups = grouped(unanswered(store, flat.index), lambda one, other: float("park" in one and "park" in other))
    assert [[one.question for one in group] for group in groups] == [
        ["Is there parking?", "Where can I park?"],
        ["Who is the janitor?"],
    ]
