"""What is imported is required, what is required is locked, and what is locked is what runs here."""

import ast
import re
import sys
from importlib.metadata import packages_distributions, requires, version
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from searchain.setup.pins import of_program

ROOT = Path(__file__).parents[1]
PIN = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[\w,]+\])?==([\w.!+]+)")
OWN = {
    *"assistant searchain storage ui tests lab examples".split(),
    *(file.stem for file in (ROOT / "tests").glob("*.py")),
}


def pins(name: str) -> dict[str, str]:
    """Package → version; every line of the file is a pin or a comment."""
    found = {}
    for line in (ROOT / name).read_text().splitlines():
        line = line.partition("#")[0].strip()
        if line:
            package, pinned = PIN.fullmatch(line).groups()
            found[normal(package)] = pinned
    return found


def normal(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def imported(*places: str) -> set[str]:
    files = [f for place in places for f in ([ROOT / place] if place.endswith(".py") else (ROOT / place).rglob("*.py"))]
    names = set()
    for node in (node for file in files for node in ast.walk(ast.parse(file.read_text()))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.partition(".")[0])
    return names - set(sys.stdlib_module_names) - OWN


def packages(modules: set[str]) -> set[str]:
    owners = packages_distributions()
    return {normal(owners[module][0]) if module in owners else module for module in modules}


RANGE = re.compile(r"([\w.-]+)>=([\d.]+),<(\d+)")


def ranges(file: str = "requirements.txt") -> dict[str, tuple[str, str]]:
    """Package → the first version of its range, and the first one behind it; every line is a range or a comment."""
    lines = [line for line in (ROOT / file).read_text().splitlines() if not line.startswith("#")]
    return {normal(name): (first, end) for name, first, end in (RANGE.fullmatch(line).groups() for line in lines)}


FILES = ("requirements-test.txt", "requirements-train.txt", "requirements-oidc.txt", "constraints.txt")


@pytest.mark.parametrize("name", FILES)
def test_every_pin_is_what_is_installed(name):
    expected = pins(name)
    assert expected
    assert {package: version(package).partition("+")[0] for package in expected} == expected


def test_a_range_begins_with_what_is_locked_and_ends_before_the_next_major_version():
    locked = pins("constraints.txt")
    assert set(ranges()) - set(locked) == {"pip"}  # the environment brings it
    found = {name: within for name, within in (ranges() | ranges("requirements-otel.txt")).items() if name != "pip"}
    assert found == {name: (locked[name], str(int(locked[name].split(".")[0]) + 1)) for name in found}


def test_what_is_called_by_its_name_is_required():
    """``searchain.setup.pip`` runs pip, which no import tells; an environment may lack it."""
    assert version("pip") in SpecifierSet(of_program()["pip"])


def test_what_the_program_imports_is_required():
    program = imported("assistant.py", "searchain", "storage", "ui") - {"opentelemetry"}  # several packages have it
    assert packages(program) - set(ranges()) == {"authlib"}  # which whoever uses a provider installs


def test_ray_is_pinned_apart_with_all_that_it_needs():
    apart = set(pins("requirements-scale.txt"))
    assert "ray" in apart
    assert apart & set(pins("constraints.txt")) == set()  # what both need has one pin
    pytest.importorskip("ray", reason="ray is not installed")
    assert {name: version(name).partition("+")[0] for name in apart} == pins("requirements-scale.txt")


def test_what_training_and_tests_import_is_pinned():
    pinned = set(ranges()) | set(pins("requirements-train.txt"))
    assert packages(imported("lab/training")) - pinned == set()
    used = imported("tests", "lab") - {"ray", "yaml", "opentelemetry"}  # the tests of Ray, which brings yaml
    assert packages(used) - pinned - set(pins("requirements-test.txt")) - set(pins("requirements-oidc.txt")) == set()


def test_all_that_the_pinned_packages_need_is_constrained():
    direct = {name for file in FILES if file != "constraints.txt" for name in pins(file)}
    needed, waiting = set(), [*direct, *ranges(), *ranges("requirements-otel.txt")]
    while waiting:
        package = waiting.pop()
        if package in needed:
            continue
        needed.add(package)
        for requirement in requires(package) or ():
            name, _, marker = requirement.partition(";")
            if not marker:  # with a marker it may be for another system
                waiting.append(normal(re.match(r"[\w.-]+", name)[0]))
    assert needed - set(pins("constraints.txt")) == {"pip"}


def test_the_desk_alone_requires_what_it_imports():
    places = ("searchain/annotation", "storage/annotation", "storage/people", "ui/desk", "ui/server", "ui/html.py")
    needed = packages(imported(*places) - {"opentelemetry"})
    # these are loaded by the chat, if at all
    assert needed - set(pins("requirements-annotate.txt")) == {"authlib", "httpx"}
