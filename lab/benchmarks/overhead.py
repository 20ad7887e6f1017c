"""What checking costs: wall time with the real index and Reader ÷ with instant ones, and the default ÷ the paper
profile.

    python -m lab.benchmarks.overhead [--repeat 3] [--tokens-per-second 50]

The language model is a local OpenAI-compatible server that replays scripts at a fixed pace, so that only the rest
differs. Instant parts replay the evidence that the real ones found, so both take the same course.
"""

from __future__ import annotations

import re
import statistics
import time
from dataclasses import dataclass

import click

from lab.scripted.server import Reply, ScriptedServer
from searchain.assemble import Choice, Parts
from searchain.chain.parser import render_step
from searchain.events import Turn, fold
from searchain.llm.openai import OpenAIModel
from searchain.pipeline import SearChain
from searchain.settings import Settings
from searchain.types import Hit, Passage, Reading, Step


@dataclass(frozen=True, slots=True)
class Script:
    """A question, and what the model writes: (query, right answer, what it says first: the answer, another, or the
    flag)."""

    question: str
    steps: tuple[tuple[str, str, str | None], ...]
    reply: tuple[str, ...]
    """One sentence per step that the reply states, in order of the steps."""


SCRIPTS = (
    Script(
        "On which Japanese island is the city where Nintendo has its headquarters?",
        (
            ("In which city does Nintendo have its headquarters?", "Kyoto", "Kyoto"),
            ("On which island of Japan is the city of Kyoto?", "Honshu", "Honshu"),
        ),
        ("Nintendo has its headquarters in Kyoto {}.", "Kyoto lies on the island of Honshu {}."),
    ),
    Script(
        "Which river flows through the city where the Louvre stands?",
        (
            ("In which city is the Louvre museum?", "Paris", "Paris"),
            ("On which river is Paris located?", "Seine", "Seine"),
            ("Into which body of water does the river Seine flow?", "English Channel", "English Channel"),
        ),
        (
            "The Louvre is in Paris {}.",
            "Paris lies on the river Seine {}.",
            "The Seine flows into the English Channel {}.",
        ),
    ),
    Script(
        "In which city hangs the picture of the view from Vincent van Gogh's asylum window?",
        (
            (
                "Which painting shows the view from the window of Vincent van Gogh's asylum room?",
                "The Starry Night",
                "The Starry Night",
            ),
            ("In which museum is The Starry Night?", "Museum of Modern Art", None),
            ("In which city is the Museum of Modern Art?", "New York City", "New York City"),
        ),
        (
            "The picture is The Starry Night {}.",
            "The Starry Night is in the Museum of Modern Art {}.",
            "That museum is in New York City {}.",
        ),
    ),
    Script(
        "Who shared a Nobel Prize with the discoverer of penicillin, and in which country was the discoverer born?",
        (
            ("Who discovered penicillin in 1928?", "Alexander Fleming", "Louis Pasteur"),
            (
                "With whom did Alexander Fleming share the 1945 Nobel Prize?",
                "Howard Florey and Ernst Chain",
                "Howard Florey and Ernst Chain",
            ),
            ("What nationality was Alexander Fleming?", "Scottish", "Scottish"),
        ),
        (
            "Penicillin was discovered by Alexander Fleming {}.",
            "Fleming shared the prize with Howard Florey and Ernst Chain {}.",
            "Alexander Fleming was Scottish {}.",
        ),
    ),
    Script(
        "Which ocean borders the country of the highest mountain in Africa?",
        (
            ("What is the highest mountain in Africa?", "Mount Kilimanjaro", None),
            ("In which country is Mount Kilimanjaro?", "Tanzania", "Kenya"),
            ("Which ocean borders Tanzania to the east?", "Indian Ocean", "Indian Ocean"),
        ),
        (
            "The highest mountain in Africa is Mount Kilimanjaro {}.",
            "Mount Kilimanjaro is in Tanzania {}.",
            "Tanzania is bordered by the Indian Ocean {}.",
        ),
    ),
    Script(
        "Who designed the engine for which the first computer programmer wrote notes?",
        (
            ("Who is often considered the first computer programmer?", "Ada Lovelace", "Ada Lovelace"),
            ("For whose analytical engine is Ada Lovelace known?", "Charles Babbage", "Charles Babbage"),
            ("What nationality was Charles Babbage?", "English", "English"),
        ),
        (
            "Ada Lovelace is often considered the first programmer {}.",
            "The analytical engine was proposed by Charles Babbage {}.",
            "Charles Babbage was English {}.",
        ),
    ),
    Script(
        "When was the tower that is named after Gustave Eiffel built, and on which field does it stand?",
        (
            ("After which engineer is the Eiffel Tower named?", "Gustave Eiffel", None),
            ("From when to when was the Eiffel Tower built?", "1887 to 1889", "1900 to 1905"),
            ("On which field in Paris does the Eiffel Tower stand?", "Champ de Mars", "Champ de Mars"),
        ),
        (
            "The tower is named after Gustave Eiffel {}.",
            "It was built from 1887 to 1889 {}.",
            "It stands on the Champ de Mars {}.",
        ),
    ),
    Script(
        "Who is the uncle on whom the hero of Shakespeare's longest play takes revenge?",
        (
            ("Which play is Shakespeare's longest?", "Hamlet", None),
            ("On whom does Prince Hamlet attempt to exact revenge?", "Claudius", "Polonius"),
            ("In which country is Hamlet set?", "Denmark", "Denmark"),
        ),
        (
            "Shakespeare's longest play is Hamlet {}.",
            "Prince Hamlet takes revenge on his uncle Claudius {}.",
            "The play is set in Denmark {}.",
        ),
    ),
)


@click.command(help=__doc__.splitlines()[0])
@click.option("--repeat", default=3, show_default=True, help="Runs of every script; the table shows medians.")
@click.option("--tokens-per-second", default=50.0, show_default=True, help="Pace of the scripted model.")
@click.option("--index", default="default", show_default=True)
def main(repeat: int, tokens_per_second: float, index: str) -> None:
    parts = Parts(Choice(careful="off"))
    real = {profile: parts.searchain(Settings.of(profile), index) for profile in ("default", "paper")}
    recorder = _Recorder(real["default"].retriever, real["default"].reader)
    with ScriptedServer(tokens_per_second=tokens_per_second) as server:
        model = OpenAIModel("scripted", server.base_url, None)
        times: dict[tuple[str, str], list[float]] = {}
        turns: dict[str, list[Turn]] = {}
        for profile, found in real.items():
            for name, retriever, reader in (
                ("recording", recorder, recorder),
                ("real", found.retriever, found.reader),
                ("instant", recorder.replay, recorder.replay),
            ):
                searchain = SearChain(
                    model=model,
                    retriever=retriever,
                    reader=reader,
                    settings=found.settings,
                    similarity=found.similarity,
                )
                for _ in range(1 if name == "recording" else repeat):
                    for script in SCRIPTS:
                        server.script = replies(script)
                        started = time.perf_counter()
                        turn = fold(searchain.stream(script.question))
                        times.setdefault((profile, name), []).append(time.perf_counter() - started)
                        if name == "real":
                            turns.setdefault(profile, []).append(turn)
    print_table(times, turns, repeat)


def replies(script: Script) -> list[Reply]:
    """What the server says, the latest prompt first, since earlier prompts stay in the messages."""

    def chain(start: int, *, mended: bool) -> str:
        return "\n".join(
            render_step(number, Step(query, right if mended and number == start else first))
            for number, (query, right, first) in list(enumerate(script.steps, 1))[start - 1 :]
        )

    def final(messages: list[dict]) -> str:
        keys = re.findall(r"\(key (k\d+)\)", messages[-1]["content"])
        sentences = [sentence.format(f"[{key}]") for sentence, key in zip(script.reply, keys, strict=False)]
        return f"[Answer]: {script.steps[-1][1]}\n[Final Content]: {' '.join(sentences)}"

    feedback = [
        Reply(
            chain(number, mended=True),
            when=f"starting with this step:\n[Query {number}]: {script.steps[number - 1][0]}",
            repeats=True,
        )
        for number in range(len(script.steps), 0, -1)
    ]
    return [
        Reply(final, when="The steps are settled.", repeats=True),
        *feedback,
        Reply(chain(1, mended=False), repeats=True),
    ]


def print_table(times: dict[tuple[str, str], list[float]], turns: dict[str, list[Turn]], repeat: int) -> None:
    def total(profile: str, name: str) -> float:
        """Seconds for the whole mix: the median run of each script, added up."""
        runs = times[profile, name]
        return sum(statistics.median(runs[at :: len(SCRIPTS)]) for at in range(len(SCRIPTS)))

    click.echo(f"{len(SCRIPTS)} scripts, median of {repeat} runs each; seconds for the whole mix")
    click.echo(f"{'profile':<10}{'real':>8}{'instant':>10}{'overhead':>10}{'rounds':>8}{'queries':>9}  verdicts")
    for profile in ("default", "paper"):
        sample = turns[profile][-len(SCRIPTS) :]
        verdicts: dict[str, int] = {}
        for node in (node for turn in sample for node in turn.nodes if node.on_path):
            verdicts[str(node.verdict)] = verdicts.get(str(node.verdict), 0) + 1
        click.echo(
            f"{profile:<10}{total(profile, 'real'):>8.2f}{total(profile, 'instant'):>10.2f}"
            f"{total(profile, 'real') / total(profile, 'instant'):>10.3f}{sum(turn.round for turn in sample):>8}"
            f"{sum(len(turn.hits) for turn in sample):>9}  {verdicts}"
        )
    click.echo(f"default ÷ paper, wall time: {total('default', 'real') / total('paper', 'real'):.3f}")


class _Recorder:
    """Passes queries on, and keeps what came back for ``replay``."""

    def __init__(self, retriever, reader) -> None:
        self._retriever, self._reader = retriever, reader
        self.hits: dict[tuple[str, int], list[Hit]] = {}
        self.readings: dict[tuple[str, str], Reading] = {}
        self.replay = _Replay(self)

    def search(self, query: str, k: int) -> list[Hit]:
        self.hits[query, k] = self._retriever.search(query, k)
        return self.hits[query, k]

    def read(self, query: str, passages: list[Passage]) -> list[Reading]:
        found = self._reader.read(query, passages)
        self.readings.update({(query, passage.id): reading for passage, reading in zip(passages, found, strict=True)})
        return found


class _Replay:
    """A retriever and a Reader that take no time."""

    def __init__(self, recorder: _Recorder) -> None:
        self._recorder = recorder

    def search(self, query: str, k: int) -> list[Hit]:
        return self._recorder.hits[query, k]

    def read(self, query: str, passages: list[Passage]) -> list[Reading]:
        return [self._recorder.readings[query, passage.id] for passage in passages]


if __name__ == "__main__":
    main()
