"""Asks all systems all questions, one after the other, and keeps every answer as it comes."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from lab.cli.asking import IN_A_ROW, content_of
from lab.evaluation.outfile import OutFile
from lab.worth import method, plain
from lab.worth.judging import line_of
from lab.worth.questions import Question
from lab.worth.replies import Reply
from searchain.assemble import Parts
from searchain.errors import SearChainError
from searchain.llm.base import LanguageModel
from searchain.methods.base import find
from searchain.reply.support_check import SentenceCheck
from searchain.types import Usage

METHODS = {"searchain": "searchain", "paper": "searchain-paper"}
"""The systems that are methods of the program, by their names there."""
SYSTEMS = ("alone", "rag", *METHODS)
BUDGET: dict[str, Any] = {"careful": "off", "max_seconds": 900.0}
"""Settings of SearChain's runs: a busy machine must not cut one."""

Answering = Callable[[Question], Reply]


def answering(name: str, model: LanguageModel, parts: Parts, indexes: Mapping[str, str]) -> Answering:
    """Return what answers questions as the system ``name``, each from the index of its corpus."""
    if name == "alone":
        return partial(plain.alone, model=model)
    system = find(METHODS.get(name, "searchain"))
    settings = system.settings(**BUDGET)

    def answered(question: Question) -> Reply:
        searchain = parts.searchain(settings, indexes[question.corpus])
        if name in METHODS:
            return method.searched(question, system.make(searchain))
        assert searchain.retriever is not None  # the settings ask for a search
        return plain.rag(question, model, searchain.retriever)

    return answered


def content(name: str) -> str:
    """Return what the answers of a system depend on besides the model, in 12 digits."""
    if name in METHODS:
        return content_of(find(METHODS[name]))
    prompts = f"{plain.ALONE}\n{plain.RAG}\n{plain.LAST}\n{plain.PASSAGES} {plain.CHARACTERS}"
    return hashlib.sha256(prompts.encode()).hexdigest()[:12]


def ask_all(
    questions: Sequence[Question], systems: Mapping[str, tuple[Path, Answering]], model: str, check: SentenceCheck
) -> None:
    """Ask each question to each system whose file has no answer yet; ``systems``: name → file, and what answers.

    Raises:
        SearChainError: several questions in a row failed.
    """
    in_a_row = 0
    with ExitStack() as stack:
        files = {
            name: stack.enter_context(OutFile(path, {"system": name, "model": model, "content": content(name)}))
            for name, (path, _) in systems.items()
        }
        for number, question in enumerate(questions, 1):
            for name, (_, answer) in systems.items():
                if not files[name].answered.get(question.id, {"failure": "not asked"})["failure"]:
                    continue
                reply, cpu = timed(question, answer)
                files[name].write({**line_of(question, reply, check), "cpu": round(cpu, 2)})
                click.echo(_told(number, question, name, reply, cpu), err=True)
                in_a_row = in_a_row + 1 if reply.failure else 0
                if in_a_row == IN_A_ROW:
                    raise SearChainError(f"{in_a_row} answers in a row failed, the last with: {reply.failure}")


def timed(question: Question, answer: Answering) -> tuple[Reply, float]:
    """Return the reply with its wall time, and the CPU seconds that it took in this process."""
    started, busy = time.perf_counter(), time.process_time()
    try:
        reply = answer(question)
    except SearChainError as error:
        reply = Reply(text="", final="", sentences=(), numbered={}, is_refusal=False, usage=Usage(), failure=str(error))
    usage = replace(reply.usage, seconds=time.perf_counter() - started)
    return replace(reply, usage=usage), time.process_time() - busy


def _told(number: int, question: Question, name: str, reply: Reply, cpu: float) -> str:
    said = reply.failure or ("not found" if reply.is_refusal else reply.final or reply.text)
    short = " ".join(said.split())[:60]
    return f"{number} {question.id} {name}: {reply.usage.seconds:.1f} s, {cpu:.1f} CPU-s: {short}"
