"""Annotators in several processes and threads at once: no quota is exceeded, nothing is lost."""

import pytest

from storage.annotation.history import labels
from tests.support import crowd

CONTESTS = 5


@pytest.fixture(scope="module")
def worked(tmp_path_factory):
    """Six annotators, three in each of two processes, until the queue is empty; then the contests."""
    path = tmp_path_factory.mktemp("crowd") / "desk.db"
    with crowd.desk(path, number=12, quota=2, contests=CONTESTS) as store:
        yield store, crowd.work(path, crowd.names(6), processes=2, seconds=120)


def test_every_item_has_as_many_labels_as_wanted(worked):
    store, answers = worked
    assert crowd.faults(store, answers) == []
    found = [one.item.id for one in labels(store) if one.item.system != crowd.CONTEST]
    assert max(found.count(id) for id in found) == 2
    assert len(found) >= 20


def test_of_all_who_submit_at_the_same_moment_two_are_taken_and_the_others_keep_their_work(worked):
    store, answers = worked
    taken = [one for one in labels(store) if one.item.system == crowd.CONTEST]
    assert (len(taken), len(answers.refused)) == (2 * CONTESTS, 4 * CONTESTS)
