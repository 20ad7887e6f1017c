"""Access the laboratory: the package ``lab``, which is in a checkout but not in the product's wheel.

No other module of the product uses it. Its wheel, ``searchain-lab``, is built from the folder ``lab/``.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from searchain.errors import UsageError

GET = "in a checkout run: pip install ./lab"
"""How to get the laboratory."""


def is_here() -> bool:
    """Return whether the laboratory can be imported. Another package that is called ``lab`` is not taken for it."""
    found = find_spec("lab")
    return found is not None and found.origin is not None and Path(found.origin).with_name("systems").is_dir()


def check(wanted: str) -> None:
    """Raise ``UsageError`` when the laboratory is not here; it says what was ``wanted``, and how to get it."""
    if not is_here():
        raise UsageError(f"{wanted} belongs to the laboratory, which is not installed; {GET}")


def load(name: str) -> ModuleType:
    """Import the laboratory's module ``name``, such as ``systems.base``, where the laboratory is."""
    return import_module(f"lab.{name}")
