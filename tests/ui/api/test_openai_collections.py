"""Collections of own documents over OpenAI's API: who may search which, and how a citation of a file is sent."""

from dataclasses import replace
from pathlib import Path

import openai
import pytest

from searchain.events import ReplyDelta, RunStarted
from searchain.types import Place
from storage.collections import access
from storage.people import tokens, users
from tests.support.api_site import Site, told, user
from tests.support.stories import nintendo
from tests.support.story_runs import StoryPlayer


class Librarian(StoryPlayer):
    """Plays a run over the index that was asked for, whose passages are from a document."""

    def __call__(self, settings, index):
        self.story = lambda question: [self._of(event, index) for event in nintendo(question)]
        return self

    @staticmethod
    def _of(event, index):
        if isinstance(event, RunStarted):
            return replace(event, index=index)
        if isinstance(event, ReplyDelta) and index != "default":
            place = Place(document="01DOC", version="v", start=0, end=9)
            placed = (replace(one, passage=replace(one.passage, place=place)) for one in event.sources)
            return replace(event, sources=tuple(placed))
        return event


@pytest.fixture
def site(tmp_path: Path):
    yield from told(tmp_path, Librarian(), systems=("searchain-paper",))


def searched(site: Site, answer) -> tuple[str, ...]:
    return site.assistant.turn(answer.searchain["turn"], owner="ann").collections


def test_a_collection_is_named_by_the_model_or_in_the_metadata(site: Site):
    access.create(site.store, "ann", "papers")
    access.create(site.store, "ann", "letters")
    client = site.client()
    listed = [f"searchain/{name}" for name in ("searchain-paper", "letters", "papers")]
    assert [one.id for one in client.models.list()][2:] == listed
    assert client.models.retrieve("searchain/papers").id == "searchain/papers"
    chat, respond = client.chat.completions.create, client.responses.create
    papers = {"metadata": {"collection": "papers"}}
    for model, more, wanted in (
        ("searchain/papers", {}, ("papers",)),
        ("searchain+sources/papers", {}, ("papers",)),
        ("gpt-x", papers, ("papers",)),
        ("searchain/letters", papers, ("letters", "papers")),
        ("searchain/searchain-paper", papers, ("papers",)),
        ("searchain", {}, ()),
    ):
        for answer in (
            chat(model=model, messages=user("Where?"), **more),
            respond(model=model, input="Where?", **more),
        ):
            assert searched(site, answer) == wanted
            assert answer.model == ("searchain" if model == "gpt-x" else model)
    assert chat(model="searchain+sources/papers", messages=user("Where?")).choices[0].message.content.count("Sources:")


def test_a_follow_up_searches_the_documents_of_the_turn_before_and_their_citations_are_of_files(site: Site):
    access.create(site.store, "ann", "papers")
    first = site.client().responses.create(model="searchain/papers", input="Where?")
    second = site.client().responses.create(model="searchain", input="Why?", previous_response_id=first.id)
    assert searched(site, second) == ("papers",)
    (part,) = first.output[0].content
    for note in part.annotations:
        assert (note.type, note.file_id, note.filename) == ("file_citation", "01DOC", note.title)
        assert part.text[note.index :].startswith(f"[{note.number}]")
        assert note.place["document"] == "01DOC"
    assert part.annotations


def test_a_forbidden_collection_is_as_one_that_does_not_exist(site: Site):
    users.add(site.store, users.new("ben", "chat", "correct horse"))
    secret = access.create(site.store, "ann", "secret")
    ben = site.client(tokens.issue(site.store, "ben"))
    assert not any("secret" in one.id for one in ben.models.list())

    def refusals(name: str) -> set[str]:
        said = set()
        for named in ({"model": f"searchain/{name}"}, {"model": "searchain", "metadata": {"collection": name}}):
            for ask, asked in (
                (ben.chat.completions.create, {"messages": user("Where?")}),
                (ben.responses.create, {"input": "Where?"}),
            ):
                with pytest.raises(openai.NotFoundError) as refused:
                    ask(**named, **asked)
                said.add(str(refused.value).replace(name, "NAME"))
        with pytest.raises(openai.NotFoundError) as refused:
            ben.models.retrieve(f"searchain/{name}")
        return said | {str(refused.value)}

    assert refusals("secret") == refusals("nothing") == refusals(secret.id)
    access.share(site.store, secret, "ben", access.Role.READER)
    assert ben.models.retrieve("searchain/secret").id == "searchain/secret"


def test_a_name_that_means_several_is_listed_by_its_id(site: Site):
    for owner in ("ben", "cleo"):
        users.add(site.store, users.new(owner, "chat", "correct horse"))
        access.publish(site.store, access.create(site.store, owner, "notes"), True)
    client = site.client()
    listed = [one.id for one in client.models.list()][3:]
    assert sorted(listed) == sorted(f"searchain/{one.id}" for one in access.every(site.store, "ann"))
    for model in listed:
        assert searched(site, client.responses.create(model=model, input="Where?")) == ("notes",)
    with pytest.raises(openai.BadRequestError, match="several collections are called 'notes'"):
        client.responses.create(model="searchain/notes", input="Where?")
    access.create(site.store, "ann", "notes")
    assert client.models.retrieve("searchain/notes").id == "searchain/notes"
