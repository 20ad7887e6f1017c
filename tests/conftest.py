"""What all tests share: no network beyond this machine, a clean environment, quick passwords, one embedded model."""

import ipaddress
import os
import signal
import socket
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser

from searchain.embedded import assets
from searchain.llm.embedded import EmbeddedModel
from storage.people import passwords
from tests.support.browser import MISSING, chromium, find_chromium
from tests.support.retrieval_home import share_models


def _address(host: object) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that ``host`` spells; ``None`` for a name."""
    text = host.decode() if isinstance(host, bytes) else str(host or "127.0.0.1")
    try:
        return ipaddress.ip_address("127.0.0.1" if text == "localhost" else text.split("%")[0])
    except ValueError:
        return None


def _refuse_the_network(event: str, args: tuple) -> None:
    """An audit hook: every connection of this process passes here, whichever library makes it."""
    if event == "socket.getaddrinfo" and _address(args[0]) is None:
        raise socket.gaierror(socket.EAI_NONAME, f"tests look up no names: {args[0]!r}")
    if event in ("socket.connect", "socket.sendto") and isinstance(args[1], tuple):
        address = _address(args[1][0])
        if address is None or not (address.is_loopback or address.is_unspecified):
            raise ConnectionRefusedError(f"tests connect to no host beyond this machine: {args[1]!r}")


sys.addaudithook(_refuse_the_network)
# threads of torch wait for each other by spinning: where workers, browsers and servers share the cores, two of them took
# ten times the processor's time of one, and twenty times as long
os.environ.setdefault("OMP_NUM_THREADS", "1")
# the same examples in every run, however long one takes on a busy machine
settings.register_profile("tests", deadline=None, derandomize=True)
settings.load_profile("tests")
# a shell that starts the tests in the background has Ctrl-C ignored, and so would the programs that tests start
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name in ("SEARCHAIN_MODEL", "SEARCHAIN_BASE_URL") or name.startswith("OPENAI_"):
            monkeypatch.delenv(name)


_SHIPPED = passwords.COST, passwords.NOBODY


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Passwords cost next to nothing to check; half a second for each adds up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "COST", 16)
        patch.setattr(passwords, "NOBODY", replace(passwords.NOBODY, n=16))
        yield


@pytest.fixture
def shipped_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords cost what they cost users."""
    for name, value in zip(("COST", "NOBODY"), _SHIPPED, strict=True):
        monkeypatch.setattr(passwords, name, value)


@pytest.fixture(scope="session", autouse=True)
def _no_careful_model(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hide the careful model unless its tests run: it takes half a minute for a question, and most machines lack it."""
    find, is_asked = assets.Packaged.find, any(item.get_closest_marker("careful") for item in request.session.items)
    with pytest.MonkeyPatch.context() as patch:
        if not is_asked:
            patch.setattr(assets.Packaged, "find", lambda model: None if model is assets.CAREFUL else find(model))
        yield


@pytest.fixture(scope="session")
def embedded_model() -> Iterator[EmbeddedModel]:
    """The real SmolLM2 behind the real llama.cpp server, without adapters."""
    model = EmbeddedModel({})
    model.start()
    yield model
    model.close()


@pytest.fixture
def index_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty ``$SEARCHAIN_HOME`` that shares the models with the real one."""
    folder = share_models(tmp_path / "home")
    monkeypatch.setenv("SEARCHAIN_HOME", str(folder))
    return folder


@pytest.fixture(scope="module")  # playwright's event loop runs in this thread as long as the browser lives
def browser() -> Iterator[Browser]:
    """A real Chromium; tests that ask for it are skipped on a machine without one, which is an error under ``CI=true``."""
    with chromium() as started:
        yield started


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the tests marked slow, careful and ray as well")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two workers; none for one file, whose tests stay together anyway."""
    files = {Path(arg.partition("::")[0]) for arg in config.args}
    return 0 if len(files) == 1 and files.pop().is_file() else min(2, os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)  # before pytest looks at the marks that were asked for
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _mark_browser_tests(items)
    is_named = config.option.all or config.option.keyword or any("::" in arg for arg in config.args)
    if not is_named:
        _deselect(config, items, {mark for mark in ("slow", "careful", "ray") if mark not in config.option.markexpr})


def _deselect(config: pytest.Config, items: list[pytest.Item], marks: set[str]) -> None:
    left = [item for item in items if marks & {mark.name for mark in item.iter_markers()}]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


def _mark_browser_tests(items: list[pytest.Item]) -> None:
    """Mark what uses the browser; skip it where there is none."""
    asking = [item for item in items if "browser" in item.fixturenames]
    for item in asking:
        item.add_marker(pytest.mark.browser)
    if not asking or find_chromium():
        return
    if os.environ.get("CI") == "true":
        raise pytest.UsageError(MISSING)
    for item in asking:
        item.add_marker(pytest.mark.skip(MISSING))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if any(MISSING in str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(MISSING, red=True, bold=True)
