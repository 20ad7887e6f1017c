"""Find ColBERT checkpoints, or make the embedded one from all-MiniLM-L6-v2.

MiniLM was trained for one vector per text, but late interaction of its token vectors ranks better than that vector.
Its projection to 128 dimensions keeps the directions in which token vectors of the embedded corpus vary most.
``[MASK]`` augmentation of queries is off (the tokenizer's mask token is ``[PAD]``): MiniLM never learned it. Training
the checkpoint further did not help (``docs/negative-results.md``).
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from searchain.embedded import assets
from searchain.embedded.minilm import minilm, minilm_weights
from searchain.errors import IndexMismatch, RetrievalError
from searchain.files.checkout import SET_UP
from searchain.files.home import home
from searchain.files.writing import make_once
from searchain.retrieval.corpus import DEFAULT

if TYPE_CHECKING:
    from torch import Tensor

    from searchain.retrieval.registry import Index

EMBEDDED = "embedded"
"""The name of the embedded checkpoint wherever a checkpoint is named."""
RECIPE = 1
"""The version of ``write``. Raise it with every change there: indexes of older checkpoints then no longer match."""
SAMPLE = 512
"""The number of passages from which the projection is computed (about 50,000 token vectors)."""
_FILES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
"""The files of the embedded checkpoint that say how it is used."""
METADATA = _FILES["artifact.metadata"]


def embedded_checkpoint() -> Path:
    """Return the directory of the embedded checkpoint under the project's home; make it on first use.

    Raises ``SetupError`` if the base weights or the embedded corpus are missing or damaged.
    """
    return make_once(home() / "models" / f"colbert-{_digest()}", write)


def find(name: str) -> Path:
    """Return the directory of the checkpoint ``name``: ``embedded``, a local directory or a Hugging Face hub name.

    Raises ``RetrievalError`` if there is no such checkpoint, or the hub cannot be reached.
    """
    if name == EMBEDDED:
        return embedded_checkpoint()
    directory = Path(name).expanduser()
    if not directory.is_dir():
        directory = _download(name)
    _check(directory, name)
    return directory.resolve()


def fingerprint(directory: Path) -> str:
    """Return the checkpoint's fingerprint, which an index stores: a hash of its files, as 16 hexadecimal digits."""
    recipe = directory / "fingerprint"
    if recipe.is_file():  # the embedded one: named by what it is made from, as rounding may differ between machines
        return recipe.read_text()
    digest = hashlib.sha256()
    for path in sorted(directory.iterdir()):
        if path.suffix in (".safetensors", ".bin", ".json", ".txt", ".metadata") and path.is_file():
            digest.update(f"{path.name} {assets.sha256(path)}\n".encode())
    return digest.hexdigest()[:16]


def _download(name: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, RepositoryNotFoundError

    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "*.txt", "*.metadata", "*.safetensors", "*.bin"]))
    except HFValidationError:
        raise RetrievalError(f"no ColBERT checkpoint at {name!r}: neither a directory nor a name on the hub") from None
    except RepositoryNotFoundError:
        raise RetrievalError(f"the hub has no checkpoint {name!r}; check the name or give a local directory") from None
    except OSError as error:  # all of the hub client's network errors are
        raise RetrievalError(
            f"checkpoint {name!r} is no local directory and the hub cannot be reached; "
            "download it elsewhere and give its directory"
        ) from error


def _check(directory: Path, name: str) -> None:
    for needed in ("artifact.metadata", "config.json"):
        if not (directory / needed).is_file():
            raise RetrievalError(f"{name!r} is not a ColBERT checkpoint: it has no {needed}")
    if "auto_map" in json.loads((directory / "config.json").read_text()):
        raise RetrievalError(f"checkpoint {name!r} would run its own code; only plain BERT-like checkpoints are loaded")


def write(directory: Path) -> None:
    """Write the embedded checkpoint into ``directory``, which must not exist. Raises as ``embedded_checkpoint``."""
    from safetensors.torch import save_file

    directory.mkdir(parents=True)
    config = json.loads(assets.find(assets.MINILM_CONFIG).read_text())
    config.pop("_name_or_path")
    (directory / "config.json").write_text(json.dumps(config | {"architectures": ["HF_ColBERT"]}, indent=2))
    shutil.copy(assets.find(assets.MINILM_TOKENIZER), directory)
    for name, facts in _FILES.items():
        (directory / name).write_text(json.dumps(facts, indent=2))
    weights = {f"bert.{name}": tensor for name, tensor in minilm_weights().items()}
    weights["linear.weight"] = _projection(directory)
    save_file(weights, directory / "model.safetensors", metadata={"format": "pt"})
    (directory / "fingerprint").write_text(_digest())


def _digest() -> str:
    """Return the fingerprint of the embedded checkpoint: a hash of its recipe and inputs, 16 hexadecimal digits."""
    made_from = assets.MINILM_WEIGHTS, assets.MINILM_TOKENIZER, assets.WIKIPEDIA_LEADS
    inputs = [RECIPE, SAMPLE, METADATA, *(one.sha256 for one in made_from)]
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:16]


def _projection(directory: Path) -> Tensor:
    """Return the top principal directions of token vectors in a sample of the embedded corpus: [dim, hidden]."""
    import torch
    from transformers import AutoTokenizer

    from searchain.retrieval.corpus import default_corpus
    from searchain.retrieval.encoder import encoded_text

    passages = default_corpus()
    sample = passages[:: len(passages) // SAMPLE][:SAMPLE]
    texts = sorted(map(encoded_text, sample), key=len)
    tokenizer = AutoTokenizer.from_pretrained(directory)
    model = minilm()
    moment = torch.zeros(1, 1, dtype=torch.float64)
    with torch.inference_mode():
        for start in range(0, len(texts), 32):
            batch = tokenizer(
                texts[start : start + 32],
                padding=True,
                truncation=True,
                max_length=METADATA["doc_maxlen"],
                return_tensors="pt",
            )
            vectors = model(batch["input_ids"], batch["attention_mask"])[batch["attention_mask"].bool()].double()
            moment = moment + vectors.T @ vectors
    directions = torch.linalg.eigh(moment).eigenvectors.flip(-1)[:, : METADATA["dim"]].T
    # An eigenvector has no sign of its own: its largest component is made positive.
    signs = directions.gather(1, directions.abs().argmax(1, keepdim=True)).sign()
    return (directions * signs).float().contiguous()


def of_index(index: Index) -> Path:
    """Return the checkpoint that made ``index``. Raises ``IndexMismatch`` if the checkpoint has changed since."""
    directory = find(index.checkpoint)
    if fingerprint(directory) != index.fingerprint:
        build = f"python assistant.py index build {' '.join(index.sources)} --name {index.name}"
        again = SET_UP if index.name == DEFAULT else build
        raise IndexMismatch(
            f"index {index.name!r} was made with another checkpoint than the present {index.checkpoint!r}",
            hint=f"build it again: {again}",
        )
    return directory
