"""Find the network file system that a file is on."""

import re
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
NETWORK = frozenset("afs ceph cifs fuse.glusterfs fuse.sshfs lustre nfs nfs4 smb3 smbfs".split())
"""Types of file systems that several machines share."""
_OCTAL = re.compile(r"\\([0-7]{3})")


def network_file_system(path: Path) -> str | None:
    """Return the type of the network file system of ``path``, such as ``nfs4``; ``None`` for any other file system.

    ``path`` need not exist.
    """
    try:
        lines = MOUNTS.read_text(errors="surrogateescape").splitlines()
    except OSError:
        return None  # not Linux
    folders = {path.resolve(), *path.resolve().parents}
    found = (len("/"), "")
    for line in lines:
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        folder = _OCTAL.sub(lambda code: chr(int(code[1], 8)), fields[4])
        if Path(folder) in folders and len(folder) >= found[0]:  # of two at one place the later hides the earlier
            found = len(folder), after.split(" ")[0]
    return found[1] if found[1] in NETWORK else None
