"""What the tests of the store share: an empty database, and the process that writes into it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.database import Database
from storage.log.runs import Process


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Database]:
    """An empty database at ``chat.db``."""
    database = Database(tmp_path / "chat.db")
    yield database
    database.close()


@pytest.fixture
def process() -> Process:
    return Process()
