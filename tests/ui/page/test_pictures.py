"""The route behind the link that saves a tree: owners only."""

from __future__ import annotations

import hashlib

import pytest

from searchain.events import fold
from tests.support.served_page import served_page
from tests.support.stories import QUESTION, nintendo
from tests.support.story_runs import StoryPlayer
from ui.server.access import Who
from ui.show.pictures import svg

MINE, OTHERS = "a" * 32, "b" * 32  # visitors' cookies
OWNER = f"visitor:{hashlib.sha256(MINE.encode()).hexdigest()}"


@pytest.fixture
def site(tmp_path):
    player = StoryPlayer()
    with served_page(tmp_path, Who.ANYBODY, player=player) as served:
        yield served, served.assistant, player
        player.go_on.set()


def get(site, turn, visitor):
    return site.request(f"/tree.svg?turn={turn}", **({"cookie": f"searchain_visitor={visitor}"} if visitor else {}))


def test_a_tree_is_saved_by_its_owner_alone(site):
    served, assistant, _ = site
    begun = assistant.start(QUESTION, owner=OWNER)
    list(assistant.follow(begun.turn, owner=OWNER))
    status, headers, text = get(served, begun.turn, MINE)
    assert (status, text) == (200, svg(fold(nintendo())))
    assert (
        headers["content-type"],
        headers["content-disposition"].startswith('attachment; filename="On-which-Japanese-island'),
        headers["cache-control"],
        headers["x-content-type-options"],
    ) == ("image/svg+xml", True, "no-store", "nosniff")
    for visitor, turn in ((OTHERS, begun.turn), (MINE, "nowhere"), (MINE, "")):
        status, _, text = get(served, turn, visitor)
        assert (status, "no turn" in text, "\n" in text, QUESTION in text) == (404, True, False, False)
    assert get(served, begun.turn, None)[0] == 403
