"""The page's style sheets and scripts, one file per part of the page.

Sheets are joined in the order of their names. Each script is a separate block, so that an error in it does not stop the
others. They run once, when the parts of the page exist, with Gradio's ``element``, ``watch`` and ``trigger``. Events
are handled at the document, because Gradio renders messages and cards again while a reply streams.
"""

from pathlib import Path

_HERE = Path(__file__).parent
HEAD = f"""<style media="print">{(_HERE / "print.css").read_text(encoding="utf-8")}</style>
<style>
  @media (min-width: 1100px) {{ html:not(.nav-folded) #columns:not(:has(#nav-panel)) {{ padding-left: 272px }} }}
  @media (max-width: 860px) {{ #chat-column:not(:has(#about-panel)) {{ padding-bottom: 37px }} }}
</style>
<script>
  document.documentElement.classList.toggle('is-opening', new URLSearchParams(location.search).has('c'));
  try {{
    const split = Number(localStorage.getItem('searchain-split'));
    if (split) document.documentElement.style.setProperty('--split', split);
    const isFolded = localStorage.getItem('searchain-side') === 'folded' && matchMedia('(min-width: 861px)').matches;
    document.documentElement.classList.toggle('side-folded', isFolded);
  }} catch {{ /* a browser that keeps nothing shows the sources in their usual width */ }}
</script>"""
"""Runs before the page is shown. It has the sheet for paper, keeps the room of parts that Gradio adds late, hides the
welcome if a conversation
is being opened, and restores the width of the columns.
"""
_PARTS = "#nav, #settings, #chat, #question textarea, #evidence-panel, #split"
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
