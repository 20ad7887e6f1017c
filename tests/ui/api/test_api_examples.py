"""The examples of docs/api.md, against a served page."""

import re
from pathlib import Path

from tests.support.api_site import told
from tests.support.story_runs import StoryPlayer

EXAMPLES = re.findall(
    r"```python\n(.*?)```", (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8"), re.DOTALL
)
GIVEN = 'url, token = "http://127.0.0.1:7860/", "sc-…"\n'


def test_the_examples_of_the_documentation_run(tmp_path: Path, capsys):
    assert EXAMPLES[0] == GIVEN
    assert len(EXAMPLES) == 4
    for site in told(tmp_path, StoryPlayer(), exports=True):
        names = {"url": site.url, "token": site.token}
        for example in EXAMPLES[1:]:
            exec(example, names)
    said = capsys.readouterr().out
    for part in (
        "Nintendo has its headquarters in Kyoto [1].",
        "https://en.wikipedia.org/wiki/Nintendo",
        "url_citation Nintendo [1]\n",
        "[^",
    ):
        assert part in said
