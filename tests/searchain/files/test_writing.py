"""Files are written whole or not at all; network file systems are recognised by the table of mounts."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from searchain.files import mounts
from searchain.files.writing import make_once, write_whole

ROOT = Path(__file__).parents[3]


def fail(path):
    with write_whole(path) as draft:
        draft.write_text("half")
        raise LookupError


def test_the_file_changes_only_at_the_end_and_a_failure_leaves_it_as_it_was(tmp_path):
    path = tmp_path / "facts.json"
    path.write_text("old")
    with pytest.raises(LookupError):
        fail(path)
    assert list(tmp_path.iterdir()) == [path]
    with write_whole(path) as draft:
        draft.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_the_umask_decides_who_may_read_it(tmp_path):
    before = os.umask(0o027)
    try:
        with write_whole(tmp_path / "facts.json") as draft:
            draft.write_text("new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "facts.json").stat().st_mode) == 0o640


KILLED = """
import os
from pathlib import Path
from searchain.files.writing import make_once
make_once(Path("made"), lambda made: (made.with_name("beside").touch(), os._exit(9)))
"""


def test_what_a_killed_attempt_left_goes_with_the_next_one(tmp_path):
    done = subprocess.run([sys.executable, "-c", KILLED], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert (done.returncode, len([*tmp_path.rglob("beside")])) == (9, 1)
    make_once(tmp_path / "made", Path.mkdir)
    assert {file.name for file in tmp_path.iterdir()} <= {"made", "made.lock"}


TABLE = r"""22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 22 0:41 / /srv rw,relatime shared:1 - nfs4 box:/srv rw,vers=4.2
31 30 254:1 / /srv/local rw,relatime - xfs /dev/vdb rw
32 22 0:42 / /mnt/two\040words rw - cifs //box/share rw
33 22 0:43 / /later rw - nfs box:/later rw
34 33 254:2 / /later rw - ext4 /dev/vdc rw
broken
"""


def test_the_nearest_mount_counts(tmp_path, monkeypatch):
    table = tmp_path / "mountinfo"
    table.write_text(TABLE)
    monkeypatch.setattr(mounts, "MOUNTS", table)
    named = ["/srv/home/x.db", "/srv", "/srv/local/x.db", "/mnt/two words/x.db", "/later/x.db", "/srvx/x.db", "/x.db"]
    found = [mounts.network_file_system(Path(name)) for name in named]
    assert found == ["nfs4", "nfs4", None, "cifs", None, None, None]
