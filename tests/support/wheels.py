"""Small wheels that pip can install."""

import zipfile
from pathlib import Path


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
