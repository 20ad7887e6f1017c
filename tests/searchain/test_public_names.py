"""What ``import searchain`` offers and loads; the examples of docs/library.md, run as they stand."""

import re
import subprocess
import sys
from pathlib import Path

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


PAGE = Path(__file__).parents[2] / "docs" / "library.md"


def test_the_examples_run(capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    names, printed, turns = {"__name__": "example"}, [], []
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), names)
        printed.append(capsys.readouterr().out)
        turns.append(names["turn"])
    own_retriever, own_reader, own_model = turns
    for turn in turns:
        assert turn.final_answer == "1874"
        assert [(one.number, one.passage.title, one.quote) for one in turn.sources] == [(1, "Larkspur Mill", "1874")]
        assert turn.probability is None
        assert turn.outcome != "supported"
    assert printed[0] == "1874 ['1874']\n"
    assert printed[2] == "Larkspur Mill was built in 1874 [1]. [(1, 'Larkspur Mill', '1874')]\n"
    assert (own_retriever.index, own_reader.index, own_model.index) == ("own", "own", "mine")
