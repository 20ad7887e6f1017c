"""Open a file in a child process with limits that the system enforces.

The process gets the file on standard input; its two arguments are one request as JSON and the number of its parent. To
standard output it writes the line ``ok`` and the result, or ``refused`` and a JSON object with ``state``, ``reason``.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from typing import Any

from searchain.documents import limits
from searchain.errors import DocumentRefused


def main() -> None:
    """Set the limits, handle the request in the argument, and write the answer."""
    _limit()
    limits.die_with_parent(int(sys.argv[2]))
    try:
        answer = b"ok\n" + _answer(json.loads(sys.argv[1]), sys.stdin.buffer.read(limits.MAX_BYTES + 1))
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


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (limits.MEMORY, limits.MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.CPU_SECONDS, limits.CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.MAX_OUTPUT, limits.MAX_OUTPUT))


def _refused(state: str, reason: str) -> bytes:
    return b"refused\n" + json.dumps({"state": state, "reason": reason}).encode()


def _answer(request: dict[str, Any], content: bytes) -> bytes:
    match request:
        case {"do": "parse", "name": name, "pictures": read_pictures}:
            from searchain.documents.reading import read_document

            return read_document(content, name, read_pictures=read_pictures).to_json().encode()
        case {"do": "unpack", "kind": kind}:
            from searchain.documents.unpacking import unpack

            return json.dumps(unpack(content, kind)).encode()
        case {"do": "find", "pages": pages}:
            from searchain.documents.pdf_views import find

            return json.dumps(find(content, pages)).encode()
        case {"do": "draw", "type": "picture", "page": page}:
            from searchain.documents.picture_files import draw as draw_picture

            return draw_picture(content, page)
        case {"do": "draw", "page": page}:
            from searchain.documents.pdf_views import draw

            return draw(content, page)
    raise ValueError(f"unknown request {request!r}")
