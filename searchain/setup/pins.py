"""Read which packages are needed, and in which versions.

A checkout locks what the program imports in constraints.txt. An installed program has ranges in its metadata.
"""

import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from searchain.files.checkout import IS_CHECKOUT, ROOT

Pins = Mapping[str, str]
"""Package → version, or a range of them such as ``>=2.1,<3``."""
_MISSING = "not installed"
_NEEDED = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?(?:==)?([^\s;#]+)")


def of_program() -> Pins:
    """Return the packages that the program imports: with locked versions in a checkout, else with ranges."""
    if not IS_CHECKOUT:
        return _pins([line for line in requires("searchain") or () if "extra ==" not in line])
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    locked = {canonicalize_name(name): pin for name, pin in _pins(lines).items()}
    needed = _pins((ROOT / "requirements.txt").read_text().splitlines())
    return {name: locked.get(canonicalize_name(name), pin) for name, pin in needed.items()}


def wrong(pins: Pins) -> list[str]:
    """Return one sentence for each package that is missing or has another version."""
    found = ((package, _version(package), pin) for package, pin in pins.items())
    return [f"{package} is {here} instead of {pin}" for package, here, pin in found if not _is_met(here, pin)]


def _pins(lines: list[str]) -> Pins:
    return {match[1]: match[2] for line in lines if (match := _NEEDED.match(line))}


def _is_met(found: str, needed: str) -> bool:
    """Return whether the version ``found`` is the one needed, or within the range."""
    is_range = needed[0] in "<>=!~"
    return SpecifierSet(needed).contains(found, prereleases=True) if is_range and found != _MISSING else found == needed


def _version(package: str) -> str:
    try:
        return version(package).partition("+")[0]
    except PackageNotFoundError:
        return _MISSING
