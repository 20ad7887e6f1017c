"""Finds values in nested JSON by paths such as ``choices[0].message.content``; ``import_forms.toml`` explains them."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

_FIELDS = {
    "user": ("question", "user_input", "query", "input", "prompt", "content", "text", "value", "parts", "messages"),
    "assistant": (
        "answer",
        "output",
        "response",
        "result",
        "text",
        "content",
        "value",
        "parts",
        "generation",
        "messages",
    ),
}
"""The fields with the text of an object, by who wrote it."""
ROLES = {"user": ("user", "human"), "assistant": ("assistant", "ai", "bot", "model", "chatbot")}


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
        named = (_named(value, name) for name in _FIELDS[writer])
        return next((text for one in named if (text := words(one, writer))), "")
    members = value if isinstance(value, list) else []
    if any(role_of(one) for one in members):
        said = [text for one in members if role_of(one) == writer and (text := words(one, writer))]
        return said[-1] if said else ""
    return "".join(words(one, writer) for one in members)


def role_of(message: Any) -> str:
    """Return who wrote a message: ``user``, ``assistant``, or ``""`` for anybody else."""
    said = {str(_named(message, name)).casefold() for name in ("role", "author", "type")}
    return next((role for role, names in ROLES.items() if said & set(names)), "")
