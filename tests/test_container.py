"""deploy/Dockerfile: what it copies and calls is there and is enough. Docker itself is not needed."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import click
import pytest

from searchain.files.checkout import IS_CHECKOUT
from ui.cli.chat import chat
from ui.cli.main import cli
from ui.page.careful import READY

ROOT = Path(__file__).parents[1]
FILE = ROOT / "deploy" / "Dockerfile"
TEXT = re.sub(r"^#.*\n", "", FILE.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
STEPS = [line.split(maxsplit=1) for line in TEXT.splitlines() if line.strip()]


def of(kind: str) -> list[str]:
    return [rest for name, rest in STEPS if name == kind]


def copied() -> set[str]:
    """What comes into the image: files and folders of the project."""
    names = set()
    for line in of("COPY"):
        *sources, _ = [word for word in line.split() if not word.startswith("--")]
        names |= set(sources)
    return names


def test_what_is_copied_is_there_and_is_enough():
    assert IS_CHECKOUT
    assert [name for name in copied() if not (ROOT / name).exists()] == []
    packages = {"searchain", "storage", "ui", "prompts", "assistant.py", "Makefile", "pyproject.toml"}
    assert packages <= copied()
    read = re.findall(r'"(requirements[\w-]*\.txt)"', (ROOT / "pyproject.toml").read_text())
    assert set(read) | {"constraints.txt", "README.md", "LICENSE"} <= copied()
    assert [name for name in copied() if is_ignored(name)] == []


def is_ignored(name: str) -> bool:
    """Whether Docker is not given the file: the last line that fits it decides."""
    lines = (FILE.parent / "Dockerfile.dockerignore").read_text().split()
    fitting = [line for line in lines if fnmatch(name, line.lstrip("!"))]
    return bool(fitting) and not fitting[-1].startswith("!")


def image(folder: Path) -> Path:
    """Put exactly what comes into the image into ``folder``."""
    for line in of("COPY"):
        *sources, target = [word for word in line.split() if not word.startswith("--")]
        for name in sources:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                (folder / target).mkdir(exist_ok=True)
                shutil.copy(ROOT / name, folder / target)
    return folder


def test_what_is_copied_can_install_and_set_up(tmp_path):
    assert {"lab/__init__.py", "lab/install.py"} <= copied()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for words in (["-m", "lab.install", "--help"], ["-c", "import searchain.setup.__main__ as it; print(it.__file__)"]):
        folder = image(tmp_path / words[0])
        done = subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path))


def test_it_is_set_up_as_any_machine_is_and_not_by_root():
    (make,) = [line for line in of("RUN") if " make " in f" {line} " and "apt-get" not in line]
    assert "make setup TORCH_INDEX=" in make
    assert re.search(r"^setup:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    order = [name for name, _ in STEPS]
    user = order.index("USER")
    assert of("USER") == ["searchain"]
    assert "useradd --create-home --uid 1000 searchain" in TEXT[: TEXT.index("USER searchain")]
    assert [rest for name, rest in STEPS[:user] if name == "RUN" and "make setup" in rest] == []
    assert of("ENV") == ["SEARCHAIN_HOME=/data SEARCHAIN_LOG=json"]
    assert of("VOLUME") == ["/data"]
    assert "/data" in TEXT[: TEXT.index("USER searchain")]  # else it would be root's


def test_it_starts_the_chat_and_asks_how_it_is():
    (command,) = map(json.loads, of("CMD"))
    found = cli.get_command(click.Context(cli), command[0])
    assert found is chat
    given = chat.make_context("chat", command[1:]).params
    assert (given["host"], given["port"]) == ("0.0.0.0", int(of("EXPOSE")[0]))
    (health,) = of("HEALTHCHECK")
    assert f"http://127.0.0.1:{given['port']}{READY}" in json.loads(health.partition("CMD")[2])[2]


@pytest.mark.parametrize("words", [["chat", "--host", "0.0.0.0"], ["user", "add", "ann b"]])
def test_before_the_chat_it_fetches_what_an_older_volume_lacks(tmp_path, words):
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nprintf "%s|" "$@"; echo\n')
    python.chmod(0o755)
    (entry,) = map(json.loads, of("ENTRYPOINT"))
    done = subprocess.run([*entry, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
    first = ["-m|searchain.setup|--quick|"] if words[0] == "chat" else []
    assert done.stdout.splitlines() == [*first, "".join(f"{word}|" for word in ("assistant.py", *words))]
    assert (ROOT / "assistant.py").is_file()


def test_the_commands_of_its_page_are_commands():
    page = (ROOT / "docs" / "container.md").read_text()
    lines = re.findall(r"^docker .*$", page, re.MULTILINE)
    assert any("-f deploy/Dockerfile" in line for line in lines)
    for line in lines:
        words = shlex.split(line, comments=True)
        after_image = words[len(words) - words[::-1].index("searchain") :]
        if words[1] == "run" and after_image:
            assert cli.get_command(click.Context(cli), after_image[0]) is not None
