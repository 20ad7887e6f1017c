"""The parts that all systems share: the model behind its address, the indexes, the support check."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from lab.evaluation.corpora import index_of
from lab.worth.questions import ENCYCLOPEDIA, OWN, Question
from searchain import console
from searchain.assemble import Choice, OwnParts, Parts
from searchain.embedded.assets import CAREFUL, GET_CAREFUL
from searchain.errors import SetupError
from searchain.llm.base import LanguageModel
from searchain.llm.choose import choose_model
from searchain.llm.endpoint import Timeouts
from searchain.llm.openai import OpenAIModel
from searchain.llm.served import GgufModel

PATIENCE = Timeouts(first_token=900.0, stall=600.0, notice=600.0)
"""For the model that this process serves: a busy machine must not leave a question out."""


@contextlib.contextmanager
def opened_model(base_url: str | None, model: str | None) -> Iterator[LanguageModel]:
    """Give the model at an address; without one the careful model, served here and reached through its own address.

    Raises:
        SetupError: the careful model is not installed.
    """
    if base_url or model:
        yield choose_model(model, base_url)
        return
    file = CAREFUL.find()
    if file is None:
        raise SetupError(
            f"the careful model is not installed; fetch it with: {GET_CAREFUL}, or name --base-url and --model"
        )
    served = GgufModel(file, name=CAREFUL.name, slots=1)
    served.start()
    client = OpenAIModel(
        "served", f"{served.server.address}/v1", served.server.key, timeouts=PATIENCE, name=CAREFUL.name
    )
    try:
        yield client
    finally:
        client.close()
        served.close()


@contextlib.contextmanager
def opened_parts(model: LanguageModel, questions: Sequence[Question]) -> Iterator[tuple[Parts, dict[str, str]]]:
    """Give the parts with ``model``, and corpus → index for all corpora of ``questions``.

    The questions about own files are asked in a home of their own, which goes in the end; there the files are a
    collection, as a user has one.
    """
    corpora = dict.fromkeys(question.corpus for question in questions)
    with console.stages() as progress:
        indexes = {one: one if one == ENCYCLOPEDIA else index_of(one, progress) for one in corpora if one != OWN}
    if OWN not in corpora:
        yield Parts(Choice(), OwnParts(model=model)), indexes
        return
    own = import_module("lab.benchmarks.own_answers")  # it needs the files of the tests, which are in a checkout alone
    with own.own_home(*indexes.values()) as folder:
        yield Parts(Choice(), OwnParts(model=model)), {**indexes, OWN: _collection(own, folder)}


def _collection(own: ModuleType, folder: Path) -> str:
    """Make a collection of the files that the questions are about; return its index."""
    from assistant import open_assistant
    from storage.collections import access

    assistant = open_assistant(db=folder / "searchain.db", careful="off")
    try:
        collection = access.create(assistant._store, "local", "asked")
        own.submitted(assistant, collection.id, own.files())
        return str(collection.index)
    finally:
        assistant.close()
