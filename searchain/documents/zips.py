"""Open zip files, and refuse hostile ones before unpacking anything. Runs in the child process only."""

from __future__ import annotations

import io
import zipfile

from searchain.documents import limits
from searchain.errors import DocumentRefused


def open_zip(content: bytes) -> zipfile.ZipFile:
    """Open a zip whose entries keep within the limits.

    ``zipfile`` never reads more of an entry than its stated size, so checking the stated sizes is enough.

    Raises:
        DocumentRefused: the zip is damaged, has a password, or is too large when unpacked.
    """
    try:
        packed = zipfile.ZipFile(io.BytesIO(content))
        entries = packed.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise DocumentRefused("failed", "The file is damaged or incomplete and cannot be unpacked.") from error
    if len(entries) > limits.MAX_ENTRIES:
        raise DocumentRefused(
            "too_large", f"The file packs {len(entries):,} entries; at most {limits.MAX_ENTRIES:,} are read."
        )
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > limits.MAX_UNPACKED:
        raise DocumentRefused(
            "too_large",
            f"The file unpacks to {unpacked / 1e6:,.0f} MB; at most {limits.MAX_UNPACKED / 1e6:.0f} MB are read.",
        )
    if unpacked > limits.RATIO_FROM and unpacked > limits.MAX_RATIO * len(content):
        raise DocumentRefused(
            "too_large", f"The file unpacks to {unpacked / len(content):,.0f} times its size, as zip bombs do."
        )
    if any(entry.flag_bits & 1 for entry in entries):
        raise DocumentRefused("encrypted", "The file is packed with a password; pack it without one.")
    return packed


def read_entry(packed: zipfile.ZipFile, name: str) -> bytes:
    """Read one entry whole.

    Raises:
        KeyError: no entry has this name.
        DocumentRefused: the entry is damaged.
    """
    try:
        return packed.read(name)
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise DocumentRefused("failed", "The file is damaged or incomplete and cannot be unpacked.") from error
