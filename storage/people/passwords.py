"""Password hashes: scrypt (RFC 7914) with a salt per password. Its cost is stored too, so that it can be raised."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

SHORT = 8
"""A password with fewer characters is accepted with a warning."""
COST = 2**15
"""The parameter ``n`` of scrypt for new hashes: 32 MiB and about a quarter of a second."""


@dataclass(frozen=True, slots=True)
class Hashed:
    """The hash of a password, which ``verify`` checks. ``hash`` and ``salt`` are hexadecimal."""

    hash: str
    salt: str
    n: int
    r: int
    p: int


def hashed(password: str) -> Hashed:
    """Hash the plain-text password with a new salt."""
    salt = secrets.token_bytes(16)
    return Hashed(_scrypt(password, salt, COST, 8, 3).hex(), salt.hex(), COST, 8, 3)


def verify(password: str, stored: Hashed) -> bool:
    """Return whether the plain-text password matches the hash; the comparison takes constant time."""
    found = _scrypt(password, bytes.fromhex(stored.salt), stored.n, stored.r, stored.p)
    return hmac.compare_digest(found, bytes.fromhex(stored.hash))


NOBODY = Hashed("00" * 32, "00" * 16, COST, 8, 3)
"""A hash that is checked for unknown names, so that the check takes as long as for known names."""


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    secret, memory = password.encode("utf-8", "surrogatepass"), 2 * 128 * n * r
    return hashlib.scrypt(secret, salt=salt, n=n, r=r, p=p, dklen=32, maxmem=memory)
