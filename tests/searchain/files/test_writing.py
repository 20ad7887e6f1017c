"""Files are written whole or not at all."""

import os
import stat

import pytest

from searchain.files.writing import write_whole


def fail(path):
    with write_whole(path) as draft:
        draft.write_text("half")
        raise LookupError


def test_the_file_changes_only_at_the_end(tmp_path):
    path = tmp_path / "facts.json"
    path.write_text("old")
    with write_whole(path) as draft:
        draft.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_the_umask_decides_who_may_read_it(tmp_path):
    before = os.umask(0o027)
    try:
        with write_whole(tmp_path / "facts.json") as draft:
            draft.write_text("new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "facts.json").stat().st_mode) == 0o640


def test_a_failure_leaves_everything_as_it_was(tmp_path):
    path = tmp_path / "facts.json"
    path.write_text("old")
    with pytest.raises(LookupError):
        fail(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
