"""Which packages are needed, and at which versions.

A checkout has requirements files. An installed program has their pins in its metadata. The packages with models and
corpus are pinned in this folder for both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, requires, version

from searchain.files.checkout import IS_CHECKOUT, ROOT
from searchain.setup.pip import DATA_FILE

Pins = Mapping[str, str]
"""Package → version."""
_PIN = re.compile(r"([\w.-]+)==([^\s;]+)")


def of_program() -> Pins:
    """Return what the program imports."""
    return _pins((ROOT / "requirements.txt").read_text().splitlines() if IS_CHECKOUT else _stated(""))


def of_tests() -> Pins:
    """Return what the tests need besides."""
    files = ("requirements-train.txt", "requirements-test.txt")
    return _pins(
        [line for file in files for line in (ROOT / file).read_text().splitlines()] if IS_CHECKOUT else _stated("test")
    )


def of_data() -> Pins:
    """Return the packages with models and corpus."""
    return _pins(DATA_FILE.read_text().splitlines())


def wrong(pins: Pins) -> list[str]:
    """Say of each package that is missing, or has another version, what it is instead."""
    found = {package: _version(package) for package in pins}
    return [
        f"{package} is {found[package]} instead of {pins[package]}"
        for package in pins
        if found[package] != pins[package]
    ]


def _pins(lines: list[str]) -> Pins:
    return {match[1]: match[2] for line in lines if (match := _PIN.match(line))}


def _stated(extra: str) -> list[str]:
    """Return the requirements of one extra of the installed program, or those that belong to none."""
    split = [line.partition("extra == ") for line in requires("searchain") or ()]
    return [needed for needed, _, named in split if named.strip("\"'") == extra]


def _version(package: str) -> str:
    try:
        return version(package).partition("+")[0]
    except PackageNotFoundError:
        return "not installed"
