"""The examples of docs/library.md, run as they stand; the first two with the embedded model and Reader."""

import re
from pathlib import Path

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
