"""Tracing (section 3.3): the correct path → a reply whose sentences carry what was checked, and never claim more.

The model writes from the path with keys; where its reply is unusable, ``template_reply`` writes one from the path
and the passages' own sentences. Both go through the same binder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from searchain import text
from searchain.agreement import label_in, label_of
from searchain.citations import BoundMark, key_of
from searchain.comparison import Decision
from searchain.sentences import split
from searchain.settings import Settings
from searchain.types import Node, Passage, Sentence, Status, Support, TaskKind, Verdict
from searchain.words import NOTHING_FOUND

SETTLED = frozenset({Verdict.AGREED, Verdict.CORRECTED, Verdict.COMPLETED})
_ORDER = list(Support)  # declared from none to verified
_QUOTE = 400
"""Characters of a passage's sentence that the template quotes."""


def render_steps(path: Sequence[Node], keys: Mapping[str, Node], *, with_evidence: bool = True) -> str:
    """The path for the prompt: every step with its answer, its key and, if wanted, the sentence that shows it."""
    key_by_node = {node.id: key for key, node in keys.items()}
    lines = []
    for number, node in enumerate(path, 1):
        key = f" (key {key_by_node[node.id]})" if node.id in key_by_node else ""
        lines.append(f"[Query {number}]: {node.query}\n[Answer {number}]: {node.answer or 'not found'}{key}")
        if with_evidence and node.passage is not None and (quote := quote_of(node)):
            lines.append(f"Evidence, from {node.passage.title!r}: {quote}")
    return "\n".join(lines)


class FinalReader:
    """``[Answer]: …`` and ``[Final Content]: …`` as they stream: the answer apart, the content passed on.

    A reply without labels is content altogether.
    """

    _LABEL = re.compile(
        r"(?:[*_#]+\s*)?(?:[\[［【]\s*(?:final\s+)?(?P<bracketed>answer|content)\s*[\]］】][*_]*\s*[:：]?"
        r"|(?:final\s+)?(?P<bare>answer|content)[*_]*\s*[:：])[\s*_]*",
        re.IGNORECASE,
    )
    _LATER = re.compile(r"^[*_#\s]*[\[［【]\s*(?:final\s+content|answer)\s*[\]］】]", re.IGNORECASE | re.MULTILINE)
    _CHATTER = 160
    """Characters in front of the first label that are waited for, and dropped when it comes."""

    def __init__(self) -> None:
        self.answer = ""
        self._text = ""
        self._is_content = self._has_begun = False

    def feed(self, delta: str) -> str:
        """The content that became known."""
        if self._is_content:
            return self._begun(delta)
        self._text = (self._text + delta).lstrip()
        return self._begun(self._read(is_end=False))

    def finish(self) -> str:
        """What is left at the end."""
        return "" if self._is_content else self._begun(self._read(is_end=True))

    def _begun(self, content: str) -> str:
        """Without the white space and the bold signs that may still follow the label."""
        if not self._has_begun:
            content = content.lstrip(" \n\t*_:：")
            self._has_begun = bool(content)
        return content

    def _read(self, *, is_end: bool) -> str:
        if not self.answer and (later := self._LATER.search(self._text)) and self._text[: later.start()].strip():
            self._text = self._text[later.start() :].lstrip()
        while label := self._LABEL.match(self._text):
            if (label["bracketed"] or label["bare"]).lower() == "content":
                return self._open(label.end())
            rest = self._text[label.end() :]
            inline = re.search(r"[\[［【]\s*final\s+content", rest, re.IGNORECASE)
            ends = [at for at in (rest.find("\n"), inline.start() if inline else -1) if at >= 0]
            if not rest.strip() or (not ends and not is_end):
                return ""
            end = min(ends, default=len(rest))
            self.answer = rest[:end].strip(" *_\t")
            self._text = rest[end:].lstrip()
        may_come = len(self._text) < self._CHATTER and (not self.answer or self._text[:1] in ("", "[", "［", "【", "*"))
        return "" if may_come and not is_end else self._open(0)

    def _open(self, start: int) -> str:
        content, self._text, self._is_content = self._text[start:], "", True
        return content


def lead(
    path: Sequence[Node], keys: Mapping[str, Node], task: TaskKind, final_answer: str, decision: Decision | None = None
) -> str:
    """The sentence that gives the short answer, with the keys of the steps it rests on."""
    key_by_node = {node.id: key for key, node in keys.items()}
    if decision is not None:
        cited = [node for node in decision.nodes if node.id in key_by_node]
    elif task in (TaskKind.YESNO, TaskKind.FACTCHECK):
        settled = [node for node in path if node.verdict in SETTLED and node.id in key_by_node]
        settled = [node for node in settled if label_of(node.answer or "")] or settled
        cited = list({(node.passage, node.span): node for node in settled}.values())  # it rests on all that is settled
    else:
        cited = [node for node in path if node.answer and node.id in key_by_node][-1:]
    marks = "".join(f"[{key_by_node[node.id]}]" for node in cited)
    said = _CLAIMS.get(final_answer) or _plain(final_answer[:1].upper() + final_answer[1:])
    return f"{said} {marks}".rstrip() + "."


_AS_LABEL = {"yes": True, "supports": True, "no": False, "refutes": False}
_CLAIMS = {"SUPPORTS": "The claim is supported", "REFUTES": "The claim is refuted"}


def template_reply(
    path: Sequence[Node], keys: Mapping[str, Node], task: TaskKind, final_answer: str, decision: Decision | None = None
) -> str:
    """A reply from the path alone, with keys: the answer, then what the passages say, then what stayed open."""
    key_by_node = {node.id: key for key, node in keys.items()}
    parts: list[str] = []
    deciding = next((node for node in reversed(path) if node.answer and node.id in key_by_node), None)
    if final_answer and task is not TaskKind.LONGFORM:
        parts.append(lead(path, keys, task, final_answer, decision))
    elif not final_answer:
        parts.append(NOTHING_FOUND)
    quoted: set[str] = set()
    for node in path:
        key = key_by_node.get(node.id)
        if node.verdict in SETTLED and key:
            quote = quote_of(node)
            if quote and quote not in quoted:
                quoted.add(quote)
                parts.append(_with_key(quote, key))
        elif node.verdict is Verdict.UNCONFIRMED:
            told = f"; the model's own answer is {_plain(node.answer)}" if node.answer and node is not deciding else ""
            near = f"; the nearest is “{_plain(node.passage.title)}” [{key}]" if node.passage and key else ""
            parts.append(f"No passage confirms the step “{_plain(node.query)}”{told}{near}.")
        elif node.verdict is None and node.answer:
            parts.append(f"{_plain(node.query)} {_plain(node.answer)}.")
    return " ".join(parts)


def quoted(nodes: Sequence[Node], keys: Mapping[str, Node]) -> str:
    """The answers of ``nodes``, which quote their passages, each sentence with its key."""
    key_by_place = {(node.passage, node.span): key for key, node in keys.items()}
    return " ".join(_with_key(_plain(node.answer or ""), key_by_place[node.passage, node.span]) for node in nodes)


def quote_of(node: Node) -> str:
    """The sentence of the node's passage that holds its span, in one line; ``""`` without a span."""
    if node.passage is None or node.span is None:
        return ""
    body = node.passage.text
    limits = [(start, end) for start, end in split(body) if end > node.span.start and start < node.span.end]
    if not limits:
        return ""
    start, end = limits[0][0], limits[-1][1]
    if end - start > _QUOTE:
        start, end = _around(body, node, start, end)
    quote = _plain(body[start:end])
    return ("… " if start > limits[0][0] else "") + quote + (" …" if end < limits[-1][1] else "")


def _around(body: str, node: Node, start: int, end: int) -> tuple[int, int]:
    """At most ``_QUOTE`` characters at word limits around the span."""
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


def bind_sentences(
    reply: str,
    marks: Sequence[BoundMark],
    settings: Settings,
    decision: Decision | None = None,
    is_carried: Callable[[str, Sequence[Passage]], bool] | None = None,
) -> tuple[Sentence, ...]:
    """The reply's sentences with their marks and how far the evidence carries them.

    The sentence that gives the answer of ``decision`` says none of its steps' answers: it follows from them.
    ``is_carried`` may lower the state of any other that is no quotation: it gets what is said, and the cited passages.
    """
    sentences = []
    for start, end, inside in _parts(reply, marks):
        said, nodes = _without_marks(reply, start, end, inside), [bound.node for bound in inside]
        concluded = () if decision is None else (decision.answer, _CLAIMS.get(decision.answer, ""))
        follows = nodes and text.tokens(said) in [text.tokens(conclusion) for conclusion in concluded]
        state = _weakest(nodes, settings) if follows else support_of(said, nodes, settings)
        if is_carried and state not in (Support.NONE, Support.WEAK) and not follows and not _is_label(said):
            cited = list(dict.fromkeys(node.passage for node in nodes if node.passage))
            if not _is_quoted(said, cited) and not is_carried(said, cited):
                state = Support.WEAK
        own_marks = tuple(dict.fromkeys(bound.mark for bound in inside))
        sentences.append(Sentence(reply[start:end], start, end, own_marks, state))
    return tuple(sentences)


def _parts(reply: str, marks: Sequence[BoundMark]) -> list[tuple[int, int, list[BoundMark]]]:
    """Start, end and marks of each sentence."""
    limits: list[list[int]] = []
    for start, end in split(reply):
        # marks in front of a sentence belong to the one before it ("… Kyoto. [1] It …")
        lead = re.match(r"(?:\[\d+\]\s*)+", reply[start:end])
        if limits and lead and any(mark.mark.start == start for mark in marks):
            limits[-1][1] = start + len(lead[0].rstrip())
            start += lead.end()
        if start < end:
            limits.append([start, end])
    return [(start, end, [bound for bound in marks if start <= bound.mark.start < end]) for start, end in limits]


def support_of(sentence: str, nodes: Sequence[Node], settings: Settings) -> Support:
    """The support state of a sentence (without marks) that cites ``nodes``: the weakest of them, and ``weak`` at
    most when the sentence says something else than the nodes and their passages."""
    if not nodes:
        return Support.NONE
    return _weakest(nodes, settings) if _is_stated(sentence, nodes) else Support.WEAK


def _is_label(sentence: str) -> bool:
    return label_of(sentence) is not None or sentence.rstrip(" .") in _CLAIMS.values()


def _is_quoted(sentence: str, passages: Sequence[Passage]) -> bool:
    return any(text.contains(sentence.replace("…", ""), passage.text) for passage in passages)


def _weakest(nodes: Sequence[Node], settings: Settings) -> Support:
    return min((_state_of(node, settings) for node in nodes), key=_ORDER.index)


def _state_of(node: Node, settings: Settings) -> Support:
    match node.verdict:
        case Verdict.AGREED:
            return Support.VERIFIED
        case Verdict.CORRECTED:
            return Support.CORRECTED
        case Verdict.COMPLETED if (node.confidence or 0.0) > settings.theta and node.confidence is not None:
            return Support.COMPLETED
        case _:
            return Support.WEAK


def _is_stated(sentence: str, nodes: Sequence[Node]) -> bool:
    """The sentence quotes a passage, or it gives the answer of every cited step and says little that is in no
    passage."""
    if label := label_of(sentence) or (label_in(sentence) if sentence.rstrip(" .") in _CLAIMS.values() else None):
        return any(_AS_LABEL.get(label_of(node.answer or "") or "") == _AS_LABEL[label] for node in nodes)
    words = text.content_words(sentence)
    passages = [node.passage.text for node in nodes if node.passage]
    if not words:
        return False
    if _is_quoted(sentence, [node.passage for node in nodes if node.passage]):
        return True
    known: set[str] = set().union(*map(text.content_words, passages))
    for node in nodes:
        title = node.passage.title if node.passage else ""
        known |= text.content_words(f"{title} {node.query} {node.answer or ''}")
    short = [
        node.answer or ""
        for node in nodes
        if len(text.tokens(node.answer or "")) <= 12 and not label_of(node.answer or "")
    ]
    gives_answers = all(text.contains(answer, sentence) for answer in short)
    is_denied = text.has_negation(sentence) and not any(map(text.has_negation, passages))
    return gives_answers and not is_denied and len(words & known) / len(words) >= 0.6


def final_answer_of(path: Sequence[Node], task: TaskKind, written: str) -> str:
    """The short answer alone: the model's where it rests on the path, else the last answer of the path.

    ``written`` is the model's ``[Answer]``, ``""`` when there is none.
    """
    written = re.sub(r"\s*[\[［【(]\s*(?:k\d+|\d+)[^\]］】)]*[\]］】)]", "", written).strip().rstrip(".")
    last = next((node for node in reversed(path) if node.answer), None)
    if task in (TaskKind.YESNO, TaskKind.FACTCHECK):
        label = label_in(written) or (label_of(last.answer or "") if last and last is path[-1] else None)
        return _as_label(label, task)
    if task is TaskKind.LONGFORM:
        return written or (last.answer or "" if last else "")
    grounded = written and any(
        text.contains(written, f"{node.query} {node.answer or ''} {node.passage.text if node.passage else ''}")
        for node in path
    )
    if grounded and len(text.tokens(written)) <= 12:
        return written
    return (last.answer or "") if last is not None else written


def status_of(path: Sequence[Node], final_answer: str) -> tuple[Status, str]:
    """How the run ended, and for a partial reply which step is open."""
    if not final_answer:
        open_step = next((node for node in path if node.verdict not in SETTLED), None)
        if open_step is not None:
            return Status.NOT_FOUND, f"no answer to the step {open_step.query!r} was found"
        known = "the steps are known, but not what they say to the question"
        return Status.NOT_FOUND, known if path else "there was no step"
    open_steps = [node for node in path if node.verdict not in SETTLED]
    if open_steps:
        node = open_steps[0]
        near = f"; the nearest passage is {node.passage.title!r}" if node.passage else ""
        return Status.PARTIAL, f"the step {node.query!r} is not confirmed{near}"
    return Status.ANSWERED, ""


def problem_of(reply: str, marks: Sequence[BoundMark], keys: Mapping[str, Node]) -> str | None:
    """What is wrong with the model's reply; ``None`` when it may stand."""
    if not reply.strip():
        return "it is empty"
    if keys and not marks:
        return "it cites no step"
    if any(re.search(rf"\b{key}\b", reply) for key in keys):
        return "it writes a key as if it were a word"
    parts = [(_without_marks(reply, start, end, inside), inside) for start, end, inside in _parts(reply, marks)]
    if len(parts) >= 4 and len({words for words, _ in parts}) * 2 <= len(parts):
        return "it repeats itself"
    if keys and not any(_is_stated(words, [bound.node for bound in inside]) for words, inside in parts if inside):
        return "no sentence says what its source says"
    return None


def restates(reply: str, marks: Sequence[BoundMark], claim: str) -> str | None:
    """What is wrong with a reply that tells the claim to be judged as if it were known; ``None`` when none does."""
    wanted = text.content_words(claim)
    for start, end, inside in _parts(reply, marks):
        if text.content_words(_without_marks(reply, start, end, inside)) == wanted:
            return "it tells the claim as a fact"
    return None


def example_key(keys: Mapping[str, Node]) -> str:
    """A key that was given, for the prompt's example; a made-up one when there is none."""
    return next(iter(keys), key_of(Node(id="n0", parent=None, round=0, query="")))


def _as_label(label: str | None, task: TaskKind) -> str:
    if label is None:
        return ""
    is_true = label in ("yes", "supports")
    return ("SUPPORTS" if is_true else "REFUTES") if task is TaskKind.FACTCHECK else ("yes" if is_true else "no")


def _plain(quote: str) -> str:
    """One line, without square brackets: a quoted ``[3]`` must not look like a citation."""
    return " ".join(quote.replace("[", "(").replace("]", ")").split())


def _with_key(quote: str, key: str) -> str:
    """The key in front of the full stop of every sentence."""
    cited = []
    for start, end in split(quote):
        body = quote[start:end]
        ended = body[-1] in ".!?"
        cited.append(f"{body[:-1].rstrip()} [{key}]{body[-1]}" if ended else f"{body} [{key}].")
    return " ".join(cited)


def _without_marks(reply: str, start: int, end: int, marks: Sequence[BoundMark]) -> str:
    kept, at = [], start
    for bound in marks:
        kept.append(reply[at : max(at, bound.mark.start)])
        at = bound.mark.end
    return "".join([*kept, reply[at:end]]).strip()
