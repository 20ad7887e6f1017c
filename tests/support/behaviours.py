"""How servers of language models behave, well and badly: each a script for ``ScriptedServer``, over one question."""

import json
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

from lab.scripted.server import Failure, Raw, Reply, Scripted
from searchain.llm.base import Piece
from tests.support.fakes import CITY, ISLAND, QUESTION, Rating

CHAIN = f"[Query 1]: {CITY}\n[Answer 1]: Kyoto\n[Query 2]: {ISLAND}\n[Answer 2]: Honshu\n"
THOUGHT = "Let me see.\n[Query 1]: What is the moon made of?\n[Answer 1]: Cheese\nThat is silly. " * 4
"""Thoughts that look like a chain: steps, where they are read as one."""
FINAL = "(key k"
"""What stands in the prompt for the reply alone."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A server that answers one question in its own way."""

    name: str
    script: Callable[[], list[Scripted]]
    is_good: bool = False
    """Whether all that the right answer needs is delivered."""


class Cautious(Rating):
    """Believes, as the measured probability does, no chain that never comes to the island that is asked for, nor what the
    whole question finds at once."""

    def of_step(self, step, evidence, judgement):
        return 0.4 if step.query == QUESTION else super().of_step(step, evidence, judgement)

    def of_reply(self, question, path, final_answer, direct=None):
        return super().of_reply(question, path, final_answer) if path and "island" in path[-1].query else 0.4


def written(messages: list[dict[str, Any]]) -> str:
    """What a capable model writes to ``messages``: the right chain, then the reply with the keys that were given."""
    keys = list(dict.fromkeys(re.findall(r"\(key (k\d+)\)", messages[-1]["content"])))
    shown = {title: key for key, title in re.findall(r"^\[(k\d+)\] (\w+):", messages[-1]["content"], re.MULTILINE)}
    if {"Nintendo", "Kyoto"} <= set(shown):
        keys = [shown["Nintendo"], shown["Kyoto"]]
    if len(keys) < 2:
        return CHAIN
    return (CHAIN if shown else "") + (
        f"[Answer]: Honshu\n[Final Content]: Nintendo has its headquarters in Kyoto [{keys[0]}]. "
        f"Kyoto lies on the island of Honshu [{keys[1]}]."
    )


def chunk(content: Any = None, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """A chunk of a streamed completion."""
    if content is not None:
        delta["content"] = content
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def sse(*values: Any, has_end: bool = True) -> bytes:
    """``values`` as server-sent events; a text is the data itself."""
    told = [value if isinstance(value, str) else json.dumps(value) for value in values]
    return "".join(f"data: {one}\n\n" for one in [*told, *(["[DONE]"] if has_end else [])]).encode()


def text_of(pieces: Iterable[Piece]) -> str:
    """The text that a model streamed, without thoughts and notices."""
    return "".join(piece for piece in pieces if isinstance(piece, str))


def whole(message: dict[str, Any], finish: str = "stop", **more: Any) -> bytes:
    """A completion that is not streamed."""
    return json.dumps(
        {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": finish}], **more}
    ).encode()


def _always(*values: Any, has_end: bool = True, **options: Any) -> Callable[[], list[Scripted]]:
    return lambda: [Raw(sse(*values, has_end=has_end), repeats=True, **options)]


def _text(text: str, **options: Any) -> Callable[[], list[Scripted]]:
    return lambda: [Reply(text, repeats=True, **options)]


def _well(make: Callable[[str], Any], **options: Any) -> Callable[[], list[Scripted]]:
    """Whatever a capable model writes, sent as ``make`` makes it."""

    def body(request: dict[str, Any]) -> bytes:
        made = make(written(request["messages"]))
        return made if isinstance(made, bytes) else sse(*made)

    return lambda: [Raw(body, repeats=True, **options)]


def _after(*first: Scripted) -> Callable[[], list[Scripted]]:
    """A server that answers well after the ``first`` replies, or but for those ``when`` it is asked for the reply."""
    return lambda: [*first, Reply(written, repeats=True)]


def _pieces(text: str, size: int = 7) -> list[dict[str, Any]]:
    return [*(chunk(text[at : at + size]) for at in range(0, len(text), size)), chunk(finish="stop")]


STOP = chunk(finish="stop")
_TOOL = {"tool_calls": [{"index": 0, "id": "c", "type": "function", "function": {"name": "clock", "arguments": "{}"}}]}
_HALF = "[Query 1]: In which city does Nin"
_THREE = chunk(f"[Query 1]: {CITY}\n"), chunk("[Answer 1]: Kyoto\n"), chunk("[Query 2]: On which Jap")
_FINAL_HALF = "[Answer]: Honshu\n[Final Content]: Nintendo has its headquarters in Kyoto. On which Japan"

NOTHING = [
    Behaviour("empty text", _always(chunk(""), STOP)),
    Behaviour("no choices", _always({"choices": []})),
    Behaviour("null choices", _always({"choices": None})),
    Behaviour("choices are a text", _always({"choices": "no"})),
    Behaviour("choices without a delta", _always({"choices": [{"index": 0, "finish_reason": "stop"}]})),
    Behaviour("content is null", _always(chunk(None, role="assistant"), STOP)),
    Behaviour("content is an empty list", _always(chunk([]), STOP)),
    Behaviour("content is an image", _always(chunk([{"type": "image_url", "image_url": {"url": "data:x"}}]), STOP)),
    Behaviour("white space", _always(chunk(" \n \n"), STOP)),
    Behaviour("the end alone", _always()),
    Behaviour("no body", lambda: [Raw(b"", repeats=True)]),
    Behaviour("usage alone", _always({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 0}})),
    Behaviour("length at once", _always(chunk("", "length"))),
    Behaviour("reasoning until length", _always(chunk(reasoning_content=THOUGHT), chunk(finish="length"))),
    Behaviour("reasoning until stop", _always(chunk(reasoning=THOUGHT), STOP)),
    Behaviour("refusal", _always(chunk(refusal="I cannot help with that."), STOP)),
    Behaviour("refusal as whole JSON", lambda: [
        Raw(whole({"content": None, "refusal": "No."}), "application/json", repeats=True)
    ]),
    Behaviour("refusal in words", _text("I'm sorry, but I can't help with that.")),
    Behaviour("tool calls", _always(chunk(**_TOOL), chunk(finish="tool_calls"))),
    Behaviour("function call", _always(chunk(function_call={"name": "f", "arguments": "{}"}), chunk(finish="function_call"))),
    Behaviour("content filter at once", _always(chunk("", "content_filter"))),
    Behaviour("an engine that gives up", _always(chunk("", "insufficient_system_resource"))),
    Behaviour("thoughts without an end", _text(f"<think>{THOUGHT}")),
    Behaviour("thoughts alone", _text(f"<think>{THOUGHT}</think>")),
    Behaviour("whole JSON without text", lambda: [Raw(whole({"content": ""}), "application/json", repeats=True)]),
    Behaviour("an echo of the tags", _text("[Query 1]: [Answer 1]: [Final Content]:")),
    Behaviour("another language's small talk", _text("好的，没问题。")),
    Behaviour("binary", lambda: [Raw(bytes(range(256)) * 40, repeats=True)]),
    Behaviour("an HTML page", lambda: [Raw(b"<html><body>Welcome</body></html>", "text/html", repeats=True)]),
    Behaviour("an error as JSON", lambda: [Raw(b'{"error": "no"}', "application/json", repeats=True)]),
]  # fmt: skip
CUT = [
    Behaviour("chain cut in a query, length", _always(chunk(_HALF, "length"))),
    Behaviour("chain cut in the second query, length", _always(*_THREE, chunk(finish="length"))),
    Behaviour("chain cut in the second query, max_tokens", _always(*_THREE, chunk(finish="MAX_TOKENS"))),
    Behaviour("chain cut in the second query, filter", _always(*_THREE, chunk(finish="content_filter"))),
    Behaviour("chain cut in the second query, no end", _always(*_THREE, has_end=False)),
    Behaviour("chain cut in the second query, broken line", _always(*_THREE, '{"choices": [{"del', chunk("an?\n"))),
    Behaviour("chain cut in the second query, error", _always(*_THREE, {"error": {"message": "the engine died"}})),
    Behaviour("chain cut in the second query, connection", lambda: [
        Reply(CHAIN, stops_after=30, mishap="cut", repeats=True)
    ]),
    Behaviour("chain cut in an answer", _always(chunk(f"[Query 1]: {CITY}\n[Answer 1]: Ky"), chunk(finish="length"))),
    Behaviour("chain cut after the first step", _always(*_THREE[:2], chunk(finish="length"))),
    Behaviour("reply cut, length", _after(Reply(_FINAL_HALF, when=FINAL, finish="length")), is_good=True),
    Behaviour("reply cut, filter", _after(Reply(_FINAL_HALF, when=FINAL, finish="content_filter")), is_good=True),
    Behaviour("reply cut, no end", _after(Raw(sse(chunk(_FINAL_HALF), has_end=False), when=FINAL)), is_good=True),
    Behaviour("reply empty", _after(Raw(sse(STOP), when=FINAL)), is_good=True),
    Behaviour("reply refused", _after(Raw(sse(chunk(refusal="No.")), when=FINAL)), is_good=True),
    Behaviour("reply fails", _after(Failure(500, retry_after=0, when=FINAL, repeats=True)), is_good=True),
    Behaviour("reply is limited", _after(Failure(429, retry_after=99, when=FINAL, repeats=True)), is_good=True),
]  # fmt: skip
THOUGHTS = [
    Behaviour(name, _well(make), is_good=True)
    for name, make in {
        "think": lambda text: _pieces(f"<think>{THOUGHT}</think>\n\n{text}"),
        "think, letter by letter": lambda text: _pieces(f"<think>{THOUGHT}</think>{text}", 1),
        "think, nested": lambda text: _pieces(f"<think>{THOUGHT}<think>Hm.</think>{THOUGHT}</think>{text}"),
        "thinking": lambda text: _pieces(f"<thinking>{THOUGHT}</thinking>{text}"),
        "THINK of Mistral": lambda text: _pieces(f"[THINK]{THOUGHT}[/THINK]{text}"),
        "channels of gpt-oss": lambda text: _pieces(
            f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>{text}"
        ),
        "think without its beginning": lambda text: [chunk(f"Let me see.</think>{text}"), STOP],
        "reasoning_content": lambda text: [chunk(reasoning_content=THOUGHT), *_pieces(text)],
        "reasoning": lambda text: [chunk(reasoning=THOUGHT, content=""), *_pieces(text)],
        "thinking parts": lambda text: [
            chunk([{"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}]),
            chunk([{"type": "text", "text": text}]),
            STOP,
        ],
    }.items()
]
ODD = [
    Behaviour(name, _well(make), is_good=True)
    for name, make in {
        "content parts": lambda text: [chunk([{"type": "text", "text": text}]), STOP],
        "null usage": lambda text: [chunk(text), STOP, {"choices": [], "usage": {"prompt_tokens": None}}],
        "usage of texts": lambda text: [chunk(text), STOP, {"choices": [], "usage": {"prompt_tokens": "9"}}],
        "usage is a list": lambda text: [chunk(text) | {"usage": []}, STOP],
        "usage twice": lambda text: [chunk(text), STOP, *[{"choices": [], "usage": {"completion_tokens": 5}}] * 2],
        "signs of life": lambda text: b": ping\n\ndata: ping\n\nevent: ping\ndata: {}\n\n" + sse(chunk(text), STOP),
        "CRLF": lambda text: sse(*_pieces(text)).replace(b"\n", b"\r\n"),
        "CR": lambda text: sse(*_pieces(text)).replace(b"\n", b"\r"),
        "no space behind data": lambda text: sse(*_pieces(text)).replace(b"data: ", b"data:"),
        "two choices": lambda text: [
            {"choices": [{"index": 1, "delta": {"content": "No."}}, {"index": 0, "delta": {"content": text}}]},
            STOP,
        ],
        "no end but a finish": lambda text: sse(chunk(text), STOP, has_end=False),
        "no finish but an end": lambda text: [chunk(text)],
        "line separators": lambda text: sse(chunk(text)).replace(b"Query 2", b"Query 2\xe2\x80\xa8"),
        "broken UTF-8": lambda text: sse(chunk(f"{text}~"), STOP).replace(b"~", b"\xff"),
        "control characters": lambda text: [chunk(f"\x00\x1b[31m\n{text}"), STOP],
    }.items()
] + [
    Behaviour("whole JSON", _well(lambda text: whole({"content": text}), content_type="application/json"), is_good=True),
    Behaviour("whole JSON as plain text", _well(lambda text: whole({"content": text}), content_type="text/plain"), is_good=True),
    Behaviour(
        "one byte at a time", _well(lambda text: _pieces(text, 40), piece=1), is_good=True
    ),
    Behaviour("no content type", _well(lambda text: _pieces(text), content_type=""), is_good=True),
]  # fmt: skip
TEXTS = [
    Behaviour(name, _text(text))
    for name, text in {
        "a chain of another question": "[Query 1]: Who founded Sega?\n[Answer 1]: Martin Bromley\n",
        "only the first step": f"[Query 1]: {CITY}\n[Answer 1]: Kyoto\n[Final Content]: Kyoto.\n",
        "an answer without steps": "[Final Content]: It is Kyoto.",
        "prose": "Nintendo has its headquarters in Kyoto, so the answer is Kyoto.",
        "JSON": json.dumps({"query": CITY, "answer": "Kyoto"}),
        "steps without end": "".join(f"[Query {n}]: Which is number {n}?\n[Answer {n}]: {n}\n" for n in range(1, 400)),
        "the same step for ever": f"[Query 1]: {CITY}\n[Answer 1]: Kyoto\n" * 300,
        "words without end": "lorem ipsum dolor sit amet " * 2_000,
        "a wrong answer, insisted on": f"[Query 1]: {CITY}\n[Answer 1]: Osaka\n",
    }.items()
]
STATUSES = [
    Behaviour(f"status {status}", lambda status=status, text=text: [Failure(status, text, repeats=True)])  # type: ignore[misc]
    for status, text in (
        (400, "This model's maximum context length is 10 tokens"),
        (400, "Your credit balance is too low to access the API"),
        (401, "bad key"),
        (402, "Insufficient Balance"),
        (403, "country not supported"),
        (404, "no such route"),
        (429, "You exceeded your current quota, insufficient_quota"),
    )
] + [
    Behaviour("429, then well", _after(Failure(429, retry_after=0)), is_good=True),
    Behaviour("429 in words, then well", _after(Failure(429, "Please try again in 20ms")), is_good=True),
    Behaviour(
        "429 with milliseconds, then well", _after(Raw(b"{}", "", 429, {"retry-after-ms": "20"})), is_good=True
    ),
    Behaviour(
        "429 with a date, then well",
        lambda: _after(Raw(b"{}", "", 429, {"retry-after": formatdate(time.time(), usegmt=True)}))(),
        is_good=True,
    ),
    Behaviour("500, then well", _after(Failure(500, retry_after=0)), is_good=True),
    Behaviour("a broken stream, then well", _after(Raw(sse(chunk(role="assistant"), '{"cho'))), is_good=True),
]  # fmt: skip
ALL = [*NOTHING, *CUT, *THOUGHTS, *ODD, *TEXTS, *STATUSES]
