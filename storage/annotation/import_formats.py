"""Answers as other programs store them → question, system, answer and citations, one value a reply.

Understood: ALCE's result files, RAGAS samples, traces of Langfuse and LangSmith, OpenAI's replies with ``url_citation``
or ``file_citation``, Perplexity's and Bing's replies. An API's reply holds no question: put it beside the reply as
``{"question": "…", "response": {…}}``. ``citation_styles`` reads the marks afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Values = Mapping[str, Any]
OWN = "own"
_QUESTION = ("question", "user_input", "query", "input", "prompt", "inputs", "messages")
_ANSWER = ("answer", "output", "response", "result", "text", "content", "generation", "outputs", "messages")
_DOCUMENTS = (
    "documents",
    "docs",
    "contexts",
    "context",
    "retrieved_contexts",
    "source_documents",
    "sources",
    "retrieved",
)
_TEXT = ("text", "page_content", "content", "passage", "body", "snippet", "chunk")


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
    """The format that these fields belong to; ``None``: it is none."""
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
        isinstance(one, dict) and "sourceAttributions" in one for one in _list(reply.get("messages"))
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
    for record in _list(values.get("data")) if "data" in values else [values]:
        if not isinstance(record, dict):
            raise ValueError("its data is no list of objects")
        yield {
            "question": _said(record, ("question",)),
            "system": model,
            "answer": _said(record, ("output",)),
            "citations": _documents(record.get("docs")),
        }


def _ragas(values: Values) -> Iterator[dict[str, Any]]:
    contexts = next((values[name] for name in _DOCUMENTS if name in values), values.get("citations"))
    yield {
        "question": _said(values, ("user_input", "question")),
        "system": values.get("system"),
        "answer": _said(values, ("response", "answer")),
        "citations": _documents(contexts),
    }


def _langfuse(values: Values) -> Iterator[dict[str, Any]]:
    """A trace; what its retrievers found are the documents, in the order of the observations."""
    found: list[Any] = []
    for one in _list(values.get("observations")):
        if not isinstance(one, dict):
            continue
        kind, name = str(one.get("type", "")).casefold(), str(one.get("name", "")).casefold()
        if kind == "retriever" or "retriev" in name or "search" in name:
            found += _within(one.get("output"))
    yield {
        "question": _said(values, ("input",)),
        "system": values.get("name"),
        "answer": _said(values, ("output",)),
        "citations": _documents(found or _within(values.get("output"), only_named=True)),
    }


def _langsmith(values: Values) -> Iterator[dict[str, Any]]:
    """A run; documents are in its outputs, or in the retrievers below it."""
    found = _within(values.get("outputs"), only_named=True)
    for child in _list(values.get("child_runs")):
        if not found and isinstance(child, dict) and child.get("run_type") == "retriever":
            found = _within(child.get("outputs"))
    yield {
        "question": _said(values, ("inputs",)),
        "system": values.get("name"),
        "answer": _said(values, ("outputs",)),
        "citations": _documents(found),
    }


def _openai(values: Values) -> Iterator[dict[str, Any]]:
    """A reply of the chat or the responses API; each annotation's place becomes a mark of its document."""
    reply = values["response"] if isinstance(values.get("response"), dict) else values
    text, annotations = _openai_text(reply)
    documents: dict[str, dict[str, Any]] = {}
    places: list[tuple[int, int, int]] = []
    aliases: dict[str, int] = {}
    for one in annotations:
        inner = next((one[name] for name in ("url_citation", "file_citation") if isinstance(one.get(name), dict)), one)
        key = str(inner.get("url") or inner.get("file_id") or inner.get("filename") or "")
        if not key:
            continue
        title = str(inner.get("title") or inner.get("filename") or key)
        url = inner.get("url") if isinstance(inner.get("url"), str) else None
        number = documents.setdefault(
            key,
            {
                "number": len(documents) + 1,
                "title": title,
                "text": str(inner.get("quote") or inner.get("content") or ""),
                **({"url": url} if url else {}),
            },
        )["number"]
        start, end = (inner.get(name, one.get(name)) for name in ("start_index", "end_index"))
        if isinstance(one.get("text"), str) and one["text"] and one["text"] in text:
            aliases[one["text"]] = number
        elif type(start) is int and type(end) is int and 0 <= start <= end <= len(text):
            places.append((start, end, number))
    yield {
        "question": _question(values, reply),
        "system": reply.get("model"),
        "answer": _with_marks(text, places),
        "citations": list(documents.values()),
        **({"aliases": aliases} if aliases else {}),
    }


def _openai_text(reply: Values) -> tuple[str, list[dict[str, Any]]]:
    texts: list[str] = []
    found: list[dict[str, Any]] = []
    for choice in _list(reply.get("choices"))[:1]:
        message = choice.get("message") if isinstance(choice, dict) else None
        if isinstance(message, dict) and isinstance(message.get("content"), str):
            return message["content"], [one for one in _list(message.get("annotations")) if isinstance(one, dict)]
    for output in _list(reply.get("output")):
        for part in _list(output.get("content")) if isinstance(output, dict) else []:
            if isinstance(part, dict) and isinstance(part.get("text"), str):
                if not texts:
                    found = [one for one in _list(part.get("annotations")) if isinstance(one, dict)]
                texts.append(part["text"])
    if not texts:
        raise ValueError("it holds no text of a reply")
    return "\n\n".join(texts), found


def _with_marks(text: str, places: list[tuple[int, int, int]]) -> str:
    """Each place's words followed by its mark; words that are a citation themselves are replaced by it."""
    by_place: dict[tuple[int, int], list[int]] = {}
    for start, end, number in places:
        by_place.setdefault((start, end), []).append(number)
    for (start, end), numbers in sorted(by_place.items(), reverse=True):
        marks = "".join(f"[{number}]" for number in dict.fromkeys(numbers))
        is_citation = text[start:end].strip()[:1] in tuple("([【（") or text[start:end].strip().startswith("http")
        text = text[:start] + marks + text[end:] if is_citation else text[:end] + f" {marks}" + text[end:]
    return text


def _perplexity(values: Values) -> Iterator[dict[str, Any]]:
    reply = values["response"] if isinstance(values.get("response"), dict) else values
    text, _ = _openai_text(reply)
    yield {
        "question": _question(values, reply),
        "system": reply.get("model"),
        "answer": text,
        "citations": _documents(reply.get("search_results") or reply.get("citations")),
    }


def _bing(values: Values) -> Iterator[dict[str, Any]]:
    """One message, or a conversation whose last message of the bot has the attributions."""
    reply = values["response"] if isinstance(values.get("response"), dict) else values
    messages = [one for one in _list(reply.get("messages")) if isinstance(one, dict)]
    message = next((one for one in reversed(messages) if "sourceAttributions" in one), reply)
    asked = next((one.get("text") for one in messages if one.get("author") == "user"), None)
    yield {
        "question": asked if isinstance(asked, str) else _question(values, reply),
        "system": values.get("system"),
        "answer": _said(message, ("text", "answer")),
        "citations": [
            {
                "number": number,
                "title": str(one.get("providerDisplayName") or one.get("title") or one.get("seeMoreUrl") or ""),
                "text": str(one.get("searchQuery") or one.get("snippet") or ""),
                **({"url": one["seeMoreUrl"]} if isinstance(one.get("seeMoreUrl"), str) else {}),
            }
            for number, one in enumerate(_list(message.get("sourceAttributions")), 1)
            if isinstance(one, dict)
        ],
    }


FORMATS: dict[str, Callable[[Values], Iterator[dict[str, Any]]]] = {
    OWN: _own,
    "alce": _alce,
    "ragas": _ragas,
    "langfuse": _langfuse,
    "langsmith": _langsmith,
    "openai": _openai,
    "perplexity": _perplexity,
    "bing": _bing,
}


def _question(values: Values, reply: Values) -> str:
    for one in (values, reply):
        if text := _plain(next((one[name] for name in _QUESTION if name in one), None), last="user"):
            return text
    raise ValueError('it holds no question; put it beside the reply: {"question": "…", "response": {…}}')


def _said(values: Values, names: tuple[str, ...]) -> str:
    for name in names:
        last = "user" if name in _QUESTION else "assistant"
        if text := _plain(values.get(name), last=last):
            return text
    raise ValueError(f"{names[0]!r} is missing or holds no text")


def _plain(value: Any, *, last: str) -> str:
    """The text of a value: itself, its known field, or the last message of that role."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        names = _QUESTION if last == "user" else _ANSWER
        return next((text for name in names if (text := _plain(value.get(name), last=last))), "")
    for one in reversed(_list(value)):
        if isinstance(one, dict) and one.get("role", one.get("type")) in (last, "human" if last == "user" else "ai"):
            content = one.get("content")
            if isinstance(content, str):
                return content
            return "".join(str(part.get("text", "")) for part in _list(content) if isinstance(part, dict))
    return ""


def _within(value: Any, *, only_named: bool = False) -> list[Any]:
    """The documents in what a retriever gave: a list, or a field of a known name."""
    if isinstance(value, list):
        return [] if only_named else value
    if isinstance(value, dict):
        for name in _DOCUMENTS:
            if isinstance(value.get(name), list):
                return list(value[name])
    return []


def _documents(value: Any) -> list[dict[str, Any]]:
    """Documents as citations, numbered as they say themselves, else in their order."""
    found = _list(value)
    numbers = [one.get("number", one.get("index")) for one in found if isinstance(one, dict)]
    are_numbered = len(numbers) == len(found) and all(type(one) is int and one > 0 for one in numbers)
    return [_document(one, numbers[at] if are_numbered else at + 1) for at, one in enumerate(found)]


def _document(value: Any, number: Any) -> dict[str, Any]:
    if isinstance(value, str):
        is_address = value.startswith(("http://", "https://"))
        return {
            "number": number,
            "title": value if is_address else f"Document {number}",
            "text": "" if is_address else value,
            **({"url": value} if is_address else {}),
        }
    if not isinstance(value, dict):
        raise ValueError("one of its documents is neither a text nor an object")
    metadata = value.get("metadata")
    about: dict[str, Any] = metadata if isinstance(metadata, dict) else {}
    text = next((value[name] for name in _TEXT if isinstance(value.get(name), str)), "")
    url = next(
        (
            one
            for one in (value.get("url"), value.get("link"), about.get("url"), about.get("source"))
            if isinstance(one, str) and one.startswith(("http://", "https://"))
        ),
        None,
    )
    title = next(
        (
            one
            for one in (value.get("title"), about.get("title"), about.get("source"), url)
            if isinstance(one, str) and one
        ),
        f"Document {number}",
    )
    return {"number": number, "title": title, "text": text, **({"url": url} if url else {})}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
