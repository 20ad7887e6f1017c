"""A SearChain that tells a known story slowly, for tests of runs; as a program, a process of its own that tells one.

Usage:
    python -m tests.support.telling DATABASE [PAUSE]

It prints the turn's id, then the seq of each event that it was shown.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from assistant import Assistant
from searchain.cancel import CancelToken
from searchain.events import Event, RunFinished
from searchain.settings import Settings
from searchain.types import Exchange, Status, Usage
from storage.database import Database
from tests.support.stories import nintendo


class Teller:
    """``story(question)``, ``pause`` seconds after each event; waits at event ``hold`` until it is told to go on."""

    def __init__(
        self, story: Callable[[str], Sequence[Event]] = nintendo, pause: float = 0.0, hold: int | None = None
    ) -> None:
        self.story, self.pause, self.hold = story, pause, hold
        self.go_on = threading.Event()
        self.histories: list[tuple[Exchange, ...]] = []

    def __call__(self, settings: Settings, index: str) -> Teller:
        return self

    def stream(
        self, question: str, *, history: Sequence[Exchange] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        self.histories.append(tuple(history))
        for number, event in enumerate(self.story(question)):
            while number == self.hold and not self.go_on.wait(0.01) and not cancel.is_set:
                pass
            time.sleep(self.pause)
            if cancel.is_set:
                yield RunFinished(status=Status.STOPPED, final_answer="", invented_markers=0, usage=Usage())
                return
            yield event


def main(path: str, pause: str = "0") -> None:
    assistant = Assistant(Database(path), Teller(pause=float(pause)), Settings())
    started = assistant.start("Where is Nintendo?")
    print(started.conversation, started.turn, flush=True)
    for stored in assistant.follow(started.turn):
        print(stored.seq, flush=True)
    assistant.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
