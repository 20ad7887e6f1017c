"""One line of an out file as a transcript: the question, the tree, the reply and its sources, in plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from searchain.safe_text import one_line

WIDTH = 110
_AROUND = 60
"""Characters of a passage that are quoted on each side of the span."""


def transcript(line: Mapping[str, Any]) -> Iterator[str]:
    """A line of an out file, all of it."""
    yield from _wrapped(f"Q: {line['question']}")
    verdict = "right" if line["cover_em"] else "wrong"
    yield from _wrapped(
        f"{line['id']} · answered {line['final_answer'] or 'nothing'!r}, {verdict}: "
        f"{' | '.join(repr(answer) for answer in line['answers'])}"
    )
    for node in line["tree"]["nodes"]:
        yield from _wrapped(_node(node, line["tree"]["nodes"]), "  ")
    yield from _wrapped(f"A: {line['answer']}")
    for source in line["sources"]:
        yield from _wrapped(f"[{source['number']}] {source['title']}: {_quote(source)}", "  ")
    usage = line["usage"]
    message = f" · {line['message']}" if line["message"] else ""
    yield from _wrapped(
        f"{_ending(line)} · {line['rounds']} rounds · {usage['llm_calls']} model calls · "
        f"{usage['seconds']:.1f} s{message}"
    )


def _ending(line: Mapping[str, Any]) -> str:
    """The outcome with its probability; the status of a line without an outcome."""
    probability = line.get("probability")
    sure = "" if probability is None else f" (p = {probability:.2f})"
    return f"{line.get('outcome') or line['status']}{sure}"


def _node(node: Mapping[str, Any], nodes: list[Mapping[str, Any]]) -> str:
    depth, parent = 0, node["parent"]
    parents = {other["id"]: other["parent"] for other in nodes}
    while parent is not None:
        depth, parent = depth + 1, parents[parent]
    answer = node["answer"] or "unsolved"
    if node["verdict"] == "corrected" and node["model_answer"] not in (None, node["answer"]):
        answer = f"{node['model_answer']} ⇒ {answer}"
    elif node["verdict"] == "disputed":
        answer = f"{answer} (the passage: {node['reader_answer']})"
    confidence = f", f = {node['confidence']:.1f}" if node["confidence"] is not None else ""
    off = "" if node["on_path"] else ", off the path"
    return f"{depth + 1}. {node['query']} → {answer} ({node['verdict'] or 'unchecked'}{confidence}{off})"


def _quote(source: Mapping[str, Any]) -> str:
    text, span = source["text"], source["span"]
    if span is None:
        return text[: 2 * _AROUND] + ("…" if len(text) > 2 * _AROUND else "")
    start, end = span["start"], span["end"]
    before = text[:start] if start <= _AROUND else "…" + text[start - _AROUND : start]
    after = text[end:] if len(text) - end <= _AROUND else text[end : end + _AROUND] + "…"
    return f"{before}«{text[start:end]}»{after}"


def _wrapped(text: str, indent: str = "") -> list[str]:
    return wrap(one_line(text), WIDTH, initial_indent=indent, subsequent_indent=indent + "   ")
