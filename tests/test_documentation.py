"""README and docs: their size, their links, and that every command in them is one that the program understands."""

import ast
import importlib
import re
import shlex
from pathlib import Path

import click
import pytest

from lab import prompts
from ui.cli.main import cli

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MOST_LINES, MOST_WORDS = 120, 900
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`((?:python |make |searchain )[^`]+)`")
_LINK = re.compile(r"(?<!`)\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?\)")


def commands(page):
    """The shell commands of a page, each with continued lines joined and without its comment."""
    text = page.read_text()
    lines = []
    for language, block in _BLOCK.findall(text):
        if language in ("console", "sh", "bash", "shell", ""):
            lines += block.replace("\\\n", " ").splitlines()
    lines += _INLINE.findall(text)
    for line in lines:
        line = line.removeprefix("$ ").strip()
        if line.startswith(("python assistant.py", "searchain ", "python -m ", "make ", "make\n")):
            yield line


COMMANDS = [(page.name, line) for page in PAGES for line in dict.fromkeys(commands(page))]


def words_of(line):
    return [word for word in shlex.split(line.replace("…", ""), comments=True) if word]


def check_click(command, words, name):
    """Parse ``words`` as the command would, without running it; files need not exist."""
    context = click.Context(command, info_name=name)
    if isinstance(command, click.Group):
        if not words or words[0].startswith("-"):
            return
        found = command.get_command(context, words[0])
        assert found is not None, f"there is no command {words[0]!r}"
        check_click(found, words[1:], f"{name} {words[0]}")
        return
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"-h", "--help"}
    for word in words:
        if word.startswith("-") and len(word) > 1 and not re.fullmatch(r"-\d+", word):
            assert word.partition("=")[0] in known, f"{name} has no option {word}"


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=lambda value: value[:70])
def test_every_command(page, line):
    words = words_of(line)
    if words[:2] == ["python", "assistant.py"] or words[0] == "searchain":
        check_click(cli, words[2:] if words[0] == "python" else words[1:], "assistant.py")
    elif words[0] == "make":
        targets = re.findall(r"^([a-z-]+)(?: [a-z-]+)*:", (ROOT / "Makefile").read_text(), re.MULTILINE)
        known = set(targets) | set(re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.M)[0].split())
        named = [word for word in words[1:] if "=" not in word and re.fullmatch(r"[a-z-]+", word)][:1]
        assert set(named) <= known
    else:
        check_module(words[2], words[3:])


def check_module(name, words):
    if name.split(".")[0] not in ("searchain", "storage", "ui", "lab", "tests"):
        return
    file = ROOT / (name.replace(".", "/") + ".py")
    package = ROOT / name.replace(".", "/") / "__main__.py"
    assert file.is_file() or package.is_file(), f"there is no module {name}"
    source = (file if file.is_file() else package).read_text()
    if "click" in source:
        module = importlib.import_module(name if file.is_file() else f"{name}.__main__")
        main = getattr(module, "main", None)
        if isinstance(main, click.Command):
            check_click(main, words, name)
    else:
        ast.parse(source)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = re.sub(r"`[^`\n]*`", "", _BLOCK.sub("", page.read_text()))
    for target, anchor in _LINK.findall(text):
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), f"{page.name} links {target}"
        if anchor and file.suffix == ".md":
            heads = re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", head.casefold()).replace(" ", "-") for head in heads}
            assert anchor[1:] in slugs, f"{page.name} links {target}{anchor}"


def test_the_readme_is_short():
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) <= MOST_LINES
    assert sum(len(line.split()) for line in lines) <= MOST_WORDS
    assert max(map(len, lines)) <= 120


def test_every_page_is_in_the_site():
    site = (ROOT / "mkdocs.yml").read_text()
    missing = [page.name for page in PAGES[1:] if f": {page.name}" not in site]
    assert missing == []
    assert "nav:\n  - Home: index.md\n" in site  # the address of the site opens it


def test_each_promise_names_a_test_that_is_there():
    table = (ROOT / "docs" / "serving.md").read_text().partition("## What is durable when")[2]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    written = "".join(file.read_text() for file in (ROOT / "tests").rglob("test_*.py"))
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row)
        assert named, row
        assert [name for name in named if f"def {name}(" not in written] == [], row


SIZES = re.compile(r"\| \d+ \| [\d–]+ \|$", re.MULTILINE)


def test_the_page_is_up_to_date_except_for_the_counts():
    written = (prompts.DOCS / "prompts.md").read_text(encoding="utf-8")
    assert SIZES.sub("", written) == SIZES.sub("", prompts.page(len))
