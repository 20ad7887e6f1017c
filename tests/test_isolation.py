"""Tests reach no host beyond this machine and see no configuration of the person who runs them."""

import os
import socket

import pytest


def test_connections_and_names_beyond_loopback_are_refused() -> None:
    with pytest.raises(ConnectionRefusedError, match="tests connect to no host beyond this machine"):
        socket.create_connection(("192.0.2.1", 80), timeout=5)  # an address for documentation, RFC 5737
    with pytest.raises(socket.gaierror, match="tests look up no names"):
        socket.create_connection(("example.org", 80), timeout=5)


def test_the_environment_names_no_model() -> None:
    assert not [name for name in os.environ if name.startswith(("OPENAI_", "SEARCHAIN_MODEL", "SEARCHAIN_BASE_URL"))]
