"""The page's server: which requests it answers, and with which headers. Real requests over real sockets."""

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice, product
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from searchain.errors import UsageError
from tests.support.json_lines import kept
from tests.support.served_page import ServedPage, served_page
from tests.support.story_runs import store_run
from ui.page.app import RULES
from ui.server.access import VISITOR, Access, Who, new_visitor
from ui.server.guard import Guard

SERVED = {"people": {}}


@pytest.fixture(scope="module")
def behind_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPage]:
    folder, name = tmp_path_factory.mktemp("named"), "https://chat.example.org"
    with served_page(folder, Who.ANYBODY, people={"ann": "chat"}, shares=True, public_url=name) as served:
        yield served


def test_a_page_answers_only_to_local_names_and_its_public_one(local: ServedPage, behind_proxy: ServedPage):
    strange = ("evil.test", "127.0.0.1.evil.test", "evil.test:127", "localhost@evil.test", "", "[")
    public = ("Chat.example.org", "chat.example.org:443", "127.0.0.1:7860")
    for page, own, others in (
        (local, ("127.0.0.1:7860", "localhost", "[::1]:80", "LOCALHOST:1"), strange),
        (behind_proxy, public, ("other.example.org",)),
    ):
        wanted = dict.fromkeys(own, 200) | dict.fromkeys(others, 403)
        assert {host: page.request(Host=host)[0] for host in wanted} == wanted


def test_under_its_public_name_all_is_https_and_links_have_it(behind_proxy: ServedPage):
    mine = {"Host": "chat.example.org"}
    form = {"method": "POST", "body": "name=ann&password=correct+horse"}
    signed_in = behind_proxy.request("/sign-in", Origin="https://chat.example.org", **form, **mine)[1]
    assert signed_in["set-cookie"].count("Secure") == 2
    assert behind_proxy.request(**mine)[1]["set-cookie"].endswith("; Secure")
    assert json.loads(behind_proxy.request("/config", **mine)[2])["root"] == "https://chat.example.org"
    body, ann = {"conversation": store_run(behind_proxy.store, owner="ann").conversation}, behind_proxy.session("ann")
    made = behind_proxy.request("/shares", body=body, Host="127.0.0.1", **ann)
    assert json.loads(made[2])["path"].startswith("https://chat.example.org/s/")


def test_what_is_no_public_address_is_refused():
    for name in ("http://a.example", "https://", "a.example", "https://a.example/chat", "https://a b", "https://[a"):
        with pytest.raises(UsageError, match="write https:// and the name"):
            Access(Who.USERS, public_url=name)


def test_a_local_page_answers_only_its_own_pages(local: ServedPage):
    origins = {"http://localhost:5": 200}
    origins |= dict.fromkeys(("http://evil.test", "http://localhost:6", "null", "http://["), 403)
    assert {one: local.request(Host="localhost:5", Origin=one)[0] for one in origins} == origins
    # where a page sends no origin the browser says whose it is
    sites = {"same-origin": 200, "same-site": 403, "cross-site": 403}
    own = {"Host": "localhost:5", "Origin": "null"}
    assert {one: local.request(Sec_Fetch_Site=one, **own)[0] for one in sites} == sites


@pytest.mark.parametrize("host", ["127.0.0.1:7860", "chat.example.org", "0123456789abcdef01.gradio.live"])
@pytest.mark.parametrize(("headers", "status"), kept("origins.json"))
def test_a_page_for_others_lets_no_other_site_read_or_act(
    public: ServedPage, host: str, headers: dict[str, str], status: int
):
    mine = {name: value.format(host) for name, value in headers.items()}
    mine |= {"Host": host, "Cookie": f"{VISITOR}={'a' * 32}"}
    assert [public.request(path, **mine)[0] for path in ("/", "/config", "/conversations")] == [status] * 3
    joined = public.request("/gradio_api/queue/join", body=b"{}", Content_Type="application/json", **mine)
    assert (joined[0] == 403) is (status == 403)


def test_large_or_odd_requests_are_refused_and_no_file_is_uploaded_or_read(local: ServedPage, public: ServedPage):
    for length in ("2000000", "x"):
        joined = local.request("/gradio_api/queue/join", method="POST", body=b"", Content_Length=length)
        assert joined[0] in (400, 413)
    form = b'--b\r\nContent-Disposition: form-data; name="files"; filename="x.txt"\r\n\r\nx\r\n--b--\r\n'
    ways = (*(("POST", f"upload{end}") for end in ("", "/", "?upload_id=x")), ("GET", "upload_progress?upload_id=x"))
    for served, (method, path) in product((local, public), ways):
        kind = "multipart/form-data; boundary=b"
        told = served.request(f"/gradio_api/{path}", method=method, body=form, Content_Type=kind)
        assert told[::2] == (403, "No files are taken here.")
    for file in ("/etc/passwd", str(Path(__file__))):
        assert local.request(f"/gradio_api/file={file}")[0] in (403, 404)


def test_monitoring_history_and_telemetry_are_off(local: ServedPage):
    config = json.loads(local.request("/config")[2])
    assert (config["analytics_enabled"], config.get("enable_monitoring", False)) == (False, False)
    assert local.request("/monitoring")[0] >= 400
    assert json.loads(local.request("/gradio_api/info")[2])["named_endpoints"] == {}


def test_each_visitor_of_a_public_page_gets_an_id_of_their_own(public: ServedPage):
    form = re.compile(rf"{VISITOR}=([\w-]{{32}}); Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000")
    one, other = (form.fullmatch(public.request()[1]["set-cookie"])[1] for _ in range(2))
    assert one != other
    assert "set-cookie" not in public.request(Cookie=f"{VISITOR}={one}")[1]
    assert "set-cookie" in public.request(Cookie=f"{VISITOR}=local")[1]
    guard = Guard(PlainTextResponse("a page"), access=Access(Who.ANYBODY), rules=RULES)
    for scheme, end in (("https", "Max-Age=31536000; Secure"), ("http", "Max-Age=31536000")):
        cookie = TestClient(guard, base_url=f"{scheme}://chat.example.org").get("/").headers["set-cookie"]
        assert cookie.rpartition("; SameSite=Lax; ")[2] == end  # one that came over https goes nowhere else


def test_few_files_at_a_time_become_texts(public: ServedPage, monkeypatch: pytest.MonkeyPatch):
    working, most, may_end = list[int](), list[int](), threading.Event()

    def read(file: Path, name: str) -> str:
        working.append(1)
        most.append(len(working))
        assert may_end.wait(60)
        working.pop()
        return name

    monkeypatch.setattr("ui.page.checking.text_of_file", read)

    def send(name: str) -> tuple[int, str]:
        visitor = f"{VISITOR}={new_visitor()}"  # who drops the cookie comes from the same address
        status, _, text = public.request(f"/texts?name={name}", body="Text.", Cookie=visitor, X_SearChain="upload")
        return status, text

    with ThreadPoolExecutor() as threads:
        sent = [threads.submit(send, f"{number}.txt") for number in range(4)]
        first, second = islice(as_completed(sent, 60), 2)
        may_end.set()
    refused = (503, '{"error":"Too many requests are waiting; try again in a few seconds."}')
    assert [first.result(), second.result()] == [refused] * 2
    assert sorted(one.result()[0] for one in sent) == [200, 200, 503, 503]
    assert max(most) == 1
