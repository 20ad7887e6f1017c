"""The command `calibrate`: a collection's own tick."""

from click.testing import CliRunner

from storage.collections import access, ticks
from tests.support.judged_runs import judged
from ui.cli.calibrate import calibrate as command


def test_a_collection_gets_its_tick_by_the_judgements_on_its_replies(store):
    mine = access.create(store, "local", "mine")
    judged(store, mine.index, [(0.7, "up")] * 12)
    arguments = ["--collection", "mine", "--db", str(store.path)]
    result = CliRunner().invoke(command, arguments)
    assert result.stdout.splitlines() == [
        "mine: 12 of 30 judged; at 30 the tick is yours",
        "threshold: that of all own documents",
    ]
    judged(store, mine.index, [(0.8, "up")] * 15 + [(0.75, "down")] * 3)
    result = CliRunner().invoke(command, arguments)
    assert result.stdout.splitlines() == ["mine: 30 judged; ✓ here: 27 of 30 were right [74, 97]", "threshold: 0.700"]
    assert ticks.threshold(store, mine.index) == 0.7
    judged(store, mine.index, [(0.9, "down")] * 30)
    result = CliRunner().invoke(command, arguments)
    assert result.stdout.splitlines()[-1] == "threshold: none, no reply bears a tick"
    missing = CliRunner().invoke(command, ["--collection", "other", "--db", str(store.path)])
    assert (missing.exit_code, missing.stderr.partition(";")[0]) == (2, "error: there is no collection 'other'")
