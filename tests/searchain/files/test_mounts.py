"""Network file systems are recognised by the table of mounts."""

from pathlib import Path

from searchain.files import mounts

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
