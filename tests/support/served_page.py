"""The page on a real server with its store and its people, and requests to it without a browser."""

import http.client
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from ui.page.own_documents import Library
from ui.page.share import Shares
from ui.server.access import SESSION, Access, Who

PASSWORD = "correct horse"
ANN_AND_BOB = {"ann": "chat", "bob": "chat"}
"""Names and roles."""
Answer = tuple[int, dict[str, str], str]
"""Status, headers and text."""


@dataclass
class ServedPage:
    url: str
    store: Database
    assistant: Assistant
    access: Access
    player: Any
    blocks: Any
    """Gradio's part of the page."""

    @property
    def port(self) -> int:
        return urlsplit(self.url).port

    def request(self, path: str = "/", method: str = "", body: object = None, **headers: str) -> Answer:
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
    assistant: Assistant | None = None,
    runs: Mapping[str, Any] | None = None,
    access: Access | None = None,
    people: Mapping[str, str] = ANN_AND_BOB,
    exports: bool = False,
    shares: bool = False,
    library: bool = False,
    api: bool = False,
    systems: tuple[str, ...] = (),
    others: Callable[[ServedPage], Sequence[Any]] = lambda site: (),
    page: Mapping[str, Any] | None = None,
    **rules: Any,
) -> Iterator[ServedPage]:
    """Serve a page over the database ``page.db`` in ``folder``.

    Args:
        player: makes the runs of the ``assistant``, which gets the further options ``runs``.
        exports, shares, library, api: add these parts; ``systems`` are the methods that the API offers.
        others: returns further parts.
        page: further options of ``build``.
        rules: options of the ``access``.
    """
    store = Database(folder / "page.db")
    for name, role in people.items():
        users.add(store, users.new(name, role, PASSWORD))
    player = player or StoryPlayer()
    assistant = assistant or Assistant(store, player, Settings(), **(runs or {}))
    access = access or Access(who, store, **rules)
    site = ServedPage("", store, assistant, access, player, None)
    documents = Library(store, assistant, access) if library else None
    made = build(
        assistant,
        about="a scripted model",
        access=access,
        exports=Exports(assistant, access) if exports else None,
        shares=Shares(store, access) if shares else None,
        library=documents,
        others=[*([Api(assistant, access, systems=systems)] if api else []), *others(site)],
        **(page or {}),
    )
    served = serve(made, host="127.0.0.1", port=free_port())
    site.url, site.blocks = served.url, served.page.blocks
    yield site
    served.close()
    if documents is not None:
        documents.close()
    assistant.close()
    store.close()
