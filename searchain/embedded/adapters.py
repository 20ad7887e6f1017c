"""Read and apply adapters: the changes by training to the embedded weights, one small file each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from searchain.errors import SetupError

if TYPE_CHECKING:
    from torch import Tensor


def read_adapter(file: Path) -> dict[str, Tensor]:
    """Return the tensors of ``file``, by name.

    Raises:
        SetupError: it is missing or damaged.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(file)
    except (OSError, SafetensorError) as error:
        what = "damaged" if file.is_file() else "missing"
        raise SetupError(f"{str(file)!r} is {what} ({error}); restore it from the repository") from error


def merged(state: dict[str, Tensor], adapter: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return ``state`` with the adapter applied, in float32.

    ``NAME.lora_A`` [r, in] and ``NAME.lora_B`` [out, r] add ``B @ A`` to ``NAME`` (Hu et al. 2021, the scale already in
    B); any other tensor replaces the one of its name or is added.
    """
    merged = dict(state)
    for name, tensor in adapter.items():
        if name.endswith(".lora_B"):
            continue
        if name.endswith(".lora_A"):
            target = name.removesuffix(".lora_A")
            merged[target] = merged[target] + adapter[f"{target}.lora_B"].float() @ tensor.float()
        else:
            merged[name] = tensor.float()
    return merged
