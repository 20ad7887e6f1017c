"""The page's style sheets and scripts, one file per part of the page.

Sheets are joined in the order of their names. Each script is a block of its own, whose failure leaves the others; all
are run once, when the parts of the page are there, with Gradio's ``element``, ``watch`` and ``trigger``. All is
delegated from the document, because Gradio renders messages and cards again while a reply streams.
"""

from __future__ import annotations

from pathlib import Path

HEAD = """<script>
  document.documentElement.classList.toggle('is-opening', new URLSearchParams(location.search).has('c'));
</script>"""
"""Tells the style sheet that a conversation is being opened, before the page is shown: its welcome would flash up."""
_HERE = Path(__file__).parent
_PARTS = "#nav, #settings, #chat, #question textarea, #evidence-panel"
"""Gradio mounts them one by one, in no certain order."""
_WHEN_THERE = """const start = () => {
%s
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
    """The page's style sheet."""
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(_HERE.glob("*.css")))


def script() -> str:
    """What the page runs when it is mounted."""
    blocks = "\n".join(
        f"try {{\n{file.read_text(encoding='utf-8')}}} catch (error) {{ reportError(error) }}"
        for file in sorted(_HERE.glob("*.js"))
    )
    return _WHEN_THERE % (blocks, _PARTS, _PARTS.count("#"))
