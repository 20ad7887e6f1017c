"""The route behind the link that saves a tree: owners only."""

from __future__ import annotations

import hashlib
import urllib.error
import urllib.request

import pytest

from assistant import Assistant
from searchain.events import fold
from searchain.settings import Settings
from storage.database import Database
from tests.support.browser import free_port
from tests.support.stories import QUESTION, nintendo
from tests.support.story_runs import StoryPlayer
from ui.page.app import build, serve
from ui.server.access import Access, Who
from ui.show.tree_svg import svg

MINE, OTHERS = "a" * 32, "b" * 32  # visitors' cookies
OWNER = f"visitor:{hashlib.sha256(MINE.encode()).hexdigest()}"


@pytest.fixture
def site(tmp_path):
    access = Access(Who.ANYBODY)
    player = StoryPlayer()
    assistant = Assistant(Database(tmp_path / "page.db"), player, Settings())
    served = serve(build(assistant, about="x", access=access), host="127.0.0.1", port=free_port(), access=access)
    yield served.url, assistant, player
    player.go_on.set()
    served.close()
    assistant.close()


def get(url, visitor):
    headers = {"cookie": f"searchain_visitor={visitor}"} if visitor else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as response:
            return response.status, response.headers, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def test_a_tree_is_saved_by_its_owner_alone(site):
    url, assistant, _ = site
    begun = assistant.start(QUESTION, owner=OWNER)
    list(assistant.follow(begun.turn, owner=OWNER))
    status, headers, text = get(f"{url}tree.svg?turn={begun.turn}", MINE)
    assert (status, text) == (200, svg(fold(nintendo())))
    assert (
        headers["content-type"],
        headers["content-disposition"].startswith('attachment; filename="On-which-Japanese-island'),
        headers["cache-control"],
        headers["x-content-type-options"],
    ) == ("image/svg+xml", True, "no-store", "nosniff")
    for visitor, turn in ((OTHERS, begun.turn), (MINE, "nowhere"), (MINE, "")):
        status, _, text = get(f"{url}tree.svg?turn={turn}", visitor)
        assert (status, "no turn" in text, "\n" in text, QUESTION in text) == (404, True, False, False)
    assert get(f"{url}tree.svg?turn={begun.turn}", None)[0] == 403


def test_the_tree_of_a_run_is_saved_as_far_as_it_has_grown(site):
    url, assistant, player = site
    player.hold = 10
    begun = assistant.start(QUESTION, owner=OWNER)
    for stored in assistant.follow(begun.turn, owner=OWNER):
        if stored.seq == 9:
            break
    assert get(f"{url}tree.svg?turn={begun.turn}", MINE)[2] == svg(fold(nintendo()[:10]))
