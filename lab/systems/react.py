"""``react-cot-sc``: thoughts and actions in turn, and a vote of thoughts where they come to no end.

Yao et al. 2023 (2210.03629). Pages are passages here, and a search always finds one.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from lab.systems.cot import voted
from lab.systems.demonstrations import Demonstration
from lab.systems.run import Run
from searchain.events import Event
from searchain.language.sentences import split
from searchain.llm.base import Form
from searchain.types import Passage, TaskKind

STEPS, CLAIM_STEPS = 7, 5
_ACTION = re.compile(r"\b(Search|Lookup|Finish)\[([^\]\n]*)\]")


@dataclass
class _Page:
    """The page that the last search opened, and where the last lookup stands in it."""

    sentences: tuple[str, ...] = ()
    word: str = ""
    at: int = 0

    def look_up(self, word: str) -> str:
        """The next sentence with ``word``."""
        found = [one for one in self.sentences if word.lower() in one.lower()]
        self.at = self.at + 1 if word == self.word else 0
        self.word = word
        if not word or self.at >= len(found):
            return "No more results."
        return f"(Result {self.at + 1} / {len(found)}) {found[self.at]}"


def react_cot_sc(run: Run) -> Iterator[Event]:
    """Search, look up and finish; ``cot-sc`` answers what was not finished."""
    run.begin(run.prompt("react", _acting))
    page, thought = _Page(), ""
    steps = run.option("steps")
    if run.task is TaskKind.FACTCHECK and steps == STEPS:
        steps = CLAIM_STEPS
    for number in range(1, steps + 1):
        text = yield from run.write([f"Observation {number}", f"Thought {number + 1}"], max_tokens=100)
        thought = _thought(text) or thought
        action = _ACTION.search(text)
        if action is None:
            run.say(f"Action {number}:")
            action = _ACTION.search((yield from run.write(["\n"], max_tokens=60, form=Form.ACTION)))
        if action is not None and action[1] == "Finish":
            yield from run.finish(action[2], thought)
            return
        observed = yield from _observe(run, action, page)
        run.say(f"Observation {number}: {observed}")
    texts, said, chosen = yield from voted(run, run.option("samples"))
    yield from run.finish(said[chosen], texts[chosen])


def _observe(run: Run, action: re.Match[str] | None, page: _Page) -> Generator[Event, None, str]:
    if action is None or not action[2].strip():
        return "Invalid action."
    if action[1] == "Lookup":
        return page.look_up(action[2].strip())
    node = yield from run.look_up(action[2].strip())
    if node.passage is not None:
        title = node.passage.title
        opened = [node.passage, *(hit.passage for hit in run.found(node).hits)]
        page.sentences = tuple(_sentences(dict.fromkeys(one for one in opened if one.title == title)))
        page.word, page.at = "", 0
    return run.quoted(node)


def _sentences(passages: Iterator[Passage] | dict[Passage, None]) -> Iterator[str]:
    for passage in passages:
        yield from (passage.text[start:end] for start, end in split(passage.text))


def _thought(text: str) -> str:
    return re.sub(r"^Thought \d+:\s*", "", re.split(r"\n?Action \d+:", text)[0].strip())


def _acting(one: Demonstration) -> Sequence[str]:
    said: list[str] = []
    for number, step in enumerate(one.steps, 1):
        known = f"{one.steps[number - 2].text} " if number > 1 else ""
        said.append(f"Thought {number}: {known}I have to find out: {step.query}\nAction {number}: Search[{step.query}]")
        said.append(f"Observation {number}: {step.passage}")
    last = len(one.steps) + 1
    said.append(f"Thought {last}: {one.reasoning} {one.conclusion}\nAction {last}: Finish[{one.answer}]")
    return said
