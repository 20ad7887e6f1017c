"""The page's style sheets and scripts, one file per part of the page.

Sheets are joined in the order of their names. Each script is a separate block, so that an error in it does not stop the
others. They run once, when the parts of the page exist, with Gradio's ``element``, ``watch`` and ``trigger``. Events
are handled at the document, because Gradio renders messages and cards again while a reply streams.
"""

from pathlib import Path

_HERE = Path(__file__).parent


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


HEAD = _read("head.html").replace("PRINT", _read("print.css"))
"""Runs before the page is shown. It has the sheet for paper, keeps the room of parts that Gradio adds late, hides the
welcome if a conversation is being opened, and restores the width of the columns.
"""
_PARTS = "#nav, #check, #settings, #chat, #question textarea, #evidence-panel, #split"
"""The parts that the scripts need; Gradio mounts them one by one in no certain order."""
_WHEN_THERE = """const start = () => {
%s
document.documentElement.dataset.scripts = 'run';
};
const isThere = () => document.querySelectorAll('%s').length === %d;
if (isThere()) start();
else {
  const waiting = new MutationObserver(() => {
    if (!isThere()) return;
    waiting.disconnect();
    start();
  });
  waiting.observe(document.body, { subtree: true, childList: true });
}"""


def style() -> str:
    """Return the page's style sheet."""
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(_HERE.glob("[0-9]*.css")))


def script() -> str:
    """Return the script that the page runs when it is mounted."""
    blocks = "\n".join(
        f"try {{\n{file.read_text(encoding='utf-8')}}} catch (error) {{ reportError(error) }}"
        for file in sorted(_HERE.glob("*.js"))
    )
    return _WHEN_THERE % (blocks, _PARTS, _PARTS.count("#"))
