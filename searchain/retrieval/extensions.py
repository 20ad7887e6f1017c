"""Compile colbert's four C++ extensions once per machine, and import them as shared libraries.

``torch.utils.cpp_extension.load`` would run ninja in every process and wait for ever on the lock of a killed compile.
Here each library is compiled in a scratch directory under a lock that dies with its process, and moved into place.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from pathlib import Path
from types import ModuleType

from filelock import FileLock

from searchain.errors import SetupError
from searchain.files.checkout import SET_UP
from searchain.files.home import home

Progress = Callable[[str, int, int], None]
"""A callback with (description of the work, amount done, total amount)."""


@dataclass(frozen=True, slots=True)
class Extension:
    """One C++ source of colbert, and the class and attribute that hold its only function."""

    name: str
    source: str
    owner: str
    attribute: str


ALL = (
    Extension("segmented_maxsim_cpp", "modeling/segmented_maxsim.cpp", "ColBERT", "segmented_maxsim"),
    Extension("segmented_lookup_cpp", "search/segmented_lookup.cpp", "StridedTensor", "segmented_lookup"),
    Extension("filter_pids_cpp", "search/filter_pids.cpp", "IndexScorer", "filter_pids"),
    Extension("decompress_residuals_cpp", "search/decompress_residuals.cpp", "IndexScorer", "decompress_residuals"),
)


def directory() -> Path:
    """Return the directory of the libraries for this Python and torch."""
    from importlib.metadata import version

    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    return home() / "extensions" / f"{python}-torch{version('torch')}-colbert{version('colbert-ai')}"


def is_compiled() -> bool:
    return all(_library(extension).is_file() for extension in ALL)


def compile_all(progress: Progress | None = None) -> None:
    """Compile the missing extensions, two at a time, in about 20 seconds each.

    Raises:
        SetupError: no C++ compiler, or the compiler failed.
    """
    if is_compiled():
        return
    directory().mkdir(parents=True, exist_ok=True)
    with FileLock(directory() / ".lock"):
        for abandoned in directory().glob(".*-*"):
            shutil.rmtree(abandoned, ignore_errors=True)
        missing = [extension for extension in ALL if not _library(extension).is_file()]
        compiler = _compiler()
        compile_one = partial(_compile, compiler=compiler, has_failed=threading.Event())
        with _ninja_on_path(), ThreadPoolExecutor(2) as pool:
            for done, _ in enumerate(chain([None], pool.map(compile_one, missing))):
                if progress:
                    progress("compiling ColBERT extensions", done, len(missing))


@cache
def load() -> None:
    """Give colbert its compiled functions; compile the missing ones first.

    Raises:
        SetupError: as ``compile_all``.
    """
    from searchain.retrieval import compat

    compile_all()
    for extension in ALL:
        owner = getattr(compat, extension.owner)
        setattr(owner, extension.attribute, getattr(_import(extension), extension.name))
        owner.loaded_extensions = True


def _library(extension: Extension) -> Path:
    return directory() / f"{extension.name}.so"


def _import(extension: Extension) -> ModuleType:
    path = str(_library(extension))
    loader = importlib.machinery.ExtensionFileLoader(extension.name, path)
    spec = importlib.util.spec_from_file_location(extension.name, path, loader=loader)
    assert spec is not None  # a loader was given
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def _compiler() -> str:
    """Find the C++ compiler. Call it before starting threads, so that ctrl-C works during the long import."""
    from torch.utils import cpp_extension

    compiler = cpp_extension.get_cxx_compiler()
    if shutil.which(compiler) is None:
        raise SetupError(
            f"no C++ compiler: {compiler!r} was not found; install one (on Debian and Ubuntu: "
            f"apt install g++; on macOS: xcode-select --install) and run again: {SET_UP}"
        )
    return compiler


def _compile(extension: Extension, compiler: str, has_failed: threading.Event) -> None:
    """Compile one extension, unless another failed, as after ctrl-C, which ends a compiler first."""
    if has_failed.is_set():
        return
    from importlib.metadata import distribution

    from torch.utils import cpp_extension

    source = Path(str(distribution("colbert-ai").locate_file("colbert"))) / extension.source
    with tempfile.TemporaryDirectory(dir=directory(), prefix=f".{extension.name}-") as scratch:
        try:
            cpp_extension.load(extension.name, [str(source)], extra_cflags=["-O3"], build_directory=scratch)
        except (RuntimeError, OSError, ImportError) as error:
            has_failed.set()
            raise SetupError(
                f"compiling {extension.name} with {compiler!r} failed: {_reason(error)}; a C++17 compiler "
                f"and Python's headers (python3-dev) are needed; then run again: {SET_UP}"
            ) from error
        os.replace(Path(scratch) / f"{extension.name}.so", _library(extension))


@contextmanager
def _ninja_on_path() -> Iterator[None]:
    """Put ninja on PATH, so that its environment need not be activated."""
    import ninja

    path = os.environ.get("PATH", os.defpath)
    os.environ["PATH"] = f"{ninja.BIN_DIR}{os.pathsep}{path}"
    try:
        yield
    finally:
        os.environ["PATH"] = path


def _reason(error: Exception) -> str:
    """Return the first line of the message that holds "error:", else its first line."""
    lines = str(error).splitlines() or [type(error).__name__]
    return next((line.strip() for line in lines if "error:" in line), lines[0].strip())
