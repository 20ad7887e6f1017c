"""A small web on this machine: a SearXNG-like search, pages, and servers that misbehave."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from tests.support.json_lines import DATA

KYOTO = (DATA / "kinds/kyoto.html").read_text(encoding="utf-8")
PLAIN = "Sapporo is the largest city of Hokkaido. It has about two million people."


PAGES = {
    "/large": ("x" * 40_000,),
    "/kyoto": (KYOTO, "text/html; charset=utf-8"),
    **dict.fromkeys(("/plain", "/private"), (PLAIN, "text/plain")),
    "/picture": ("GIF89a", "image/gif"),
}


class Handler(BaseHTTPRequestHandler):
    """Pages by their path; ``/search`` finds what its server was told."""

    def do_GET(self) -> None:
        site, path = self.server.site, urlsplit(self.path).path
        site.asked.append(self.path)
        if path == "/search":
            query = parse_qs(urlsplit(self.path).query)
            results = [{"url": url, "title": title, "content": "a snippet"} for url, title in site.results]
            self.say(json.dumps({"query": query["q"][0], "results": results}), "application/json")
        elif path == "/robots.txt":
            self.say(site.robots, "text/plain", status=200 if site.robots else 404)
        elif path == "/slow":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            with suppress(ConnectionError):  # whoever asked has gone
                for _ in range(400):
                    self.wfile.write(b"<p>still coming</p>")
                    time.sleep(0.05)
        elif path == "/dripping":
            with suppress(ConnectionError):
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                for number in range(60):
                    self.wfile.write(f"X-{number}: still coming\r\n".encode())
                    time.sleep(0.4)
        elif path in ("/loop", "/away", "/moved"):
            self.lead({"/loop": "/loop", "/away": site.away, "/moved": "/kyoto"}[path])
        elif path == "/packed":
            self.say("", headers={"Content-Encoding": "gzip"})
        elif path in PAGES:
            self.say(*PAGES[path])
        else:
            self.say("nothing here", status=404)

    def say(self, text: str, kind: str = "text/html", status: int = 200, headers: dict | None = None) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def lead(self, where: str) -> None:
        self.send_response(302)
        self.send_header("Location", where)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


class Site:
    """One server: what it finds, what it allows, and which paths were asked."""

    def __init__(self, url: str) -> None:
        self.url, self.results, self.robots, self.away, self.asked = url, [], "", "", []


@contextmanager
def small_web() -> Iterator[Site]:
    """Serve the small web at a free port of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.site = Site(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
