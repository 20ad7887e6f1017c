"""Plain English in docstrings, help texts, the page and the docs: phrases that must be read twice do not come back."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1]
RIDDLES = {
    "say who says it to whom, or what is shown": r"\btold\b(?! apart)",
    "write 'is not a …', or what is wrong with it": r"(?<!there )(?<!There )\b(?:is|are|was|were) none\b(?! of)",
    "write 'is not a …'": r"(?<![Tt]here )\b(?:is|are) no (?!longer|more|such|need|better|\w+ than)\w+",
    "say what it says, supports or gives": r"\bwhat\b[^.;:]{0,40}\bmakes? of\b",
    "write 'depends on', or 'its parent'": r"\bhangs? (?:on|together)\b",
    "write 'correct' or 'replace'": r"\bmend(?:s|ed|ing)?\b",
    "write 'per'": r"\b(?:one|a) (?:row|line|object|file|process) a (?:turn|line|node|row|conversation|collection|question)\b",
}
FILES = [file for place in ("searchain", "storage", "ui", "lab") for file in sorted((ROOT / place).rglob("*.py"))]
FILES.append(ROOT / "assistant.py")
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
TEMPLATES = [file for file in sorted((ROOT / "ui").rglob("*.html"))]
SCRIPTS = sorted(file for kind in ("*.js", "*.css") for file in (ROOT / "ui").rglob(kind))
COMMENT = re.compile(r"(?<![:'\"`])//[^\n]*|/\*.*?\*/", re.DOTALL)
COLUMNS = re.compile(r"^\| mends? \|", re.MULTILINE)  # docs/schema.md: the name of a column


def docstrings(tree: ast.Module) -> Iterator[str]:
    """The docstrings of a module, also those below attributes, without their examples."""
    for node in ast.walk(tree):
        for statement in node.body if isinstance(getattr(node, "body", None), list) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield re.sub(r"^ *(>>>|\.\.\.) .*\n(.*\n)?", "", text, flags=re.MULTILINE)


def help_texts(tree: ast.Module) -> Iterator[str]:
    """The help of commands and options."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in ("help", "short_help", "epilog"):
            parts = (part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant))
            yield "".join(part for part in parts if isinstance(part, str))


def riddles(text: str) -> list[str]:
    found = []
    for advice, pattern in RIDDLES.items():
        for match in re.finditer(pattern, text):
            around = " ".join(text[max(0, match.start() - 40) : match.end() + 20].split())
            found.append(f"…{around}… ({advice})")
    return found


@pytest.mark.parametrize("folder", sorted({f.parent for f in FILES}), ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings_and_help_are_plain(folder):
    found = []
    for file in FILES:
        if file.parent == folder:
            tree = ast.parse(file.read_text())
            for text in (*docstrings(tree), *help_texts(tree)):
                found += [f"{file.name}: {riddle}" for riddle in riddles(text)]
    assert found == []


@pytest.mark.parametrize("file", [*PAGES, *TEMPLATES], ids=lambda path: path.name)
def test_pages_are_plain(file):
    text = re.sub(r"```.*?```|`[^`\n]*`|\{\{.*?\}\}|\{%.*?%\}", " ", file.read_text(), flags=re.DOTALL)
    assert riddles(COLUMNS.sub("", text)) == []


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda path: path.name)
def test_comments_of_scripts_and_styles_are_plain(file):
    comments = COMMENT.findall(file.read_text())
    assert [riddle for comment in comments for riddle in riddles(comment)] == []


def test_the_words_of_the_pages_are_plain():
    with next((ROOT / "ui" / "locale").glob("*.po")).open("rb") as lines:  # test_translation: each has all of them
        texts = [message.id if isinstance(message.id, str) else " ".join(message.id) for message in read_po(lines)]
    assert [riddle for text in texts for riddle in riddles(text)] == []


def test_the_list_finds_what_it_is_for():
    for text in ("the model was told", "a line that is none", "what a passage makes of it", "an ID is no secret"):
        assert riddles(text)
    for text in ("None when there is none", "there is no index", "one row per turn", "it is no longer there"):
        assert riddles(text) == []
