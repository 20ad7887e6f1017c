"""The picture in docs/architecture.md, kept true: who may import whom, and what may not be loaded early."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = [
    ROOT / "assistant.py",
    *(file for folder in ("searchain", "storage", "ui") for file in sorted((ROOT / folder).rglob("*.py"))),
]
HEAVY = {"torch", "transformers", "colbert", "faiss", "gradio", "openai", "xllamacpp", "datasets", "scipy", "pandas"}


def name_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file: Path, *, only_early: bool = False) -> Iterator[str]:
    """The modules that ``file`` imports; ``only_early``: those that importing the file loads."""
    waiting: list[ast.AST] = [ast.parse(file.read_text())]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                for alias in names:
                    inner = f"{module}.{alias.name}"
                    yield inner if (ROOT / inner.replace(".", "/")).with_suffix(".py").is_file() else module
            case ast.ImportFrom():
                raise AssertionError(f"{file}: relative import")
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.FunctionDef() if only_early:
                continue
        waiting.extend(ast.iter_child_nodes(node))


def top(module: str) -> str:
    return module.partition(".")[0]


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("searchain", {"assistant", "storage", "ui", "gradio", "sqlite3", "sqlite_utils"}),
        ("storage", {"assistant", "ui", "gradio"}),
        ("ui", {"assistant", "sqlite3", "sqlite_utils"}),
    ],
)
def test_dependencies_point_one_way(folder, forbidden):
    found = {
        (name_of(file), module)
        for file in SOURCES
        if file.is_relative_to(ROOT / folder)
        for module in imports(file)
        if top(module) in forbidden
    }
    assert found == set()


def test_storage_knows_only_the_values_of_the_method():
    allowed = {
        "searchain.types",
        "searchain.events",
        "searchain.errors",
        "searchain.cancel",
        "searchain.files.home",
        "ui.cli.options",
        "searchain.console",
        "ui.show.terminal",
        "searchain.turn_json",
        "ui.show.labels",
        "ui.show.tree_order",
        "searchain.safe_text",
        "searchain.language.text",
        "storage.transfer.other_systems",
        "searchain.files.writing",
        "searchain.annotation.protocol",
        "searchain.annotation.payloads",
        "searchain.annotation.labels",
        "searchain.annotation.practice",
        "searchain.annotation.covering",
        "searchain.annotation.agreement",
        "searchain.annotation.estimates",
        "searchain.annotation.measures",
        "searchain.annotation.reliability",
        "searchain.annotation.units",
    }
    found = {
        (name_of(file), module)
        for file in SOURCES
        if file.is_relative_to(ROOT / "storage")
        for module in imports(file)
        if top(module) == "searchain"
    }
    assert {pair for pair in found if pair[1] not in allowed} == set()


@pytest.mark.parametrize("module", ["types", "events", "chain", "tree", "verification", "citations", "tracing"])
def test_the_core_is_pure(module):
    """types ← events ← chain, tree, verification, tracing ← pipeline: no file, network, model or clock below the pipeline."""
    above = {
        "searchain.pipeline",
        "searchain.chain.round",
        "searchain.chain.dialogue",
        "searchain.reading.lookup",
        "searchain.reading.reader",
    }
    outside = {"os", "pathlib", "socket", "subprocess", "threading", "time", "http", "urllib", "httpx", *HEAVY}
    file = ROOT / "searchain" / f"{module}.py"
    found = set(imports(file))
    assert {
        name
        for name in found
        if name in above or name.startswith(("searchain.llm", "searchain.retrieval")) or top(name) in outside
    } == set()


def test_the_pipeline_sees_only_protocols():
    """Nothing that the pipeline imports, at whatever distance, is a concrete model, retriever or heavy library."""
    reached = reachable("searchain.pipeline")
    assert {name for name in reached if top(name) in HEAVY} == set()
    assert {
        name
        for name in reached
        if name.startswith(("searchain.llm.", "searchain.retrieval.")) and not name.endswith(".base")
    } == set()


def reachable(module: str) -> set[str]:
    """What importing ``module`` loads, as far as the sources of this project tell."""
    files = {name_of(file): file for file in SOURCES}
    seen, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            if name in files:
                waiting.extend(imports(files[name], only_early=True))
    return seen


def test_nothing_imports_the_assistant():
    assert [name_of(file) for file in SOURCES if "assistant" in set(imports(file))] == []


def test_no_module_imports_itself_in_a_circle():
    files = {name_of(file): file for file in SOURCES}
    graph = {
        name: {other for other in imports(file, only_early=True) if other in files} for name, file in files.items()
    }
    while free := {name for name, needed in graph.items() if not needed}:
        graph = {name: needed - free for name, needed in graph.items() if name not in free}
    assert graph == {}


def test_the_command_line_loads_nothing_heavy():
    script = f"import sys, assistant; print(*sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_help_loads_nothing_heavy():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "assistant.py", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {
        top(line.rpartition("|")[2].strip()) for line in done.stderr.splitlines() if line.startswith("import time:")
    }
    assert "click" in loaded
    assert loaded & HEAVY == set()
    assert "ask" in done.stdout


def test_the_checker_sees_what_it_should(tmp_path):
    file = tmp_path / "sample.py"
    file.write_text(
        "import a.b\nfrom c import d\nif TYPE_CHECKING:\n    import e\ndef f():\n    import g\n"
        "class H:\n    import i\ntry:\n    import j\nexcept ImportError:\n    pass\n"
    )
    assert set(imports(file)) == {"a.b", "c", "e", "g", "i", "j"}
    assert set(imports(file, only_early=True)) == {"a.b", "c", "i", "j"}
