"""``import searchain`` offers the public names, and loads what a name needs only when it is used."""

import subprocess
import sys

import searchain

NAMES = set(
    "open_searchain open_checker Checker SearChain Settings Turn fold Passage Source Verdict Status Outcome "
    "Retriever Hit Reader Reading Span LanguageModel Abilities Message Usage verify Verified".split()
)


def test_every_public_name_is_found():
    assert set(searchain.__all__) == NAMES
    assert {getattr(searchain, name).__name__ for name in NAMES} == NAMES


def test_the_package_loads_only_what_is_asked_for():
    program = (
        "import sys; before = set(sys.modules); import searchain; "
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names); "
        "from searchain import *; print('torch' in sys.modules, fold.__module__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "searchain\nFalse searchain.events\n"
