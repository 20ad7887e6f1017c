"""The sdist and the wheel built from it hold all that the program needs, and work without a checkout."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from searchain.embedded import assets
from searchain.version import VERSION
from tests.test_requirements import normal, ranges

ROOT = Path(__file__).parents[1]
FOLDERS = ("prompts", "searchain", "storage", "ui")
FILES = (
    *"assistant.py pyproject.toml MANIFEST.in README.md LICENSE".split(),
    *(file.name for file in ROOT.glob("requirements*.txt")),
)
USES = """
import json
from pathlib import Path
from assistant import open_assistant
from searchain.chain import prompts
from searchain.embedded import assets, minilm
from searchain.files import checkout
from searchain.reading import stance
from searchain.reply import support_check
from searchain.setup import pins
from storage.annotation import import_forms
from ui.desk import guidelines, pages, report_html
from ui.exports import html_page

open_assistant(db=Path("chat.db")).close()
found = [prompts.FOLDER, minilm.WEIGHTS, stance.WEIGHTS, support_check.WEIGHTS, guidelines.FILE, import_forms.FILE]
print(json.dumps({
    "missing": [str(path) for path in found if not path.exists()],
    "prompt": len(prompts.Prompts(is_brief=True).render("verify", query="q", answer="a", passage="p", number="1")) > 0,
    "guidelines": len(guidelines.html()) > 5_000,
    "styles": bool(html_page._STYLE and report_html._STYLE and list(pages._HERE.glob("*.js"))),
    "set up": checkout.SET_UP,
    "program": pins.of_program(),
    "data": [asset.version for asset in assets.ALL],
}))
"""


def built(source: Path, into: Path) -> Path:
    """Build the wheel of ``source`` in the folder ``into``."""
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet")
    subprocess.run([*pip, "--wheel-dir", into, source], check=True, capture_output=True)
    return next(into.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built as ``python -m build`` does: by way of an sdist, here of a copy, to keep the checkout clean."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in FILES:
        shutil.copy(ROOT / file, copy)
    sdist = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", sdist, copy / "made"], cwd=copy, check=True, capture_output=True)
    (source,) = (copy / "made").glob("*.tar.gz")
    with tarfile.open(source) as packed:
        assert not [name for name in packed.getnames() if "/tests/" in name]
    return built(source, copy / "made")


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the laboratory, built of a copy."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "lab", copy / "lab", ignore=shutil.ignore_patterns("__pycache__"))
    made = built(copy / "lab", copy / "made")
    assert not (copy / "lab" / "build").exists()
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` of a new environment with the wheel, which sees this environment's other packages."""
    return environment_with(tmp_path_factory.mktemp("environment"), wheel)


@pytest.fixture(scope="module")
def with_laboratory(wheel: Path, laboratory: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` of another one, which has the laboratory as well."""
    return environment_with(tmp_path_factory.mktemp("environment"), wheel, laboratory)


def environment_with(environment: Path, *wheels: Path) -> Path:
    venv.create(environment, with_pip=False, symlinks=True)
    pip = (sys.executable, "-m", "pip", "--python", environment / "bin/python", "install", "--no-deps", "--no-index")
    subprocess.run([*pip, *wheels], check=True, capture_output=True)
    site = next(environment.glob("lib/python*/site-packages"))
    (site / "others.pth").write_text(sysconfig.get_path("purelib"))
    return environment / "bin"


def run(program: Path, *args: str, folder: Path) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**kept, "SEARCHAIN_HOME": str(folder)}
    return subprocess.run([program, *args], cwd=folder, env=environment, capture_output=True, text=True)


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path):
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = {file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.is_file()}
    expected = {file.relative_to(ROOT).as_posix() for file in files if "__pycache__" not in file.parts}
    assert packed == expected | {"assistant.py"}


def test_the_command_starts_without_a_checkout(installed: Path, tmp_path: Path):
    done = run(installed / "searchain", "--help", folder=tmp_path)
    assert (done.returncode, done.stdout.partition("\n")[0]) == (0, "Usage: searchain [OPTIONS] COMMAND [ARGS]...")
    done = run(installed / "searchain", "logs", "list", folder=tmp_path)
    assert (done.returncode, done.stderr.startswith("error: there is no database at ")) == (1, True)
    done = run(installed / "searchain", "frobnicate", folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, "error: No such command 'frobnicate'. See: searchain --help\n")


def test_the_product_does_without_the_laboratory(installed: Path, tmp_path: Path):
    get = "which is not installed; in a checkout run: pip install ./lab"
    for words, wanted in ((("eval", "--system", "searchain"), "eval --system"), (("tables",), "the command 'tables'")):
        done = run(installed / "searchain", *words, folder=tmp_path)
        told = f"error: {wanted} belongs to the laboratory, {get}\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", told)
    listed = run(installed / "searchain", "--help", folder=tmp_path).stdout
    assert "\n  calibrate " in listed
    assert "\n  tables " not in listed
    done = run(installed / "searchain", "ask", "--system", "self-ask", "Where is Kyoto?", folder=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "error: no system 'self-ask'; there are: searchain, searchain-no-ir, searchain-no-verification, "
        "searchain-no-completion, searchain-paper; others belong to the laboratory "
        "(in a checkout run: pip install ./lab)\n",
    )
    assert "self-ask" not in run(installed / "searchain", "ask", "--help", folder=tmp_path).stdout


def test_the_laboratory_is_a_wheel_of_its_own(laboratory: Path, with_laboratory: Path, tmp_path: Path):
    packed = zipfile.ZipFile(laboratory)
    names = {name for name in packed.namelist() if ".dist-info/" not in name}
    files = {file for file in (ROOT / "lab").rglob("*") if file.is_file() and file.name != "pyproject.toml"}
    assert names == {file.relative_to(ROOT).as_posix() for file in files if "__pycache__" not in file.parts}
    (about,) = (name for name in packed.namelist() if name.endswith("/METADATA"))
    assert f"\nVersion: {VERSION}\n" in packed.read(about).decode()
    assert f"\nRequires-Dist: searchain=={VERSION}\n" in packed.read(about).decode()
    assert "\n  tables " in run(with_laboratory / "searchain", "--help", folder=tmp_path).stdout
    done = run(with_laboratory / "searchain", "eval", "--out", "answers.jsonl", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: name --system and --data; systems: searchain, ")
    assert ", self-ask, " in done.stderr


def test_the_program_finds_its_files_without_a_checkout(installed: Path, tmp_path: Path):
    done = run(installed / "python", "-c", USES, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    found["program"] = {normal(name): SpecifierSet(needed) for name, needed in found["program"].items()}
    required = {name: SpecifierSet(f">={first},<{end}") for name, (first, end) in ranges().items()}
    expected = {"missing": [], "prompt": True, "guidelines": True, "styles": True, "set up": "searchain setup"}
    assert found == expected | {"program": required, "data": [asset.version for asset in assets.ALL]}
