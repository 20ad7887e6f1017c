"""What the tests of pages and commands share: the empty database of the tests of the store, and served pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.storage.conftest import store  # noqa: F401
from ui.server.access import Who

if TYPE_CHECKING:
    from tests.support.served_page import ServedPage


def _served(who: Who) -> Callable[..., Iterator[ServedPage]]:
    """A page for ``who``; ``SERVED`` of the module has its options."""

    @pytest.fixture(scope="module")
    def page(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[ServedPage]:
        from tests.support.served_page import served_page  # here, because Gradio takes seconds

        with served_page(tmp_path_factory.mktemp("page"), who, **getattr(request.module, "SERVED", {})) as served:
            yield served

    return page


local = _served(Who.LOCAL)
closed = _served(Who.USERS)
public = _served(Who.ANYBODY)
