"""The chat command over a scripted model, a toy corpus and a toy Reader: all else is real.

Usage:
    python -m tests.support.scripted_chat --port 7861 --db FILE
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assistant import Assistant
from lab.scripted.model import ScriptedModel
from searchain.settings import Settings
from searchain.types import Message
from storage.database import Database
from tests.support.fakes import CITY, ISLAND, runs_of
from ui.cli.chat import chat

DELAY = 0.02  # seconds a token: about the pace of a small model


def speak(messages: Sequence[Message]) -> str:
    """First a chain that is wrong about the city; once its passages are shown, the mended one and the reply with keys."""
    is_later = any(message.role == "assistant" for message in messages)
    shown = "\n".join(message.content for message in messages)
    keys = {title: key for key, title in re.findall(r"^\[(k\d+)\] (\w+):", shown, re.MULTILINE)}
    if is_later and {"Nintendo", "Kyoto"} <= set(keys):
        city, island = keys["Nintendo"], keys["Kyoto"]
        return (
            f"[Query 1]: {CITY}\n[Answer 1]: Kyoto [{city}]\n[Query 2]: {ISLAND}\n[Answer 2]: Honshu [{island}]\n"
            f"[Answer]: Honshu\n[Final Content]: Nintendo has its headquarters in Kyoto [{city}]. "
            f"Kyoto lies on the island of Honshu [{island}]. Sega sits elsewhere."
        )
    return f"[Query 1]: {CITY}\n[Answer 1]: Osaka\n[Query 2]: On which Japanese island is Osaka?\n[Answer 2]: Honshu\n"


def open_assistant(*, db: Path, **named: Any) -> Assistant:
    model = ScriptedModel(speak, name="a scripted model", delay=DELAY)
    return Assistant(Database(db), runs_of(model), Settings())


if __name__ == "__main__":
    chat(obj=open_assistant)
