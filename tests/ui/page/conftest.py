"""What the browser tests of the page share: a site whose runs are told event by event, and a visitor of it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support import chat_page
from tests.support.browser import opened_page
from tests.support.chat_page import Site
from tests.support.story_runs import StoryPlayer


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Site]:
    """A page on which every question is answered by the story ``nintendo``; ``SITE`` of the module has its options."""
    with chat_page.site(tmp_path_factory.mktemp("page"), **getattr(request.module, "SITE", {})) as served:
        yield served


@pytest.fixture
def held(site: Site) -> Iterator[StoryPlayer]:
    """The player, which waits in the middle of a run until ``go_on`` is set."""
    with chat_page.held(site) as player:
        yield player


@pytest.fixture
def page(browser: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page in a context of its own; at the end nothing foreign was asked for and no script failed.

    The parameter, or ``VIEW`` of the module, has the options of the context, or its width and height.
    """
    view = getattr(request, "param", getattr(request.module, "VIEW", (1280, 800)))
    options = view if isinstance(view, dict) else {"viewport": dict(zip(("width", "height"), view, strict=True))}
    with opened_page(browser, site.url, **options) as page:
        yield page
