"""Bring other forms in which models write a chain or a reply into the one strict form."""

import re
from collections.abc import Iterator
from typing import Any

from pydantic_core import from_json

_FENCE = re.compile(r"```[a-z]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_XML = re.compile(
    r"<(?P<tag>query|sub_?question|question|answer|final_answer|content|reply)\b[^>]*>(?P<body>.*?)</(?P=tag)>",
    re.DOTALL | re.IGNORECASE,
)
_ROW = re.compile(r"^[ \t]*\|[ \t]*\d+[.)]?[ \t]*\|(?P<query>[^|\n]+)\|(?P<answer>[^|\n]*)\|[ \t]*$", re.MULTILINE)
_HEADING = re.compile(
    r"^#{1,6}[ \t]*(?P<label>(?:sub-?)?(?:query|question|answer)[ \t]*\d+)[ \t:：]*\n+(?=\S)",
    re.MULTILINE | re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"^[ \t]*\d+[.)][ \t]+(?P<query>[^\n→]*\?)[ \t]*"
    r"(?:(?:→|->|=>)[ \t]*|\n[ \t]*(?:(?:[-–—*→]|->)[ \t]*)?)(?P<answer>(?!\d+[.)])[^\n]+)?$",
    re.MULTILINE,
)
_LATER_ANSWER = re.compile(r"(?im)^[^\w\n]*answer[ \t]*(?P<number>\d+)[^\w\n:：]*[:：](?P<answer>.+)$")
_QUERY = re.compile(r"(?im)^[^\w\n]*(?:sub-?)?(?:query|question)[ \t]*(?P<number>\d+)[^\w\n:：]*[:：](?P<query>.+)$")
_QUERIES = ("steps", "chain", "queries", "sub_questions", "subquestions")


def strict(text: str) -> str:
    """Return ``text`` in the strict form if it is JSON, XML, a table or a numbered list; else unchanged.

    >>> strict('{"steps": [{"query": "Who?", "answer": null}]}')
    '[Query 1]: Who?\\n[Unsolved Query]'
    """
    for form in (_from_json, _from_xml, _from_table, _from_numbers, _from_two_lists):
        if (found := form(text)) is not None:
            return found
    return _HEADING.sub(lambda match: f"[{match['label']}]: ", text)


class Unfolding:
    """Writes JSON in the strict form while it streams, so that people never see JSON; other text passes through.

    A line is written as soon as the next one begins, so that each query can be looked up at once.
    """

    def __init__(self) -> None:
        self._text = ""  # the text from the first brace or fence on
        self._told = ""  # what was written of it

    def feed(self, delta: str) -> str:
        """Add text of the model; return what can be shown now."""
        begin = 0 if self._text else next((place for place, sign in enumerate(delta) if sign in "{`"), len(delta))
        self._text += delta[begin:]
        if not any(sign in ",}]" for sign in delta[begin:]):
            return delta[:begin]
        found = _from_json(self._text) or ""
        return delta[:begin] + self._grown(found[: found.rfind("\n") + 1])

    def finish(self) -> str:
        """Return the rest, at the end of the text."""
        return self._grown(strict(self._text))

    def _grown(self, told: str) -> str:
        if not told.startswith(self._told):
            return ""
        new, self._told = told[len(self._told) :], told
        return new


def _from_json(text: str) -> str | None:
    fence = _FENCE.search(text)
    body = fence[1] if fence else text
    start = body.find("{")
    if start < 0:
        return None
    start -= body[:start].endswith("[")
    try:
        found = from_json(body[start:], allow_partial=True)  # it may still be written
    except ValueError:
        return None
    found = {"steps": found} if isinstance(found, list) else found
    return "\n".join(_of_object(found)) or None if isinstance(found, dict) else None


def _of_object(found: dict[str, Any]) -> Iterator[str]:
    steps: list[Any] = next((found[name] for name in _QUERIES if isinstance(found.get(name), list)), [])
    for number, step in enumerate(steps, 1):
        one = step if isinstance(step, dict) else {"query": step}
        query = _first(one, "query", "question", "sub_question")
        if query:
            keys, answer = _keys(one), _first(one, "answer")
            said = f"[Answer {number}]: {answer}{keys}" if answer else "[Unsolved Query]"
            yield f"[Query {number}]: {query}\n{said}"
    if talk := _first(found, "reply"):
        yield f"[Final Content]: {talk}" if _first(found, "answer") else f"[Reply]: {talk}"
    if answer := _first(found, "answer", "final_answer"):
        yield f"[Answer]: {answer}"
    content = found.get("content") or found.get("sentences") or ""
    if isinstance(content, list):
        content = " ".join(map(_sentence, content))
    if content:
        yield f"[Final Content]: {content}"


def _sentence(one: Any) -> str:
    if not isinstance(one, dict):
        return str(one)
    text = _first(one, "text", "sentence")
    said, stop = (text[:-1], text[-1]) if text.endswith((".", "!", "?")) else (text, "")
    return said + _keys(one) + stop


def _keys(one: dict[str, Any]) -> str:
    """Write the keys of a step or sentence, which may be a list or one key."""
    keys = one.get("keys") or []
    return "".join(f" [{str(key).strip('[] ')}]" for key in (keys if isinstance(keys, list) else [keys]))


def _first(found: dict[str, Any], *names: str) -> str:
    return next((str(found[name]).strip() for name in names if found.get(name)), "")


def _from_xml(text: str) -> str | None:
    parts, number = [], 0
    for match in _XML.finditer(text):
        tag, body = match["tag"].lower(), " ".join(match["body"].split())
        if tag in ("query", "question", "subquestion", "sub_question"):
            number += 1
            parts.append(f"[Query {number}]: {body}")
        elif tag == "answer" and number and parts[-1].startswith("[Query"):
            parts.append(f"[Answer {number}]: {body}" if body else "[Unsolved Query]")
        else:
            parts.append(f"[{'Final Content' if tag in ('content', 'reply') else 'Answer'}]: {body}")
    return "\n".join(parts) or None


def _from_table(text: str) -> str | None:
    return _joined(_ROW, text)


def _from_numbers(text: str) -> str | None:
    return None if re.search(r"[\[［【]", text) else _joined(_NUMBERED, text)


def _joined(pattern: re.Pattern[str], text: str) -> str | None:
    """Write the queries and answers that ``pattern`` finds, and keep what follows the last one."""
    found = list(pattern.finditer(text))
    if not found:
        return None
    steps = [_step(number, match["query"], match["answer"] or "") for number, match in enumerate(found, 1)]
    return "\n".join([*steps, text[found[-1].end() :].strip()])


def _from_two_lists(text: str) -> str | None:
    """Join all queries with the answers that follow them, by their numbers."""
    queries, answers = list(_QUERY.finditer(text)), list(_LATER_ANSWER.finditer(text))
    if len(queries) < 2 or not answers or answers[0].start() < queries[-1].start():
        return None
    by_number = {match["number"]: match["answer"] for match in answers}
    steps = [
        _step(number, match["query"], by_number.get(match["number"], "")) for number, match in enumerate(queries, 1)
    ]
    return "\n".join([*steps, text[answers[-1].end() :].strip()])


def _step(number: int, query: str, answer: str) -> str:
    is_open = not answer.strip(" -–—?") or answer.lower().startswith(("unsolved", "unknown"))
    said = "[Unsolved Query]" if is_open else f"[Answer {number}]: {answer.strip()}"
    return f"[Query {number}]: {query.strip()}\n{said}"
