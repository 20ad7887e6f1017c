"""The page docs/architecture.md, kept true: five storeys, what each room imports, and what is not loaded early."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lab.budgets.arrows import circle_in, imports, modules, reached_from, top
from lab.budgets.sources import STOREYS

ROOT = Path(__file__).parent.parent
HEAVY = set("torch transformers colbert faiss gradio openai xllamacpp datasets scipy pandas ray".split())
VALUES = {f"searchain.{n}" for n in "types errors events settings cancel safe_text secrecy turn_json version".split()}
ROW = re.compile(r"^\| `([a-z_.]+)` \| [^|]+ \|([^|]*)\|$", re.MULTILINE)
TAG = re.compile(r"</?[a-z][a-z0-9]*(\s[^<>]*)?>")


MODULES = modules(*STOREYS)
IMPORTS = {name: set(imports(file)) for name, file in MODULES.items()}
EARLY = {name: set(imports(file, only_early=True)) for name, file in MODULES.items()}


def room_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def arrows(storey: str) -> set[tuple[str, str]]:
    return {(name, other) for name, others in IMPORTS.items() if top(name) == storey for other in others}


def rooms() -> dict[str, list[str]]:
    """The rows of docs/architecture.md: a room, and the beginnings of what it may import."""
    table = {}
    for room, cell in ROW.findall((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")):
        if cell.strip() == "everything":
            table[room] = [*STOREYS[:-1]]
        else:
            table[room] = [full_name(name, top(room)) for name in re.findall(r"`([a-z_.]+)`", cell)]
    return table


def full_name(name: str, storey: str) -> str:
    return name if top(name) in STOREYS else f"{storey}.{name}"


@pytest.mark.parametrize(
    ("storey", "forbidden"),
    [
        ("searchain", "assistant storage ui lab gradio sqlite3 sqlite_utils"),
        ("storage", "assistant ui lab gradio click"),
        ("assistant", "ui lab gradio click"),
        ("ui", "lab sqlite3 sqlite_utils"),
    ],
)
def test_a_storey_knows_no_higher_one_and_no_library_of_another(storey, forbidden):
    assert {arrow for arrow in arrows(storey) if top(arrow[1]) in forbidden.split()} == set()


def test_one_module_of_the_method_knows_the_command_line():
    assert {room_of(name) for name, other in arrows("searchain") if top(other) == "click"} == {"searchain.console"}


def test_the_store_writes_no_html():
    found = {name for name, file in MODULES.items() if top(name) == "storage" and any(map(TAG.search, texts(file)))}
    assert found == set()


def test_one_door_leads_to_the_laboratory():
    """Nothing of the product imports ``lab``, and only the door writes its name."""
    below = {name: file for name, file in MODULES.items() if top(name) != "lab"}
    doors = {name for name, file in below.items() if any(re.match(r"lab(\.|$)", text) for text in texts(file))}
    assert doors == {"searchain.methods.laboratory"}


@pytest.mark.parametrize("room", sorted({room_of(name) for name in MODULES} - {"searchain", "storage", "ui", "lab"}))
def test_a_room_imports_what_its_row_says(room):
    allowed = rooms()[room]
    always = set() if top(room) == "searchain" else VALUES
    inner = {
        (name, other)
        for name, other in arrows(top(room))
        if room_of(name) == room and top(other) in STOREYS
        if room_of(other) != room and other not in always
    }
    assert {arrow for arrow in inner if not any(is_in(arrow[1], name) for name in allowed)} == set()
    unused = {name for name in allowed if not any(is_in(other, name) for _, other in inner)}
    assert unused == set(), f"the row of {room} names more than it imports"


def is_in(module: str, name: str) -> bool:
    return module == name or module.startswith(f"{name}.")


def test_rooms_and_modules_import_in_one_direction():
    graph: dict[str, set[str]] = {}
    for name, imported in IMPORTS.items():
        own = room_of(name)
        others = {room_of(other) for other in imported} & {room_of(other) for other in MODULES}
        graph.setdefault(own, set()).update(others - {own, "searchain", "storage", "ui", "lab"})
    assert circle_in(graph) == {}
    graph = {name: others & set(MODULES) for name, others in EARLY.items()}
    assert circle_in(graph) == {}


def test_every_room_says_what_it_is_for():
    for name, file in MODULES.items():
        if file.name == "__init__.py":
            about = ast.get_docstring(ast.parse(file.read_text())) or ""
            assert about.strip(), f"{name} has no docstring"


def test_few_files_lie_beside_the_rooms():
    loose = {storey: len([*(ROOT / storey).glob("*.py")]) - 1 for storey in ("searchain", "storage", "ui")}
    assert loose["searchain"] <= 11
    assert loose["storage"] <= 5
    assert loose["ui"] <= 2


@pytest.mark.parametrize(
    "module",
    sorted(name.removeprefix("searchain.") for name in MODULES if re.match(r"searchain\.(types|events)\b", name))
    + ["chain.parser", "chain.tree", "verification.judge", "reply.citations"],
)
def test_the_core_is_pure(module):
    """No file, network, model or clock."""
    outside = {"os", "pathlib", "socket", "subprocess", "threading", "time", "http", "urllib", "httpx", *HEAVY}
    found = IMPORTS[f"searchain.{module}"]
    assert {name for name in found if top(name) in outside} == set()


def test_the_pipeline_loads_only_protocols():
    """Nothing that the pipeline imports, at whatever distance, is a concrete model, retriever or heavy library."""
    reached = reached_from("searchain.pipeline", EARLY)
    assert {name for name in reached if top(name) in HEAVY} == set()
    concrete = {name for name in reached if name.startswith(("searchain.llm.", "searchain.retrieval."))}
    assert {name for name in concrete if not name.endswith(".base")} == set()


def test_what_answers_never_imports_colbert():
    """Only a program of its own does, which builds indexes."""
    indexer = "searchain.retrieval.plaid_indexer"
    assert {name for name, found in IMPORTS.items() if "colbert" in map(top, found)} == {indexer}
    assert {name for name, found in IMPORTS.items() if indexer in found} == set()


def texts(file: Path) -> list[str]:
    """All string constants but docstrings."""
    tree = ast.parse(file.read_text())
    about = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in about
    ]


def test_the_command_line_loads_nothing_heavy():
    script = f"import sys, assistant, ui.cli.main; print(*sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_checker_sees_what_it_should(tmp_path):
    file = tmp_path / "sample.py"
    file.write_text(
        "import a.b\nfrom c import d\nif TYPE_CHECKING:\n    import e\ndef f():\n    import g\n"
        "class H:\n    import i\ntry:\n    import j\nexcept ImportError:\n    pass\n"
        "if __name__ == '__main__':\n    import k\n"
    )
    assert set(imports(file)) == {"a.b", "c", "e", "g", "i", "j"}
    assert set(imports(file, only_early=True)) == {"a.b", "c", "i", "j"}
    assert circle_in({"a": {"b"}, "b": {"a"}, "c": set()}) == {"a": {"b"}, "b": {"a"}}
    assert TAG.search('<a href="x">')
    assert not TAG.search("a < b > c")
