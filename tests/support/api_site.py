"""A served page with OpenAI's API and the token of ann."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openai

from storage.people import tokens
from tests.support.served_page import ServedPage, served_page
from ui.server.access import Who

REPLY = "Nintendo has its headquarters in Kyoto [1]. Kyoto lies on the island of Honshu [2]. Sega sits elsewhere."
"""To ``QUESTION``, by the model that speaks from a script."""


@dataclass
class Site(ServedPage):
    """A served page and the token of ann."""

    token: str

    def client(self, token: str | None = None, **options) -> openai.OpenAI:
        return openai.OpenAI(base_url=f"{self.url}v1", api_key=token or self.token, timeout=120, **options)

    def raw(self, path: str, body: bytes | None = None, *, method: str = "", token: str | None = "", **headers: str):
        if token is not None:
            headers["Authorization"] = f"Bearer {token or self.token}"
        status, _, text = self.request(path, method, body, **headers)
        return status, json.loads(text)

    def turns(self) -> list[str]:
        """The turns of ann's conversations, the latest conversation first."""
        kept = self.assistant.overview(owner="ann")
        return [id for one in kept for id, _ in self.assistant.turns(one.id, owner="ann")]


def told(
    folder: Path, player: Any, who: Who = Who.USERS, limited: tuple[int, int] | None = None, **options
) -> Iterator[Site]:
    options |= dict(zip(("at_once", "per_hour"), limited or (), strict=False))
    with served_page(folder, who, player=player, people={"ann": "chat"}, api=True, **options) as served:
        yield Site(**vars(served), token=tokens.issue(served.store, "ann"))


def user(text: str) -> list[dict]:
    return [{"role": "user", "content": text}]
