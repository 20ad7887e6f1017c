"""Converts replies of OpenAI's, Perplexity's and Bing's APIs to question, system, answer and citations.

The question is not in such a reply but beside it: ``{"question": "…", "response": {…}}``.
"""

from collections.abc import Iterator
from typing import Any

from storage.annotation.import_fields import Values, citations_of, listed, question_of, text_at


def openai(values: Values) -> Iterator[dict[str, Any]]:
    """Read a reply of the chat API or the responses API; insert a mark at the place of each annotation."""
    reply = values["response"] if isinstance(values.get("response"), dict) else values
    text, annotations = _openai_text(reply)
    documents: dict[str, dict[str, Any]] = {}
    places: list[tuple[int, int, int]] = []
    aliases: dict[str, int] = {}
    for one in annotations:
        inner = next((one[name] for name in ("url_citation", "file_citation") if isinstance(one.get(name), dict)), one)
        key = _first(inner, "url", "file_id", "filename")
        if not key:
            continue
        number = documents.setdefault(key, {"number": len(documents) + 1, **_document(inner, key)})["number"]
        start, end = (inner.get(name, one.get(name)) for name in ("start_index", "end_index"))
        if isinstance(one.get("text"), str) and one["text"] and one["text"] in text:
            aliases[one["text"]] = number
        elif type(start) is int and type(end) is int and 0 <= start <= end <= len(text):
            places.append((start, end, number))
    yield {
        "question": question_of(values, reply),
        "system": reply.get("model"),
        "answer": _with_marks(text, places),
        "citations": list(documents.values()),
        **({"aliases": aliases} if aliases else {}),
    }


def _document(citation: Values, key: str) -> dict[str, Any]:
    url = citation.get("url")
    return {
        "title": _first(citation, "title", "filename") or key,
        "text": _first(citation, "quote", "content"),
        **({"url": url} if url and isinstance(url, str) else {}),
    }


def _first(values: Values, *names: str) -> str:
    """Return the first non-empty field out of ``names`` as text."""
    return str(next((values[name] for name in names if values.get(name)), ""))


def _openai_text(reply: Values) -> tuple[str, list[dict[str, Any]]]:
    texts: list[str] = []
    found: list[dict[str, Any]] = []
    for choice in listed(reply.get("choices"))[:1]:
        message = choice.get("message") if isinstance(choice, dict) else None
        if isinstance(message, dict) and isinstance(message.get("content"), str):
            return message["content"], [one for one in listed(message.get("annotations")) if isinstance(one, dict)]
    for output in listed(reply.get("output")):
        for part in listed(output.get("content")) if isinstance(output, dict) else []:
            if isinstance(part, dict) and isinstance(part.get("text"), str):
                if not texts:
                    found = [one for one in listed(part.get("annotations")) if isinstance(one, dict)]
                texts.append(part["text"])
    if not texts:
        raise ValueError("it holds no text of a reply")
    return "\n\n".join(texts), found


def _with_marks(text: str, places: list[tuple[int, int, int]]) -> str:
    """Insert a mark after each cited stretch; if the stretch is itself a citation, replace it by the mark."""
    by_place: dict[tuple[int, int], list[int]] = {}
    for start, end, number in places:
        by_place.setdefault((start, end), []).append(number)
    for (start, end), numbers in sorted(by_place.items(), reverse=True):
        marks = "".join(f"[{number}]" for number in dict.fromkeys(numbers))
        is_citation = text[start:end].strip()[:1] in tuple("([【（") or text[start:end].strip().startswith("http")
        text = text[:start] + marks + text[end:] if is_citation else text[:end] + f" {marks}" + text[end:]
    return text


def perplexity(values: Values) -> Iterator[dict[str, Any]]:
    """Read a reply with ``search_results``, or with addresses in ``citations``."""
    reply = values["response"] if isinstance(values.get("response"), dict) else values
    text, _ = _openai_text(reply)
    yield {
        "question": question_of(values, reply),
        "system": reply.get("model"),
        "answer": text,
        "citations": citations_of(reply.get("search_results") or reply.get("citations")),
    }


def bing(values: Values) -> Iterator[dict[str, Any]]:
    """Read one message, or a conversation in which the bot's last message has the attributions."""
    reply = values["response"] if isinstance(values.get("response"), dict) else values
    messages = [one for one in listed(reply.get("messages")) if isinstance(one, dict)]
    message = next((one for one in reversed(messages) if "sourceAttributions" in one), reply)
    asked = next((one.get("text") for one in messages if one.get("author") == "user"), None)
    yield {
        "question": asked if isinstance(asked, str) else question_of(values, reply),
        "system": values.get("system"),
        "answer": text_at(message, ("text", "answer")),
        "citations": [
            {
                "number": number,
                "title": _first(one, "providerDisplayName", "title", "seeMoreUrl"),
                "text": _first(one, "searchQuery", "snippet"),
                **({"url": one["seeMoreUrl"]} if isinstance(one.get("seeMoreUrl"), str) else {}),
            }
            for number, one in enumerate(listed(message.get("sourceAttributions")), 1)
            if isinstance(one, dict)
        ],
    }
