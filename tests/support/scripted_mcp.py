"""The mcp command over a scripted model that also prints: all else is real.

Usage:
    python -m tests.support.scripted_mcp --db FILE
"""

from typing import Any

from assistant import Assistant
from tests.support import scripted_chat
from ui.cli.mcp import mcp


def open_assistant(**named: Any) -> Assistant:
    print("a library that greets on standard output", flush=True)
    return scripted_chat.open_assistant(**named)


def speak(messages):
    print("a model that thinks aloud", flush=True)
    return _speak(messages)


_speak, scripted_chat.speak = scripted_chat.speak, speak


if __name__ == "__main__":
    mcp(obj=open_assistant)
