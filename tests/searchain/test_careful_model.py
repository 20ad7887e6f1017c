"""The real careful model, which is fetched first where it is missing: it reads, checks and writes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lab.scripted.model import ScriptedModel
from searchain.assemble import Choice, Parts
from searchain.cancel import CancelToken
from searchain.embedded.assets import CAREFUL, FILE
from searchain.events import fold
from searchain.llm.served import GgufModel
from searchain.reply.review import Review
from searchain.reply.second_reader import Excerpt, SecondReader
from searchain.settings import Settings
from searchain.setup import careful
from searchain.types import Abilities, Outcome, TaskKind, Usage
from tests.searchain.reply.test_review import Opinion
from tests.support.fakes import CITY, CORPUS, ISLAND, QUESTION, KnowingReader, Rating, around, chain_text

pytestmark = [pytest.mark.careful, pytest.mark.timeout(1800)]
SECONDS = 600.0
"""A busy machine is slow, and its speed is not what is tested."""


@pytest.fixture(scope="module")
def model() -> Iterator[GgufModel]:
    careful.fetch(lambda _: None)
    served = GgufModel(CAREFUL.place / FILE, name="careful", slots=1, context=4096, threads=1)
    yield served
    served.close()


@pytest.mark.parametrize(
    ("question", "task", "answer"),
    [
        (CITY, TaskKind.MULTIHOP, "kyoto"),
        (QUESTION, TaskKind.MULTIHOP, "honshu"),
        ("Is Nintendo based in Kyoto?", TaskKind.YESNO, "yes"),
    ],
)
def test_it_reads_answers_in_the_passages(model: GgufModel, question: str, task: TaskKind, answer: str):
    excerpts = [Excerpt(passage.title, passage.text) for passage in CORPUS[:3]]
    spent: list[Usage] = []
    reading = SecondReader(model, seconds=SECONDS).read(question, excerpts, task, CancelToken(), spent.append)
    assert answer in reading.answer.casefold()
    assert len(reading.answer.split()) <= 8
    calls, tokens = (sum(getattr(one, name) for one in spent) for name in ("llm_calls", "prompt_tokens"))
    assert (calls, tokens > 100) == (2, True)
    assert 0.5 < reading.says_yes <= 1


def test_it_confirms_a_right_reply_and_withdraws_a_wrong_one(model: GgufModel):
    def checked(reader: KnowingReader, island: str):
        plan = ScriptedModel(chain_text((CITY, "Kyoto"), (ISLAND, island)))
        parts = {"probability": Rating(0.4), "review": Review(SecondReader(model, seconds=SECONDS), Opinion())}
        chain = around(plan, reader=reader, reply="template", max_rounds=1, **parts)
        return fold(chain.stream(QUESTION))

    right = checked(KnowingReader(), "Honshu")
    misread = {"nintendo": {"headquarter": ("Kyoto", 5.0)}, "kyoto": {"island": ("Kansai", 6.0)}}
    wrong = checked(KnowingReader(misread), "Kansai")
    assert (right.final_answer, right.review and right.review.outcome) == ("Honshu", "confirmed")
    assert (wrong.final_answer, wrong.review and wrong.review.outcome) == ("Kansai", "withdrawn")
    assert (right.outcome, wrong.outcome) == (Outcome.UNSURE, Outcome.UNSURE)


def test_it_plans_and_writes_where_it_is_asked_to(model: GgufModel):
    assert model.abilities == Abilities.SMALL
    chain = around(model, max_rounds=2, max_seconds=1200.0)
    turn = fold(chain.stream(QUESTION))
    assert turn.nodes
    assert "Honshu" in turn.answer
    assert turn.sources


def test_parts_check_where_it_is_installed(model: GgufModel):
    parts = Parts(Choice())
    found = [parts._careful(Settings.of(**asked)) for asked in ({}, {"careful": "off"}, {"profile": "paper"})]
    assert found == ["check", "off", "off"]
