"""Open files in processes with limits that the system enforces.

``serve`` runs in a process that never opens a file. For each request it first imports what reads such files, and then
forks: the fork has the file on standard input and writes the answer to standard output, which is the line ``ok`` and
the result, or ``refused`` and a JSON object with ``state`` and ``reason``. So no file meets what another has left
behind, and none waits for imports.
"""

import json
import os
import resource
import select
import socket
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

from searchain.documents import limits
from searchain.errors import DocumentRefused
from searchain.files.processes import die_with_parent

MAX_REQUEST = 1 << 20
"""Most bytes of a request."""


def serve() -> None:
    """Handle requests from the socket on standard input, until its other end is closed or none comes for a while.

    A request is a line of JSON, sent with three descriptors: the file, the output and the working folder. The answers
    are the process id of the fork and its exit status, as ``os.waitpid`` returns it, a line each.
    """
    connection = socket.socket(fileno=os.dup(0))
    while select.select([connection], [], [], limits.IDLE_SECONDS)[0]:
        request, descriptors, *_ = socket.recv_fds(connection, MAX_REQUEST, 3)
        if not request:
            break
        while not request.endswith(b"\n"):
            request += connection.recv(MAX_REQUEST)
        _import_for(json.loads(request))
        server, process = os.getpid(), os.fork()
        if process == 0:
            connection.close()
            die_with_parent(server)
            _open(json.loads(request), *descriptors)
        with suppress(OSError):  # the fork has ended, or has done it itself
            os.setpgid(process, process)
        for descriptor in descriptors:
            os.close(descriptor)
        connection.sendall(f"{process}\n".encode())
        connection.sendall(f"{_status(process, connection)}\n".encode())
    os._exit(0)


def _status(process: int, connection: socket.socket) -> int:
    """Wait for a fork and return its status; end it when nobody waits for it any more."""
    if hasattr(os, "pidfd_open"):
        ended = os.pidfd_open(process)
        if connection.fileno() in select.select([connection.fileno(), ended], [], [])[0]:
            os._exit(1)  # the other end was closed, and the fork ends with this process
        os.close(ended)
    return os.waitpid(process, 0)[1]


def _import_for(request: dict[str, Any]) -> None:
    """Import the modules that a request needs; what cannot be imported fails in the fork, where it is reported."""
    with suppress(Exception):
        import_module(_handler(request)[0])
        if request["do"] == "parse":
            from searchain.documents.kinds import FORMS, kind_of_name

            import_module(f"searchain.documents.{FORMS[kind_of_name(request['name']) or 'txt'].module}")


def _open(request: dict[str, Any], file: int, output: int, folder: int) -> None:
    """Set the limits, handle ``request``, write the answer and end the process."""
    os.setpgid(0, 0)
    os.dup2(file, 0)
    os.dup2(output, 1)
    os.fchdir(folder)
    os.closerange(3, max(file, output, folder) + 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (limits.MEMORY, limits.MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.CPU_SECONDS, limits.CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.MAX_OUTPUT, limits.MAX_OUTPUT))
    try:
        answer = b"ok\n" + _answer(request, sys.stdin.buffer.read(limits.MAX_BYTES + 1))
    except DocumentRefused as refusal:
        answer = _refused(refusal.state, refusal.reason)
    except MemoryError:
        answer = _refused("failed", "Reading the file needs more than 1 GiB of memory; split it.")
    except RecursionError:
        answer = _refused("failed", "The file is nested too deeply to be read.")
    except Exception:  # whatever a library raises on a damaged file
        answer = _refused("failed", "The file is damaged and cannot be read.")
    try:
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    except OSError:  # beyond RLIMIT_FSIZE
        os._exit(3)
    os._exit(0)  # closing libraries in order would only take time


def _refused(state: str, reason: str) -> bytes:
    return b"refused\n" + json.dumps({"state": state, "reason": reason}).encode()


def _handler(request: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Return the module and the function that handle a request, with what the function gets beside the file."""
    match request:
        case {"do": "parse", "name": name, "pictures": program}:
            return "searchain.documents.reading", "read_document", {"name": name, "read_pictures": program}
        case {"do": "unpack", "kind": kind}:
            return "searchain.documents.unpacking", "unpack", {"kind": kind}
        case {"do": "find", "pages": pages}:
            return "searchain.documents.pdf", "find", {"pages": pages}
        case {"do": "draw", "page": page, **others}:
            is_picture = others.get("type") == "picture"
            return f"searchain.documents.{'pictures' if is_picture else 'pdf'}", "draw", {"number": page}
    raise ValueError(f"unknown request {request!r}")


def _answer(request: dict[str, Any], content: bytes) -> bytes:
    module, function, arguments = _handler(request)
    found = getattr(import_module(module), function)(content, **arguments)
    if function == "draw":
        return bytes(found)
    return (found.to_json() if function == "read_document" else json.dumps(found)).encode()
