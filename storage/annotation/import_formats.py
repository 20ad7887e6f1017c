"""Answers as other programs store them → question, system, answer and citations, one value a reply.

Understood: ALCE's result files, RAGAS samples, traces of Langfuse and LangSmith, and replies of the APIs in
``import_replies``. ``citation_styles`` reads the marks afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from storage.annotation.import_fields import DOCUMENTS, Values, citations_of, documents_in, listed, text_at
from storage.annotation.import_replies import bing, openai, perplexity

OWN = "own"


def answers(values: Values, format: str | None = None, system: str | None = None) -> Iterator[dict[str, Any]]:
    """The replies in ``values``, each with ``question``, ``system``, ``answer``, ``citations`` and maybe ``aliases``.

    Args:
        values: one line, or one document, of a file.
        format: of ``FORMATS``; without it the fields decide.
        system: who answered, where the file does not say.

    Raises:
        ValueError: it is none of these, or something is missing; the message says what.
    """
    name = format or detected(values)
    if name is None:
        raise ValueError(
            "it is no other system's answer (question, system, answer, citations), no turn of `export --format jsonl`, "
            f"no line of `annotate export --format jsonl`, and none of: {', '.join(FORMATS)}"
        )
    for found in FORMATS[name](values):
        who = system or found.get("system")
        if not isinstance(who, str) or not who.strip():
            raise ValueError("it does not say who answered; name the system (--system NAME)")
        yield {**found, "system": who}


def detected(values: Values) -> str | None:
    """Find the format that these fields belong to; ``None`` for an unknown one."""
    fields, inner = set(values), values.get("response")
    reply = inner if isinstance(inner, dict) else values
    if {"question", "system", "answer"} <= fields:
        return OWN
    if "observations" in fields or {"traceId", "input", "output"} <= fields:
        return "langfuse"
    if "run_type" in fields or {"inputs", "outputs"} <= fields:
        return "langsmith"
    if isinstance(values.get("data"), list) or {"output", "docs"} <= fields:
        return "alce"
    if "choices" in reply:
        return "perplexity" if {"citations", "search_results"} & set(reply) else "openai"
    if isinstance(reply.get("output"), list):
        return "openai"
    if "sourceAttributions" in reply or any(
        isinstance(one, dict) and "sourceAttributions" in one for one in listed(reply.get("messages"))
    ):
        return "bing"
    if {"user_input", "response"} <= fields or (
        {"question", "answer"} <= fields and {"contexts", "citations"} & fields
    ):
        return "ragas"
    return None


def _own(values: Values) -> Iterator[dict[str, Any]]:
    yield dict(values)


def _alce(values: Values) -> Iterator[dict[str, Any]]:
    """``{"args": {…}, "data": [{"question", "output", "docs": [{"title", "text"}]}]}``, or one of its records."""
    arguments = values.get("args")
    model = arguments.get("model") if isinstance(arguments, dict) else None
    for record in listed(values.get("data")) if "data" in values else [values]:
        if not isinstance(record, dict):
            raise ValueError("its data is no list of objects")
        yield {
            "question": text_at(record, ("question",)),
            "system": model,
            "answer": text_at(record, ("output",)),
            "citations": citations_of(record.get("docs")),
        }


def _ragas(values: Values) -> Iterator[dict[str, Any]]:
    contexts = next((values[name] for name in DOCUMENTS if name in values), values.get("citations"))
    yield {
        "question": text_at(values, ("user_input", "question")),
        "system": values.get("system"),
        "answer": text_at(values, ("response", "answer")),
        "citations": citations_of(contexts),
    }


def _langfuse(values: Values) -> Iterator[dict[str, Any]]:
    """A trace; what its retrievers found are the documents, in the order of the observations."""
    found: list[Any] = []
    for one in listed(values.get("observations")):
        if not isinstance(one, dict):
            continue
        kind, name = str(one.get("type", "")).casefold(), str(one.get("name", "")).casefold()
        if kind == "retriever" or "retriev" in name or "search" in name:
            found += documents_in(one.get("output"))
    yield {
        "question": text_at(values, ("input",)),
        "system": values.get("name"),
        "answer": text_at(values, ("output",)),
        "citations": citations_of(found or documents_in(values.get("output"), only_named=True)),
    }


def _langsmith(values: Values) -> Iterator[dict[str, Any]]:
    """A run; documents are in its outputs, or in the retrievers below it."""
    found = documents_in(values.get("outputs"), only_named=True)
    for child in listed(values.get("child_runs")):
        if not found and isinstance(child, dict) and child.get("run_type") == "retriever":
            found = documents_in(child.get("outputs"))
    yield {
        "question": text_at(values, ("inputs",)),
        "system": values.get("name"),
        "answer": text_at(values, ("outputs",)),
        "citations": citations_of(found),
    }


FORMATS: dict[str, Callable[[Values], Iterator[dict[str, Any]]]] = {
    OWN: _own,
    "alce": _alce,
    "ragas": _ragas,
    "langfuse": _langfuse,
    "langsmith": _langsmith,
    "openai": openai,
    "perplexity": perplexity,
    "bing": bing,
}
