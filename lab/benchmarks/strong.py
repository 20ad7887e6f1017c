"""Play a strong model over the real parts: right chains, and chains with invented details or a wrong first step.

    python -m lab.benchmarks.strong --data chains.jsonl [--out FILE]

Each line of the data holds a question with the chain that a strong model would write (``steps``), perhaps the same with
invented details (``invented``) or with a wrong first step (``wrong``). The player writes the chain; once passages that
hold its answers are shown, it cites them and replies. It never changes an answer, as the hardest case.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from searchain.assemble import open_searchain
from searchain.events import fold
from searchain.language import text
from searchain.language.same_answer import agreement, standing
from searchain.language.sentences import split
from searchain.llm.base import Piece
from searchain.settings import Settings
from searchain.types import Abilities, Message, Outcome, Passage, Usage

_PASSAGE = re.compile(r"^\[(k\d+)\] ([^\n]*)$", re.MULTILINE)


class Player:
    """A language model that writes one chain."""

    name, at_once, abilities = "player", 1, Abilities.CAPABLE

    def __init__(self, steps: Sequence[dict[str, str]], answer: str = "") -> None:
        self.steps, self.answer = steps, answer

    def stream(self, messages: Sequence[Message], **options: Any) -> Iterator[Piece]:
        """Write the steps; the reply too, if passages hold all answers or if there is nothing more to be shown."""
        shown = _PASSAGE.findall("\n".join(one.content for one in messages if one.role == "user"))
        is_later = any(one.role == "assistant" for one in messages)
        keys = [_holder(step["answer"], step["query"], shown) for step in self.steps]
        written = "".join(
            f"[Query {n}]: {step['query']}\n[Answer {n}]: {step['answer']}{f' [{key}]' if key else ''}\n"
            for n, (step, key) in enumerate(zip(self.steps, keys, strict=True), 1)
        )
        if all(keys) or is_later:
            passages = dict(shown)
            said = " ".join(
                f"{_statement(step, passages.get(key, ''))}{f' [{key}]' if key else ''}."
                for step, key in zip(self.steps, keys, strict=True)
            )
            written += f"[Answer]: {self.answer}\n[Final Content]: {said} The answer is {self.answer}."
        yield written
        yield Usage(llm_calls=1)


def _holder(answer: str, query: str, shown: Sequence[tuple[str, str]]) -> str:
    """Return the key of the shown passage that holds the answer and most words of the query; ``""`` if none does."""
    asked = text.content_words(query)
    holding = [(len(asked & text.content_words(body)), key) for key, body in shown if standing(answer, body)]
    return max(holding)[1] if holding else ""


def _statement(step: dict[str, str], body: str) -> str:
    """Return the sentence of the passage that holds the answer; else the answer to its query in plain words."""
    body = body.partition(": ")[2]
    sentences = [body[start:end] for start, end in split(body)]
    quote = next((one for one in sentences if standing(step["answer"], one)), "")
    return quote.rstrip(".") or f"The answer to “{step['query']}” is {step['answer']}"


def main() -> None:
    """Play all chains and print one line each, then the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    searchain = open_searchain(Settings.of(careful="off"), model=Player(()))
    lines = [json.loads(line) for line in args.data.read_text(encoding="utf-8").splitlines() if line.strip()]
    results = []
    for line in lines:
        for kind in ("steps", "invented", "wrong"):
            if line.get(kind):
                searchain.model = Player(line[kind], _answer(line, kind))
                turn = fold(searchain.stream(line["question"]))
                results.append(_result(line, kind, turn))
                print(json.dumps(results[-1], ensure_ascii=False), flush=True)
    if args.out:
        args.out.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in results), encoding="utf-8")
    print(_table(results))


def _answer(line: dict[str, Any], kind: str) -> str:
    """Return the answer to the question; of a chain that went wrong, that of its last step."""
    return line["answer"] if kind == "steps" else line[kind][-1]["answer"]


def _result(line: dict[str, Any], kind: str, turn: Any) -> dict[str, Any]:
    wanted = _answer(line, kind)
    return {
        "question": line["question"],
        "kind": kind,
        "in_corpus": line["in_corpus"],
        "wanted": wanted,
        "final": turn.final_answer,
        "is_kept": agreement(turn.final_answer, line["answer"], Passage("", "", ""))[0] == "agree",
        "is_ticked": turn.outcome is Outcome.SUPPORTED,
        "probability": turn.probability,
        "verdicts": [f"{node.verdict}: {node.rule}" for node in turn.nodes if node.on_path],
        "support": [str(sentence.support) for sentence in turn.sentences],
        "message": turn.message,
        "calls": turn.usage.llm_calls,
    }


def _table(results: Sequence[dict[str, Any]]) -> str:
    right = [one for one in results if one["kind"] == "steps"]
    stated = [one for one in right if one["in_corpus"]]
    others = {kind: [one for one in results if one["kind"] == kind] for kind in ("invented", "wrong")}
    low = [one for one in stated if one["probability"] is not None and one["probability"] < 0.2]
    disputed = [one for one in others["wrong"] if not one["is_ticked"] and one["message"]]
    rows = [
        ("right finals kept", sum(one["is_kept"] for one in right), len(right)),
        ("… ticked, of those that the passages state", sum(one["is_ticked"] for one in stated), len(stated)),
        ("… below 0.2", len(low), len(stated)),
        ("invented details ticked", sum(one["is_ticked"] for one in others["invented"]), len(others["invented"])),
        ("wrong first steps not ticked, with a reason", len(disputed), len(others["wrong"])),
    ]
    return "\n".join(["| | of |", "|---|---|", *(f"| {name} | {count} of {of} |" for name, count, of in rows)])


if __name__ == "__main__":
    main()
