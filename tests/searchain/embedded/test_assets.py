"""Files of packages and models are checked once."""

from pathlib import Path

import pytest

from searchain.embedded import assets


def test_a_file_is_read_once_by_whatever_link_it_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path / "home"))
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"weights")
    link.symlink_to(file)
    known = assets.sha256(file)
    assert assets.is_intact(file, known, "file")
    monkeypatch.delattr(assets, "sha256")
    assert assets.is_intact(link, known, "file")
    assert assets.is_intact(file, known, "file")
