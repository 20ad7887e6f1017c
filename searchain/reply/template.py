"""Write a reply without a model: the answer, quotations of the passages, and the open steps, with keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from searchain.language import text
from searchain.language.comparing import Decision
from searchain.language.descriptions import LABEL, after_description, labelled
from searchain.language.same_answer import label_of
from searchain.language.sentences import split
from searchain.reply.outcome import CLAIMS, LEANS, overruled
from searchain.types import SETTLED, Node, TaskKind, Verdict
from searchain.verification.judge import LEANING

NOTHING_FOUND = "I found no answer."
"""The sentence that opens a reply when no answer was found. It describes the search, so it needs no citation."""
SILENT = "The language model delivered nothing that can be used, so this rests on the search alone."
"""The sentence that ends a reply to which the model added nothing. It describes the run, so it needs no citation."""
_INITIALS = re.compile(r"\b[A-Z]\.[A-Z]\.$")
"""An abbreviation at the end keeps its last point: "in the U.S. [1]." """
_QUOTE = 400
"""Most characters of a passage's sentence that are quoted."""
_SHORT = (TaskKind.MULTIHOP, TaskKind.SLOTS)
"""Kinds of question whose answer is that of the last step."""


def template_reply(
    path: Sequence[Node], keys: Mapping[str, Node], task: TaskKind, final_answer: str, decision: Decision | None = None
) -> str:
    """Write a reply from the path, with keys: the answer, then quotations of the passages, then the open steps."""
    key_by_node = {node.id: key for key, node in keys.items()}
    parts: list[str] = []
    deciding = next((node for node in reversed(path) if node.answer and node.id in key_by_node), None)
    if final_answer and task is not TaskKind.LONGFORM:
        parts.append(lead(path, keys, task, final_answer, decision))
    elif not final_answer:
        parts.append(NOTHING_FOUND)
    quoted: set[str] = set()
    for node in path if decision else used(path) if task in _SHORT else deciding_first(path):
        key = key_by_node.get(node.id)
        if node.verdict in SETTLED and key:
            quote = quote_of(node)
            if quote and quote not in quoted:
                quoted.add(quote)
                parts.append(_with_key(quote, key))
        elif node.verdict is Verdict.DISPUTED:
            parts.append(_dispute(node, key, node.answer, is_alone=len(path) == 1))
        elif node.verdict is Verdict.UNCONFIRMED:
            told = f"; the model's own answer is {plain(node.answer)}" if node.answer and node is not deciding else ""
            near = f"; the nearest is “{plain(node.passage.title)}” [{key}]" if node.passage and key else ""
            what = "this" if len(path) == 1 and not node.answer else f"“{plain(node.query)}”"
            does = "confirms" if node.answer else "decides" if text.is_statement(node.query) else "answers"
            parts.append(f"No passage {does} {what}{told}{near}.")
        elif node.verdict is None and node.answer:
            parts.append(f"{plain(node.query)} {plain(node.answer)}.")
    return " ".join(parts)


def used(path: Sequence[Node]) -> list[Node]:
    """Return the steps of the path without those that led nowhere.

    The answer of such a step occurs in no later query and in the passage of no later step.
    """
    kept: list[Node] = []
    for node in reversed(path):
        found = [f"{other.query} {other.passage.title} {other.passage.text}" for other in kept if other.passage]
        is_last = not any(other.verdict in SETTLED for other in kept)
        if is_last or node.verdict not in SETTLED or any(text.contains(node.answer or "", one) for one in found):
            kept.insert(0, node)
    return kept


LEAST = 0.5
"""How likely a step beside the one that decides must be right to be quoted."""


def deciding_first(path: Sequence[Node]) -> list[Node]:
    """Return the steps with those that decide yes or no first, and of the others what is likely and was found.

    Where none decides, nothing is moved.
    """
    labels = [node for node in path if node.verdict in SETTLED and label_of(node.answer or "")]
    if not labels:
        return list(path)
    rest = [node for node in path if node not in labels and not _is_weak(node)]
    return labels + rest


def _is_weak(node: Node) -> bool:
    is_settled = node.verdict in SETTLED
    return node.verdict is Verdict.UNCONFIRMED or is_settled and (node.probability or 0.0) < LEAST


def disputes(path: Sequence[Node], keys: Mapping[str, Node], final_answer: str) -> Iterator[str]:
    """Yield a sentence, with its key, for each step at which the model keeps its answer against a passage."""
    key_by_node = {node.id: key for key, node in keys.items()}
    against = overruled(path, final_answer)
    for node in path:
        if node.verdict is Verdict.DISPUTED or node is against:
            answer = final_answer if node is against else node.answer
            yield _dispute(node, key_by_node.get(node.id), answer, is_alone=len(path) == 1)


def _dispute(node: Node, key: str | None, answer: str | None, *, is_alone: bool) -> str:
    step = "" if is_alone else f" to “{plain(node.query)}”"
    read = plain(node.reader_answer or "").rstrip(".")
    says = f"the passage says “{read}”" if read else "the passage speaks against it"
    return f"The model answers “{plain(answer or '')}”{step}; {says}" + (f" [{key}]." if key else ".")


def lead(
    path: Sequence[Node], keys: Mapping[str, Node], task: TaskKind, final_answer: str, decision: Decision | None = None
) -> str:
    """Write the sentence with the short answer, and the keys of the steps that it rests on."""
    key_by_node = {node.id: key for key, node in keys.items()}
    if decision is not None:
        cited = [node for node in decision.nodes if node.id in key_by_node]
    elif task in (TaskKind.YESNO, TaskKind.FACTCHECK):
        known = [node for node in path if node.id in key_by_node]
        settled = [node for node in known if node.verdict in SETTLED]
        settled = settled or [node for node in known if node.verdict is Verdict.DISPUTED]
        settled = [node for node in settled if label_of(node.answer or "")] or settled
        cited = list(
            {(node.passage, node.span): node for node in settled}.values()
        )  # the answer rests on all settled steps
    else:
        cited = [node for node in path if node.answer and node.id in key_by_node][-1:]
    marks = "".join(f"[{key_by_node[node.id]}]" for node in cited)
    told = LEANS if path and path[-1].rule == LEANING else CLAIMS
    said = told.get(final_answer) or plain(final_answer[:1].upper() + final_answer[1:])
    return f"{said} {marks}".rstrip() + "."


def quoted(nodes: Sequence[Node], keys: Mapping[str, Node]) -> str:
    """Join the answers of ``nodes``, which are quotations; each sentence gets its key."""
    key_by_place = {(node.passage, node.span): key for key, node in keys.items()}
    return " ".join(_with_key(plain(node.answer or ""), key_by_place[node.passage, node.span]) for node in nodes)


def quote_of(node: Node) -> str:
    """Return the sentence of the node's passage with its span, in one line; ``""`` without a span.

    If that sentence is the article's short description, the first sentence of the article follows. It replaces the
    description if it says the answer too, or if the description is nothing but the answer. A description follows the
    title of the article, because it is not a sentence.
    """
    if node.passage is None or node.span is None:
        return ""
    body = node.passage.text
    sentences = split(body)
    limits = [(start, end) for start, end in sentences if end > node.span.start and start < node.span.end]
    if not limits:
        return ""
    if limits[-1][1] <= (lead := after_description(body)):  # a description alone is hardly a sentence
        first = [(start, end) for start, end in sentences if start >= lead][:1]
        answer = "" if label_of(node.answer or "") else node.answer or ""
        is_whole = bool(answer) and node.span.start <= len(LABEL) and node.span.end >= lead - len(".\n")
        says_too = bool(answer) and any(text.contains(answer, body[start:end]) for start, end in first)
        limits = first if (is_whole or says_too) and first else limits + first
    begin = limits[0][0] or labelled(body)  # the label is no part of what is said
    start, end = begin, limits[-1][1]
    if end - start > _QUOTE:
        start, end = _around(body, node, start, end)
    quote = _titled(node, limits[0][0], plain(body[start:end]))
    return ("… " if start > begin else "") + quote + (" …" if end < limits[-1][1] else "")


def _titled(node: Node, start: int, quote: str) -> str:
    """Put the title before a quotation that begins with the article's short description."""
    assert node.passage is not None
    is_description = start == 0 and labelled(node.passage.text) > 0
    return f"{plain(node.passage.title)}: {quote}" if is_description else quote


def _around(body: str, node: Node, start: int, end: int) -> tuple[int, int]:
    """Return at most ``_QUOTE`` characters around the span, cut at word limits."""
    assert node.span is not None
    left = max(start, node.span.start - _QUOTE // 2)
    right = min(end, max(left + _QUOTE, node.span.end))
    while left > start and not body[left - 1].isspace():
        left += 1
    while right < end and not body[right].isspace():
        right -= 1
        if right <= left:
            return start, end
    return left, right


def plain(quote: str) -> str:
    """Return one line without square brackets, because a quoted ``[3]`` would look like a citation."""
    return " ".join(quote.replace("[", "(").replace("]", ")").split())


def _with_key(quote: str, key: str) -> str:
    """Put the key before the full stop of each sentence."""
    cited = []
    for start, end in split(quote):
        body = quote[start:end]
        ended = body[-1] in ".!?" and not _INITIALS.search(body)
        cited.append(f"{body[:-1].rstrip()} [{key}]{body[-1]}" if ended else f"{body} [{key}].")
    return " ".join(cited)
