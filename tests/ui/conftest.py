"""What the tests of pages and commands share: the empty database of the tests of the store."""

from tests.storage.conftest import store  # noqa: F401
