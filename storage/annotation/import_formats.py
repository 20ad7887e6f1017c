"""Converts answers in other programs' formats to question, system, answer and citations.

It reads ALCE's result files, RAGAS samples, traces of Langfuse and LangSmith, and replies of the APIs in
``import_replies``. ``citation_styles`` reads the marks later.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from storage.annotation.import_fields import DOCUMENTS, Values, citations_of, documents_in, listed, text_at
from storage.annotation.import_replies import bing, openai, perplexity

OWN = "own"


def answers(values: Values, format: str | None = None, system: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the replies in ``values`` with ``question``, ``system``, ``answer``, ``citations`` and maybe ``aliases``.

    Args:
        values: one line, or one document, of a file.
        format: one of ``FORMATS``; ``None``: detect it by the fields.
        system: the name of the system, if the file does not name it.

    Raises:
        ValueError: the format is unknown, or a field is missing; the message says which.
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


_RECORDS = (
    ({"question", "system", "answer"}, OWN),
    ({"observations"}, "langfuse"),
    ({"traceId", "input", "output"}, "langfuse"),
    ({"run_type"}, "langsmith"),
    ({"inputs", "outputs"}, "langsmith"),
    ({"data"}, "alce"),
    ({"output", "docs"}, "alce"),
)
"""Fields of a record, and the program that writes them. The first entry whose fields are all present decides."""
_REPLIES = (
    ({"choices", "citations"}, "perplexity"),
    ({"choices", "search_results"}, "perplexity"),
    ({"choices"}, "openai"),
    ({"output"}, "openai"),
    ({"sourceAttributions"}, "bing"),
)
"""Fields of an API's reply, which may be nested under ``response``."""
_SAMPLES = (
    ({"user_input", "response"}, "ragas"),
    ({"question", "answer", "contexts"}, "ragas"),
    ({"question", "answer", "citations"}, "ragas"),
)
"""Fields of a RAGAS sample. They are tested last because other records have some of them too."""


def detected(values: Values) -> str | None:
    """Detect the format by the names of the fields; ``None`` if it is unknown."""
    inner = values.get("response")
    reply = inner if isinstance(inner, dict) else values
    messages = (one for one in listed(reply.get("messages")) if isinstance(one, dict))
    attributed = {"sourceAttributions"} if any("sourceAttributions" in one for one in messages) else set()
    return (
        _fitting(_RECORDS, _fields(values, "data"))
        or _fitting(_REPLIES, _fields(reply, "output") | attributed)
        or _fitting(_SAMPLES, set(values))
    )


def _fields(values: Values, list_name: str) -> set[str]:
    """Return the names of the fields; ``list_name`` counts only if its value is a list."""
    return {name for name, value in values.items() if name != list_name or isinstance(value, list)}


def _fitting(formats: Iterable[tuple[set[str], str]], fields: set[str]) -> str | None:
    return next((name for wanted, name in formats if wanted <= fields), None)


def _own(values: Values) -> Iterator[dict[str, Any]]:
    yield dict(values)


def _alce(values: Values) -> Iterator[dict[str, Any]]:
    """Read ``{"args": {…}, "data": [{"question", "output", "docs": [{"title", "text"}]}]}``, or one of its records."""
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
    """Read a trace. Its documents are the output of its retrievers, in the order of the observations."""
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
    """Read a run. Its documents are in its outputs, or in the outputs of the retrievers below it."""
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
