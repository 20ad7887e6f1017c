"""Small wheels that pip can install, and a folder of them in place of the package index."""

import hashlib
import os
import zipfile
from pathlib import Path

import pytest


def write_wheel(
    folder: Path, name: str, version: str, content: str = "", needs: str = "", data: dict[str, bytes] | None = None
) -> Path:
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + (
        f"Requires-Dist: {needs}\n" if needs else ""
    )
    files: dict[str, str | bytes] = {
        f"{name}/__init__.py": content,
        **{f"{name}/{file}": held for file, held in (data or {}).items()},
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(wheel, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    return wheel


def pin(folder: Path, name: str, version: str, data: dict[str, bytes]) -> str:
    """Write a wheel with ``data``; return its line for a requirements file, with its SHA-256."""
    wheel = write_wheel(folder, name, version, data=data)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return f"{name.replace('_', '-')}=={version} --hash=sha256:{digest}\n"


def only_from(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip find wheels in ``folder`` alone."""
    for name in list(os.environ):
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    for name, value in {"CONFIG_FILE": os.devnull, "NO_INDEX": "1", "FIND_LINKS": str(folder)}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
