"""The page on a real server with its store and its people, and requests to it without a browser."""

import http.client
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from assistant import Assistant
from searchain.settings import Settings
from storage.database import Database
from storage.people import tokens, users
from tests.support.browser import free_port
from tests.support.story_runs import StoryPlayer
from ui.api.openai_routes import Api
from ui.page.app import build, serve
from ui.page.export import Exports
from ui.page.share import Shares
from ui.server.access import SESSION, Access, Who

PASSWORD = "correct horse"
ANN_AND_BOB = {"ann": "chat", "bob": "chat"}
"""Names and roles."""


@dataclass
class ServedPage:
    url: str
    store: Database
    assistant: Assistant
    access: Access

    @property
    def port(self) -> int:
        return urlsplit(self.url).port

    def request(
        self, path: str = "/", method: str = "", body: object = None, **headers: str
    ) -> tuple[int, dict[str, str], str]:
        """Ask for ``path``; lists, dictionaries and numbers go as JSON. A header is named with underscores."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = json.dumps(body) if isinstance(body, list | dict | int) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method or ("GET" if body is None else "POST"), path, sent, named)
        answer = connection.getresponse()
        found: dict[str, str] = {}
        for name, value in answer.getheaders():  # of which several may be cookies
            found[name.lower()] = ", ".join(filter(None, (found.get(name.lower()), value)))
        return answer.status, found, answer.read().decode()

    def session(self, name: str) -> dict[str, str]:
        """The headers of somebody who is signed in."""
        return {"Cookie": f"{SESSION}={tokens.issue(self.store, name, 'session')}"}


@contextmanager
def served_page(
    folder: Path,
    who: Who = Who.LOCAL,
    *,
    player: StoryPlayer | Callable[..., Any] | None = None,
    people: Mapping[str, str] = ANN_AND_BOB,
    exports: bool = False,
    shares: bool = False,
    api: bool = False,
    systems: tuple[str, ...] = (),
    **rules: Any,
) -> Iterator[ServedPage]:
    """Serve a page over a database in ``folder``; ``player`` makes its runs, and ``rules`` are those of ``Access``.

    ``systems`` are the methods that the API offers.
    """
    store = Database(folder / "page.db")
    for name, role in people.items():
        users.add(store, users.new(name, role, PASSWORD))
    assistant, access = Assistant(store, player or StoryPlayer(), Settings()), Access(who, store, **rules)
    parts: dict[str, Any] = {"access": access}
    if exports:
        parts["exports"] = Exports(assistant, access)
    if shares:
        parts["shares"] = Shares(store, access)
    routes = {"api": Api(assistant, access, systems=systems)} if api else {}
    page = build(assistant, about="a scripted model · index default", **parts)
    served = serve(page, host="127.0.0.1", port=free_port(), **parts, **routes)
    yield ServedPage(served.url, store, assistant, access)
    served.close()
    assistant.close()
