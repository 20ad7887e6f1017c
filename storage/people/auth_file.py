"""Reads users from a file with lines ``name:role:password``, or ``name:password`` for the role chat."""

from pathlib import Path

from searchain.errors import UsageError
from storage.people import users
from storage.people.users import NewUser, Role

_FORM = "write name:role:password, or name:password for the role chat"


def read(path: Path) -> list[NewUser]:
    """Return the file's users in order, without empty lines and lines that begin with #.

    A line whose password contains a colon must name the role.

    Raises:
        UsageError: the file cannot be read, or a line is invalid; the message has the line's number.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise UsageError(
            f"cannot read {str(path)!r} ({error.strerror}); name a file of lines name:role:password"
        ) from error
    except UnicodeDecodeError as error:
        number = path.read_bytes()[: error.start].count(b"\n") + 1
        raise UsageError(f"line {number} of {str(path)!r} is not UTF-8 text; save the file as UTF-8") from error
    found: dict[str, NewUser] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            user = _user(line)
            if user.name.casefold() in found:
                raise UsageError(f"there is a line for {user.name} already; leave one of them out")
        except UsageError as error:
            raise UsageError(f"line {number} of {str(path)!r}: {error}") from error
        found[user.name.casefold()] = user
    if not found:
        raise UsageError(f"there is no user in {str(path)!r}; {_FORM}")
    return list(found.values())


def _user(line: str) -> NewUser:
    match [part.strip() for part in line.split(":", 2)]:
        case [name, password]:
            return users.new(name, Role.CHAT, password)
        case [name, role, password] if role in list(Role):
            return users.new(name, role, password)
        case [_, _, _]:  # what stands there may be part of a password, so it is not repeated
            raise UsageError(
                "its role is none of chat, annotator and admin; a password with a colon needs a role before it"
            )
        case _:
            raise UsageError(f"it has no colon; {_FORM}")
