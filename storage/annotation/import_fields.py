"""Finds texts and documents in files of other programs by the usual names of their fields."""

from collections.abc import Mapping
from typing import Any

Values = Mapping[str, Any]
_QUESTION = ("question", "user_input", "query", "input", "prompt", "inputs", "messages")
_ANSWER = ("answer", "output", "response", "result", "text", "content", "generation", "outputs", "messages")
DOCUMENTS = (
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


def question_of(values: Values, reply: Values) -> str:
    """Return the question of a reply, beside the reply or in it. Raises ``ValueError`` if there is no question."""
    for one in (values, reply):
        if text := _plain(next((one[name] for name in _QUESTION if name in one), None), last="user"):
            return text
    raise ValueError('it holds no question; put it beside the reply: {"question": "…", "response": {…}}')


def text_at(values: Values, names: tuple[str, ...]) -> str:
    """Return the text of the first of ``names`` that has one. Raises ``ValueError`` if none has."""
    for name in names:
        last = "user" if name in _QUESTION else "assistant"
        if text := _plain(values.get(name), last=last):
            return text
    raise ValueError(f"{names[0]!r} is missing or holds no text")


def _plain(value: Any, *, last: str) -> str:
    """Return the text of a value: itself, its first known field, or the last message of the role ``last``."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        names = _QUESTION if last == "user" else _ANSWER
        return next((text for name in names if (text := _plain(value.get(name), last=last))), "")
    for one in reversed(listed(value)):
        if isinstance(one, dict) and one.get("role", one.get("type")) in (last, "human" if last == "user" else "ai"):
            content = one.get("content")
            if isinstance(content, str):
                return content
            return "".join(str(part.get("text", "")) for part in listed(content) if isinstance(part, dict))
    return ""


def documents_in(value: Any, *, only_named: bool = False) -> list[Any]:
    """Return the documents in a retriever's output: a list, or a field with a known name.

    ``only_named``: a list without such a field does not count.
    """
    if isinstance(value, list):
        return [] if only_named else value
    if isinstance(value, dict):
        for name in DOCUMENTS:
            if isinstance(value.get(name), list):
                return list(value[name])
    return []


def citations_of(value: Any) -> list[dict[str, Any]]:
    """Convert documents to citations. Their own numbers are used if all have one, else they are counted from 1."""
    found = listed(value)
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


def listed(value: Any) -> list[Any]:
    """Return ``value`` if it is a list, else an empty list."""
    return value if isinstance(value, list) else []
