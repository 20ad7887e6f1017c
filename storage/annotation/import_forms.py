"""Reads the answers of any system: the table ``import_forms.toml`` says where each form keeps what.

A citation that is given by its place becomes a mark ``[n]`` in the text; ``citation_styles`` reads the others later.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

OWN = "own"
FILE = Path(__file__).with_suffix(".toml")
_TABLE = tomllib.loads(FILE.read_text(encoding="utf-8"))
Form = Mapping[str, Any]
"""One row of the table; the comments of the file explain its entries."""


@cache
def forms() -> dict[str, Form]:
    """Return the table: name → row, in the order in which they are tried."""
    return {row["name"]: {**_TABLE["defaults"], **row} for row in _TABLE["form"]}


def answers(values: Mapping[str, Any], name: str | None = None, system: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the replies in ``values`` with ``question``, ``system``, ``answer``, ``citations``, ``form`` and others.

    The others are ``unplaced``, citations without a place in the answer; ``record`` and ``root``, which hold the
    judgements of a judged set. ``values`` are one line, or one document, of a file; ``name`` is one of ``forms``
    (``None``: the fields decide), and ``system`` the name of the system, if the file does not name it.

    Raises ``ValueError`` if no form has these fields, or a field is missing; the message says which.
    """
    inner = values.get("response")
    reply = inner if isinstance(inner, Mapping) else values
    form = forms()[name] if name else next((one for one in forms().values() if _has(one, reply, values)), None)
    if form is None:
        raise ValueError(
            "it is no other system's answer (question, system, answer, citations), no turn of `export --format jsonl`, "
            "no line of `annotate export --format jsonl`, and none of the forms of `annotate import --list-forms`; its "
            f"fields are {', '.join(map(repr, list(values)[:8])) or 'none'}"
        )
    for record in (turn for one in all_at(reply, form["each"]) for turn in _turns(form, one)):
        if not isinstance(record, Mapping):
            raise ValueError("one of its replies is no object")
        answer = dict(record) if form["name"] == OWN else _answer(form, record, values)
        who = system or answer.get("system")
        if not isinstance(who, str) or not who.strip():
            raise ValueError("it does not say who answered; name the system (--system NAME)")
        yield {**answer, "system": who, "form": form, "record": record, "root": values}


def _has(form: Form, *nodes: Any) -> bool:
    return any(all(any(find(node, path) for node in nodes) for path in paths) for paths in form["needs"])


def _turns(form: Form, record: Any) -> Iterator[Any]:
    """Yield the last reply to each question of a conversation, with the messages between; else the record itself."""
    if not form["turns"]:
        yield record
        return
    messages = all_at(record, form["turns"])
    times = [first(one, ("created_at",)) for one in messages]
    if times and all(isinstance(one, int) for one in times) and times[0] > times[-1]:
        messages.reverse()  # OpenAI lists a thread like this
    turn: dict[str, Any] = {"messages": []}
    for message in [*messages, {"role": "user"}]:
        if role_of(message) != "user":
            reply = {"reply": message} if words(message) else {}
            turn = {**turn, **reply, "messages": [*turn["messages"], message]}
            continue
        if "reply" in turn:
            yield turn
        turn = {"question": words(message, "user"), "messages": []}


def _answer(form: Form, record: Mapping[str, Any], root: Mapping[str, Any]) -> dict[str, Any]:
    nodes = (root, record) if record is root.get("response") else (record, root)
    asked = (words(first(node, form["question"], root), "user") for node in nodes)
    question = next(filter(None, asked), form["asked"])
    if not question:
        raise ValueError(
            'it holds no question; put it beside the reply: {"question": "…", "response": {…}}. '
            f"Looked for: {', '.join(form['question'])}"
        )
    found = (find(record, path, root) for path in form["answer"])
    parts = next((ones for ones in found if any(map(words, ones))), None)
    if parts is None:
        raise ValueError(f"it holds no text of a reply; looked for: {', '.join(form['answer'])}")
    reading = _Reading(form, record, root)
    return {
        "question": question,
        "system": words(first(record, form["system"], root) or first(root, form["system"], root)),
        "answer": reading.text(parts),
        "citations": list(reading.documents.values()) if reading.has_documents else None,
        "unplaced": reading.unplaced,
    }


class _Reading:
    """Reads the documents of one reply, and the citations in its parts."""

    def __init__(self, form: Form, record: Mapping[str, Any], root: Mapping[str, Any]) -> None:
        self._form = form
        self.documents: dict[int, dict[str, Any]] = {}
        self._numbers: dict[str, int] = {}  # key of a document, or its place in the list → its number
        self.unplaced: list[str] = []
        self._spans = all_at(record, form["spans"], root)
        listed = [one for some in all_at(record, form["documents"], root) for one in _spread(some, form["spread"])]
        fields = (path.removesuffix("[]") for path in form["documents"])
        self.has_documents = bool(listed or self._spans) or any(find(record, path, root) for path in fields)
        given = [str(first(one, form["number"])) for one in listed]
        is_numbered = all(one.isdecimal() and int(one) for one in given) and len(set(given)) == len(given)
        found = [
            self._document(one, int(number) if is_numbered else None, is_new=not form["unite"])
            for one, number in zip(listed, given, strict=True)
        ]
        self._numbers = {str(at): number for at, number in enumerate(found)} | self._numbers  # keys win over places

    def _document(self, value: Any, number: int | None = None, *, is_new: bool = False) -> int:
        """Return the number of the document; add it, or what its text says more, unless it is known by its key."""
        key = first(value, self._form["key"])
        known = None if is_new or key is None else self._numbers.get(str(key))
        number = number or known or self._free()
        found = _document(self._form, value, number)
        if known in self.documents:
            if found["text"] not in (kept := self.documents[known])["text"]:
                kept["text"] = f"{kept['text']}\n\n{found['text']}".strip()
            return known
        self.documents[number] = found
        self._numbers.setdefault(f"\0{number}" if key is None else str(key), number)
        self.has_documents = True
        return number

    def _free(self) -> int:
        return max((*self.documents, *self._numbers.values(), 0)) + 1

    def text(self, parts: Sequence[Any]) -> str:
        """Return the text of the parts with a mark at the place of each citation."""
        form = self._form
        fields = [part if isinstance(part, str) or not form["words"] else first(part, form["words"]) for part in parts]
        texts = [words(one) for one in fields]
        filled = [at for at, text in enumerate(texts) if text]
        spans = [all_at(part, form["part_spans"]) for part in parts]
        for span in self._spans if filled else ():
            number = first(span, form["part"])
            spans[number if number in filled else filled[0]].append(span)
        return form["joint"].join(self._marked(texts[at], spans[at]) for at in filled)

    def _marked(self, text: str, spans: Sequence[Any]) -> str:
        """Insert a mark behind each cited stretch; a stretch that is itself a citation is replaced by it."""
        places: dict[tuple[int, int], list[int]] = {}
        for span in spans:
            inner = first(span, self._form["inner"])
            span = {**span, **inner} if isinstance(inner, Mapping) else span
            start, end = self._place(text, span)
            if numbers := self._cited(span):
                places.setdefault((start if _is_citation(text[start:end]) else end, end), []).extend(numbers)
            else:
                self.unplaced.append("a citation without a document")
        for (start, end), numbers in sorted(places.items(), key=lambda one: one[0][::-1], reverse=True):
            marks = "".join(f"[{number}]" for number in dict.fromkeys(numbers))
            text = text[:start] + (" " if 0 < start == end else "") + marks + text[end:]
        return text

    def _cited(self, span: Any) -> list[int]:
        """Return the numbers of a citation's documents; of one that is not there, a number that none has."""
        form = self._form
        if not form["refs"]:
            return [] if first(span, form["key"]) is None else [self._document(span)]
        return [
            self._document(one) if isinstance(one, Mapping) else self._numbers.setdefault(str(one), self._free())
            for one in all_at(span, form["refs"])
        ]

    def _place(self, text: str, span: Any) -> tuple[int, int]:
        """Return start and end of the cited stretch; the end of the text where the form gives no place."""
        said, whole = words(first(span, self._form["said"])), len(text.rstrip())
        start, end = (first(span, self._form[name]) for name in ("start", "end"))
        is_point, is_open = type(start) is not int, type(end) is not int
        if is_open and not said:
            return whole, whole
        end = 0 if is_open else end
        start = (0 if said else end) if is_point else start
        is_nowhere = is_point and not said and end < 4  # it may be a number in a list of files
        if not is_nowhere and (found := _stretch(text, said, (start, end), self._form["unit"])):
            return found
        self.unplaced.append(f"a citation at {start}–{end}")
        return whole, whole


def _stretch(text: str, said: str, place: tuple[int, int], unit: str) -> tuple[int, int] | None:
    """Return start and end of the stretch at ``place``; if it is not what was said, of the nearest that is."""
    inside = text.encode()
    as_bytes = [len(inside[:one].decode(errors="ignore")) if 0 <= one <= len(inside) else -1 for one in place]
    for start, end in (place, as_bytes)[:: -1 if unit == "bytes" else 1]:
        if 0 <= start <= end <= len(text) and said in ("", text[start:end]):
            return start, _behind(text, end)
    found = [at for at in range(len(text)) if said and text.startswith(said, at)]
    near = min(found, key=lambda at: abs(at + len(said) - place[1]), default=None)
    return None if near is None else (near, _behind(text, near + len(said)))


def _is_citation(text: str) -> bool:
    """Return whether a cited stretch is itself a citation: ``([a](https://a.example))``, ``【4:0†a.pdf】``, ``[1]``."""
    text = text.strip()
    is_short = text.startswith("[") and text.endswith("]") and len(text) < 12
    return is_short or text.startswith(("http", "【")) or (text.startswith(("(", "[", "（")) and "http" in text)


def _behind(text: str, end: int) -> int:
    """Move the end of a stretch before white space, and behind the word in whose middle it lies."""
    while 0 < end < len(text) and text[end - 1 : end + 1].isascii() and text[end - 1 : end + 1].isalnum():
        end += 1
    return len(text[:end].rstrip())


def _document(form: Form, value: Any, number: int) -> dict[str, Any]:
    """Convert a document of the form to a citation with ``number``, ``title``, ``text`` and maybe ``url``."""
    if isinstance(value, str):
        is_address = value.startswith(("http://", "https://"))
        about = {"title": value, "text": "", "url": value} if is_address else {"text": value}
        return {"number": number, "title": f"Document {number}", **about}
    if not isinstance(value, Mapping):
        raise ValueError("one of its documents is neither a text nor an object")
    addresses = (str(one) for path in form["url"] for one in find(value, path))
    url = next((one for one in addresses if one.startswith(("http://", "https://"))), None)
    title = words(first(value, form["title"])) or url or f"Document {number}"
    author, year = first(value, form["author"]), str(first(value, form["year"]))[:4]
    authors = [words(one) or words(first(one, ("name",))) for one in (author if isinstance(author, list) else [author])]
    title = f"{', '.join(authors)} ({year}). {title}" if all(authors) and year.isdecimal() else title
    text = words(first(value, form["text"]))
    return {"number": number, "title": title, "text": text, **({"url": url} if url else {})}


def _spread(value: Any, names: Sequence[str]) -> list[Any]:
    """Return one document for each passage of a document whose fields ``names`` are lists of the same length."""
    columns = [(name, found) for name in names for found in find(value, name) if isinstance(found, list)]
    rows = zip(*(column for _, column in columns), strict=False)
    return [{**value, **{name: one for (name, _), one in zip(columns, row, strict=True)}} for row in rows] or [value]


def find(value: Any, path: str, root: Any = None) -> list[Any]:
    """Return all values at ``path``, without those that are null; ``^`` at its beginning stands for ``root``.

    >>> find({"a": [{"b": 1}, {"b": 2, "c": 3}]}, "a[c].b")
    [2]
    """
    nodes = [root if path.startswith("^") else value]
    for step in path.removeprefix("^").split("."):
        name, _, choices = step.partition("[")
        if name:
            nodes = [found for node in nodes if (found := _named(node, name)) is not None]
        for choice in choices.removesuffix("]").split("][") if choices else ():
            nodes = [found for node in nodes for found in _chosen(node, choice)]
    return nodes


def _named(node: Any, name: str) -> Any:
    if name == "@json" and isinstance(node, str):
        try:
            return json.loads(node)
        except (ValueError, RecursionError):
            return None
    if not isinstance(node, Mapping):
        return None
    if "lc" in node and isinstance(node.get("kwargs"), Mapping) and name not in node:  # as LangChain dumps objects
        node = node["kwargs"]
    plain = name.replace("_", "").casefold()
    alike = (value for key, value in node.items() if str(key).replace("_", "").casefold() == plain)
    return node[name] if name in node else next(alike, None)


def _chosen(node: Any, choice: str) -> list[Any]:
    """Return the members of a list or an object that fit the words in the brackets of a path."""
    if choice == "*":
        above = {"@above": node.get("@key")} if isinstance(node, Mapping) else {}
        found = node.items() if isinstance(node, Mapping) else ()
        return [{**value, **above, "@key": key} for key, value in found if isinstance(value, Mapping)]
    members = [node] if isinstance(node, Mapping) and choice else node if isinstance(node, list) else []
    if choice.removeprefix("-").isdigit():
        return members[int(choice) :][:1] if -len(members) <= int(choice) else []
    return [one for one in members if one is not None and _fits(one, choice)]


def _fits(member: Any, choice: str) -> bool:
    """Return whether a member has what ``choice`` asks for: ``k``, ``k=v|w``, ``k!=v``, ``k~v``, or nothing."""
    field, sign, wanted = next((parts for sign in "=~" if (parts := choice.partition(sign))[1]), (choice, "", ""))
    said = _named(member, field.removesuffix("!")) if field else member
    if not sign:
        return said is not None
    if sign == "~":
        return said is not None and any(one in str(said).casefold() for one in wanted.split("|"))
    return (str(said) in wanted.split("|")) != field.endswith("!")


def first(value: Any, paths: Iterable[str], root: Any = None) -> Any:
    """Return the first value at one of ``paths`` that is neither empty nor null; ``None`` if there is none."""
    return next((one for path in paths for one in find(value, path, root) if one not in ("", [], {})), None)


def all_at(value: Any, paths: Iterable[str], root: Any = None) -> list[Any]:
    """Return all values at the first of ``paths`` that leads to some."""
    return next((found for path in paths if (found := find(value, path, root))), [])


def words(value: Any, writer: str = "assistant") -> str:
    """Return the text of a value: itself, its first known field, its parts, or the last message of ``writer``."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        named = (_named(value, name) for name in _TABLE["fields"][writer])
        return next((text for one in named if (text := words(one, writer))), "")
    members = value if isinstance(value, list) else []
    if any(role_of(one) for one in members):
        said = [text for one in members if role_of(one) == writer and (text := words(one, writer))]
        return said[-1] if said else ""
    return "".join(words(one, writer) for one in members)


def role_of(message: Any) -> str:
    """Return who wrote a message: ``user``, ``assistant``, or ``""`` for anybody else."""
    said = {str(_named(message, name)).casefold() for name in ("role", "author", "type")}
    return next((role for role, names in _TABLE["roles"].items() if said & set(names)), "")
