"""What the browser tests of the desk share: an empty desk, and its page with one reply to judge."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.desk_site import FOUR, Site, desk_page, opened, site


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("desk")) as made:
        yield made


@pytest.fixture
def desk(local: Site) -> Site:
    """A desk with nothing on it."""
    local.clear()
    return local


@pytest.fixture
def page(browser: Browser, desk: Site, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The desk's page with the reply of the parameter, ``FOUR`` without one, waiting for two people."""
    reply = getattr(request, "param", FOUR)
    desk.put(reply)
    with desk_page(browser, desk) as page:
        yield opened(page, reply)
