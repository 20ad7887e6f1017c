"""Passwords as they are stored: scrypt (RFC 7914) with a salt each, its cost beside it so that it can be raised."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

SHORT = 8
"""Characters: a password below is taken, and warned about."""
COST = 2**15
"""The ``n`` of scrypt for new passwords: 32 MiB and about a quarter of a second."""


@dataclass(frozen=True, slots=True)
class Hashed:
    """A password that only ``verify`` can be asked about. ``hash`` and ``salt`` are hexadecimal."""

    hash: str
    salt: str
    n: int
    r: int
    p: int


def hashed(password: str) -> Hashed:
    """A new hash of ``password``."""
    salt = secrets.token_bytes(16)
    return Hashed(_scrypt(password, salt, COST, 8, 3).hex(), salt.hex(), COST, 8, 3)


def verify(password: str, stored: Hashed) -> bool:
    """Whether it is the password, compared in constant time."""
    found = _scrypt(password, bytes.fromhex(stored.salt), stored.n, stored.r, stored.p)
    return hmac.compare_digest(found, bytes.fromhex(stored.hash))


NOBODY = Hashed("00" * 32, "00" * 16, COST, 8, 3)
"""What an unknown name is checked against, so that it takes as long as a known one."""


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(
        password.encode("utf-8", "surrogatepass"), salt=salt, n=n, r=r, p=p, dklen=32, maxmem=2 * 128 * n * r
    )
