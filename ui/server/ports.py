"""A check that a port is free before the server is built."""

import socket

from searchain.errors import SetupError


def check_free(host: str, port: int) -> None:
    """Raise ``SetupError``, with the number of a free port, if ``port`` cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        with socket.socket(family) as probe:
            probe.bind(("", 0))
            free = probe.getsockname()[1]
        what = (error.strerror or str(error)).lower()
        raise SetupError(
            f"cannot serve on {host}:{port} ({what}); stop what listens there, or take a free port: --port {free} "
            f"(with make: ARGS='--port {free}')"
        ) from error
