"""Files of packages and models are checked once."""

from pathlib import Path

import pytest

from searchain.embedded import assets


def test_a_file_is_read_once_by_whatever_way_it_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path / "home"))
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"weights")
    link.symlink_to(file)
    known = assets.sha256(file)
    assert assets.is_intact(file, known, "file")
    monkeypatch.delattr(assets, "sha256")
    assert assets.is_intact(link, known, "file")
    # nor is one whose home was moved
    monkeypatch.setenv("SEARCHAIN_HOME", str((tmp_path / "home").rename(tmp_path / "moved")))
    assert assets.is_intact(file.rename(tmp_path / "moved" / "file"), known, "file")


def test_a_home_that_cannot_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    (tmp_path / "checked").touch()  # so that no stamp can be written, whoever runs the test
    (tmp_path / "file").write_bytes(b"weights")
    assert assets.is_intact(tmp_path / "file", assets.sha256(tmp_path / "file"), "file")
