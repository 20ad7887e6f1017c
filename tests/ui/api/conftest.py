"""What the tests of the API share: a served page whose model speaks from a script, and its reply to ``QUESTION``."""

from collections.abc import Iterator

import pytest

from lab.scripted.model import ScriptedModel
from tests.support.api_site import Site, told
from tests.support.fakes import runs_of
from tests.support.scripted_chat import DELAY, speak


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from told(tmp_path_factory.mktemp("api"), runs_of(ScriptedModel(speak, name="a scripted model", delay=DELAY)))
