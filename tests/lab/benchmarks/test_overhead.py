"""The scripts of the overhead benchmark take the course that they describe, in both profiles."""

import pytest

from lab.benchmarks.overhead import SCRIPTS, replies
from lab.scripted.server import ScriptedServer
from searchain.events import fold
from searchain.llm.openai import OpenAIModel
from searchain.pipeline import SearChain
from searchain.settings import Settings
from searchain.types import Outcome, Passage, Reading, Span
from tests.support.fakes import Rating, WordRetriever


class ScriptReader:
    """Knows the right answer of every step."""

    def __init__(self, script):
        self._answers = {query: right for query, right, _ in script.steps}

    def read(self, query, passages):
        answer = self._answers.get(query, "")  # the question itself is read too, and answers nothing
        return [
            Reading(answer, Span(at, at + len(answer)), 5.0)
            if answer and passage.title == query and (at := passage.text.index(answer)) >= 0
            else Reading("", None, -5.0)
            for passage in passages
        ]


@pytest.fixture(scope="module")
def server():
    with ScriptedServer(tokens_per_second=5_000) as server:
        yield server


@pytest.mark.parametrize("profile", ["default", "paper"])
@pytest.mark.parametrize("script", SCRIPTS, ids=[script.question[:30] for script in SCRIPTS])
def test_a_script_ends_with_the_right_path(server, script, profile):
    passages = [Passage(str(i), query, f"The answer is {right}.") for i, (query, right, _) in enumerate(script.steps)]
    server.script = replies(script)
    searchain = SearChain(
        model=OpenAIModel("scripted", server.base_url, None),
        retriever=WordRetriever(passages),
        reader=ScriptReader(script),
        settings=Settings.of(profile),
        probability=Rating(),
    )
    turn = fold(searchain.stream(script.question))
    assert [node.answer for node in turn.nodes if node.on_path] == [right for _, right, _ in script.steps]
    assert turn.outcome is (Outcome.SUPPORTED if profile == "default" else Outcome.UNSURE)  # the paper rates nothing
    assert turn.writer == "model"
    assert not turn.faults
    mended = sum(first != right for _, right, first in script.steps)
    assert turn.round == 1 + mended
