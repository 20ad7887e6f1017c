"""``index from-dataset`` as it is typed."""

import pytest

from tests.support.shell import told as run


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        ('["Kyoto is on Honshu."]', "cities", "error: record 1 of 'hotpot.json' has not the form of "),
        ('[{"context": {"title": ["Kyoto"]}}]', "cities", "error: record 1 of 'hotpot.json' has not the form of "),
        ('[{"context": [["Kyoto", ["Kyoto is on Honshu."]]]}]', "a/b", "error: 'a/b' is no index name; a name has "),
    ],
)
def test_a_data_set_that_cannot_be_indexed_is_one_line(index_home, tmp_path, content, name, says):
    file = tmp_path / "hotpot.json"
    file.write_text(content)
    status, out, err = run("index", "from-dataset", file, "--name", name)
    assert (status, out, err.count("\n"), err[: len(says)]) == (2, "", 1, says)
