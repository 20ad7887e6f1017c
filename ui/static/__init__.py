"""The page's style sheets and scripts, one file per part of the page.

Sheets are joined in the order of their names. Each script is a block of its own, run once when the page is mounted,
with Gradio's ``element``, ``watch`` and ``trigger``. All is delegated from the document, because Gradio renders
messages and cards again while a reply streams.
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def style() -> str:
    """The page's style sheet."""
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(_HERE.glob("*.css")))


def script() -> str:
    """What the page runs when it is mounted."""
    return "\n".join(f"{{\n{file.read_text(encoding='utf-8')}}}" for file in sorted(_HERE.glob("*.js")))
