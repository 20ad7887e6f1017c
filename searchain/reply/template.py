"""Write a reply without a model: the answer, quotations of the passages, and the open steps, with keys."""

import re
from collections.abc import Iterator, Mapping, Sequence

from searchain.language import text
from searchain.language.comparing import Decision
from searchain.language.descriptions import LABEL, after_description, labelled
from searchain.language.same_answer import label_of
from searchain.language.sentences import split
from searchain.reply.citations import keys_by_node
from searchain.reply.notes import ARTICLES_DIFFER, ASKING_BACK, DOCUMENTS_DIFFER, NOTHING_FOUND, SOURCES_DIFFER
from searchain.reply.outcome import CLAIMS, LABELLED, LEANS, overruled
from searchain.reply.subjects import said
from searchain.types import SETTLED, Node, Passage, Span, TaskKind, Verdict
from searchain.verification.judge import LEANING

_INITIALS = re.compile(r"\b[A-Z]\.[A-Z]\.$")
"""Matches an abbreviation at the end, which keeps its last point: "in the U.S. [1]." """
_ITEMS = ("-", "*", "•", "–")
_QUOTE = 400  # most characters of a passage's sentence that are quoted
OF_LAST_STEP = (TaskKind.MULTIHOP, TaskKind.SLOTS)
"""The kinds of question whose answer is that of the last step."""


def template_reply(
    path: Sequence[Node], keys: Mapping[str, Node], task: TaskKind, final_answer: str, decision: Decision | None = None
) -> str:
    """Write a reply from the path, with keys: the answer, then quotations of the passages, then the open steps.

    A sentence that is the answer itself is not quoted again.
    """
    key_by_node = keys_by_node(keys)
    deciding = next((node for node in reversed(path) if node.answer and node.id in key_by_node), None)
    opening, quoted = NOTHING_FOUND, set[str]()
    if final_answer:
        opening = "" if task is TaskKind.LONGFORM else lead(path, keys, task, final_answer, decision)
    parts = [opening]
    for node in path if decision else used(path) if task in OF_LAST_STEP else deciding_first(path):
        key = key_by_node.get(node.id)
        if node.verdict not in SETTLED:
            parts.append(_left_open(node, key, is_alone=len(path) == 1, is_deciding=node is deciding))
        elif key:
            quote = quote_of(node)
            found = (quote[start:end] for start, end in split(quote))
            answer = text.tokens(final_answer) if f"[{key}]" in opening else ()
            new = dict.fromkeys(said for said in found if said not in quoted and text.tokens(said) != answer)
            quoted.update(new)
            parts.append(_with_key(" ".join(new), key))
    return " ".join(filter(None, parts))


def _left_open(node: Node, key: str | None, *, is_alone: bool, is_deciding: bool) -> str:
    """Write the sentence on a step that no passage settled, with its answer unless the reply rests on that."""
    if node.verdict is Verdict.DISPUTED:
        return _dispute(node, key, node.answer, is_alone=is_alone)
    if node.verdict is None:
        return f"{plain(node.query)} {plain(node.answer)}." if node.answer else ""
    told = f"; the model's own answer is {plain(node.answer)}" if node.answer and not is_deciding else ""
    near = f"; the nearest is “{plain(node.passage.title)}” [{key}]" if node.passage and key else ""
    what = "this" if is_alone and not node.answer else f"“{plain(node.query)}”"
    does = "confirms" if node.answer else "decides" if text.is_statement(node.query) else "answers"
    return f"No passage {does} {what}{told}{near}."


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
"""Least probability with which a step besides the deciding ones is quoted."""


def deciding_first(path: Sequence[Node]) -> list[Node]:
    """Return the steps that decide yes or no, then the others that are not weak.

    If no step decides, all steps are returned in their order.
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
    key_by_node = keys_by_node(keys)
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
    """Write the sentence with the short answer, and the keys of the steps that it rests on, the deciding one first."""
    key_by_node = keys_by_node(keys)
    known = [node for node in (decision.nodes if decision else path) if node.id in key_by_node]
    if decision is None:
        known = _deciding_label(known) if task in LABELLED else _leading_to_last(known, task)
    marks = "".join(f"[{key_by_node[node.id]}]" for node in known)
    told = LEANS if path and path[-1].rule == LEANING else CLAIMS
    answer = told.get(final_answer) or plain(final_answer[:1].upper() + final_answer[1:])
    return f"{answer} {marks}".rstrip() + "."


def _leading_to_last(nodes: Sequence[Node], task: TaskKind) -> list[Node]:
    """Return the last step with an answer, then the settled ones that led to it: one per passage."""
    answered = [node for node in nodes if node.answer]
    before = [node for node in used(answered)[:-1] if node.verdict in SETTLED] if task in OF_LAST_STEP else []
    rests = dict[Passage | None, Node]()
    for node in (*answered[-1:], *before):
        rests.setdefault(node.passage, node)
    return list(rests.values())


def _deciding_label(nodes: Sequence[Node]) -> list[Node]:
    """Return the settled steps, else the disputed ones, on which a label rests: one per span of a passage."""
    settled = [node for node in nodes if node.verdict in SETTLED]
    settled = settled or [node for node in nodes if node.verdict is Verdict.DISPUTED]
    settled = [node for node in settled if label_of(node.answer or "")] or settled
    return list({(node.passage, node.span): node for node in settled}.values())


def quoted(nodes: Sequence[Node], keys: Mapping[str, Node]) -> str:
    """Join the answers of ``nodes``, which are quotations; each sentence gets its key."""
    key_by_place = {(node.passage, node.span): key for key, node in keys.items()}
    return " ".join(_with_key(plain(node.answer or ""), key_by_place[node.passage, node.span]) for node in nodes)


def differing(keys: Mapping[str, Node]) -> str:
    """Name the answers of nodes that do not agree, each with its source and key, then quote the passages."""
    return naming(who_differs([node.passage for node in keys.values() if node.passage]), keys)


def naming(opening: str, keys: Mapping[str, Node]) -> str:
    """Name the answers of nodes behind ``opening``, each with its source and key, then quote the passages."""
    cited = [(key, node, node.passage) for key, node in keys.items() if node.passage]
    named = [
        f"{plain(node.answer or '').rstrip('.')} ({plain(passage.heading)}) [{key}]" for key, node, passage in cited
    ]
    quotes = [_with_key(quote_of(node), key) for key, node, _ in cited]
    return " ".join((f"{opening}: {', '.join(named)}.", *quotes))


def asking(keys: Mapping[str, Node]) -> str:
    """Ask which of the documents is meant that hold the answers of nodes."""
    names = [f"“{plain(node.passage.heading)}”" for node in keys.values() if node.passage]
    return f"{ASKING_BACK}{', '.join(names[:-1])} or {names[-1]}?"


def who_differs(passages: Sequence[Passage]) -> str:
    """Say which sources do not agree: the user's own documents, or articles.

    >>> who_differs([Passage("1", "K2", "")])
    'The articles differ'
    """
    are_own = {passage.place is not None for passage in passages}
    return SOURCES_DIFFER if len(are_own) > 1 else DOCUMENTS_DIFFER if True in are_own else ARTICLES_DIFFER


def quote_of(node: Node) -> str:
    """Return the sentence of the node's passage with its span, in one line; ``""`` without a span.

    If that sentence is the article's short description, the first sentence of the article follows. It replaces the
    description if it contains the answer too, or if the description is only the answer. The article's title is put
    before a description, because that is not a sentence. A pronoun is quoted with its subject (``subjects.said``).
    """
    if node.passage is None or node.span is None:
        return ""
    body = node.passage.text
    limits = _quoted_sentences(node, body, node.span)
    if not limits:
        return ""
    begin, last = limits[0][0] or labelled(body), limits[-1][1]  # the label is no part of what is said
    if last - begin <= _QUOTE:
        return _titled(node, limits[0][0], plain(said(node.passage, Span(begin, last)).text))
    start, end = _around(body, node, begin, last)
    quote = _titled(node, limits[0][0], plain(body[start:end]))
    return ("… " if start > begin else "") + quote + (" …" if end < last else "")


def _quoted_sentences(node: Node, body: str, span: Span) -> list[tuple[int, int]]:
    """Return the places of the sentences that a quotation of ``span`` holds."""
    sentences, lead = split(body), after_description(body)
    limits = [(start, end) for start, end in sentences if end > span.start and start < span.end]
    if not limits or limits[-1][1] > lead:
        return limits
    # a description alone is hardly a sentence
    first = [(start, end) for start, end in sentences if start >= lead][:1]
    if not first or not node.answer:
        return limits + first
    is_whole = span.start <= len(LABEL) and span.end >= lead - len(".\n")
    return first if is_whole or text.contains(node.answer, body[first[0][0] : first[0][1]]) else limits + first


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
    """Return one line without square brackets, because a quoted ``[3]`` would look like a citation.

    The mark before an item of a list is left out.
    """
    words = quote.replace("[", "(").replace("]", ")").split()
    return " ".join(words[1:] if words[1:] and words[0] in _ITEMS else words)


def _with_key(quote: str, key: str) -> str:
    """Put the key before the full stop of each sentence."""
    cited = []
    for start, end in split(quote):
        body = quote[start:end]
        ended = body[-1] in ".!?" and not _INITIALS.search(body)
        cited.append(f"{body[:-1].rstrip()} [{key}]{body[-1]}" if ended else f"{body} [{key}].")
    return " ".join(cited)
