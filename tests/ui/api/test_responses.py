"""OpenAI's Responses API: the real openai client against the real server, over a scripted model."""

import json
from pathlib import Path

import openai
import pytest

from searchain.types import Exchange, Status
from storage.people import tokens, users
from tests.support.api_site import REPLY, Site, told, user
from tests.support.stories import QUESTION, ending, nintendo
from tests.support.story_runs import StoryPlayer


def cited(part) -> list[tuple]:
    return [(part.text[one.start_index : one.end_index], one.type, one.title, one.url) for one in part.annotations]


KYOTO = [
    ("[1]", "url_citation", "Nintendo", "https://en.wikipedia.org/wiki/Nintendo"),
    ("[2]", "url_citation", "Kyoto", "https://en.wikipedia.org/wiki/Kyoto"),
]


PARTS = {"role": "user", "content": [{"type": "input_text", "text": QUESTION}]}


@pytest.mark.parametrize("asked", [QUESTION, user(QUESTION), [{"role": "developer", "content": "Be rude."}, PARTS]])
def test_a_question_is_answered_with_its_citations(site: Site, asked):
    answer = site.client().responses.create(
        model="searchain", input=asked, instructions="Be brief.", metadata={"job": "7"}
    )
    (message,) = answer.output
    assert (answer.output_text, message.role) == (REPLY, "assistant")
    assert (answer.status, message.status) == ("completed", "completed")
    assert cited(message.content[0]) == KYOTO
    assert answer.usage.total_tokens == answer.usage.input_tokens + answer.usage.output_tokens > 0
    assert (answer.model, answer.instructions, answer.metadata) == ("searchain", "Be brief.", {"job": "7"})
    assert answer.id == f"resp_{answer.searchain['turn']}"
    assert (answer.searchain["outcome"], answer.searchain["probability"]) == ("supported", 0.95)
    assert site.assistant.turn(answer.searchain["turn"], owner="ann").answer == REPLY


def test_a_reply_is_streamed_with_the_events_of_the_api(site: Site):
    events = list(site.client().responses.create(model="searchain+sources", input=QUESTION, stream=True))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    kinds = [event.type.removeprefix("response.") for event in events]
    assert kinds[:4] == ["created", "in_progress", "output_item.added", "content_part.added"]
    done = ["output_text.done", "content_part.done", "output_item.done", "completed"]
    assert kinds[-6:] == [*["output_text.annotation.added"] * 2, *done]
    assert set(kinds[4:-6]) == {"output_text.delta"}
    text = f"{REPLY}\n\nSources:\n[1] Nintendo, https://en.wikipedia.org/wiki/Nintendo: “Kyoto”\n[2] Kyoto, "
    deltas = [event.delta for event in events if event.type == "response.output_text.delta"]
    whole = events[-1].response
    assert len(deltas) > 1
    assert "".join(deltas) == events[-4].text == whole.output_text
    assert whole.output_text.startswith(text)
    assert cited(whole.output[0].content[0]) == KYOTO
    assert [event.annotation.title for event in events[-6:-4]] == ["Nintendo", "Kyoto"]
    assert events[0].response.id == whole.id
    assert (events[0].response.status, whole.usage.total_tokens > 0) == ("in_progress", True)


def test_a_response_continues_the_conversation_of_another(tmp_path: Path):
    player = StoryPlayer()
    for site in told(tmp_path, player):
        client = site.client().responses
        first = client.create(model="searchain", input="Where is Nintendo?")
        second = client.create(model="searchain", input="And where is that?", previous_response_id=first.id)
        third = client.create(model="searchain", input="Why?", conversation=first.conversation.id)
        assert first.conversation == second.conversation == third.conversation
        assert second.previous_response_id == first.id
        assert [len(history) for history in player.histories] == [0, 1, 2]
        branch = client.create(model="searchain", input="Who says so?", previous_response_id=first.id)
        assert branch.conversation != first.conversation
        assert player.histories[-1] == player.histories[1]
        users.add(site.store, users.new("ben", "chat", "correct horse"))
        for token in (site.token, tokens.issue(site.store, "ben")):
            id = "resp_01X" if token == site.token else first.id
            with pytest.raises(openai.NotFoundError, match=f"there is no turn '{id.removeprefix('resp_')}'"):
                site.client(token).responses.create(model="searchain", input="Why?", previous_response_id=id)


def test_what_came_before_is_sent_as_items(tmp_path: Path):
    player = StoryPlayer()
    for site in told(tmp_path, player):
        said = [
            {"type": "reasoning", "id": "r1", "summary": []},
            {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Fusajiro"}]},
        ]
        asked = [*user("Who founded Nintendo?"), *said, *user("When?")]
        site.client().responses.create(model="searchain", input=asked)
    assert player.histories == [(Exchange(question="Who founded Nintendo?", answer="Fusajiro"),)]


def test_a_failed_run_is_told_in_both_forms(tmp_path: Path):
    end = ending(Status.FAILED, message="the model is asleep; wake it")
    player = StoryPlayer(lambda question: [*list(nintendo(question))[:3], end])
    for site in told(tmp_path, player):
        with pytest.raises(openai.InternalServerError, match="the model is asleep; wake it"):
            site.client().responses.create(model="x", input="Where?")
        assert len(player.histories) == 1
        *_, last = site.client().responses.create(model="x", input="Where?", stream=True)
        assert (last.type, last.response.status) == ("response.failed", "failed")
        assert last.response.error.message == "the model is asleep; wake it"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{}", "input must be text, or a list with at least one message"),
        (b'{"input": "  "}', "the question is empty; write one, such as: Who founded Nintendo?"),
        (b'{"input": [{"type": "reasoning"}]}', "input must be text, or a list with at least one message"),
        (
            b'{"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}]}',
            "the content of input[0] has a part that is no text; only text is understood",
        ),
        (b'{"input": "Who?", "previous_response_id": 7}', "previous_response_id must be short text"),
        (b'{"input": "Who?", "metadata": "papers"}', "metadata must be an object"),
        (b'{"input": "Who?", "metadata": {"collection": ["papers"]}}', "metadata.collection must be short text"),
    ],
)
def test_a_request_that_asks_nothing_is_told_so(site: Site, body: bytes, message: str):
    status, answer = site.raw("/v1/responses", body)
    assert (status, answer["error"]["message"]) == (400, message)


TOOLS = {"tools": [{"type": "web_search"}], "tool_choice": "auto"}


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("response_format", {"type": "json_object"}, "replies are text; leave it out, or ask for the type 'text'"),
        *((name, value, "no tools are called here; leave it out") for name, value in TOOLS.items()),
    ],
)
def test_what_is_not_supported_is_refused(site: Site, path: str, name: str, value: object, why: str):
    asked = {"messages": user(QUESTION), "input": QUESTION, name: value}
    status, answer = site.raw(path, json.dumps(asked).encode())
    assert (status, answer["error"]["message"]) == (400, f"{name} is not supported: {why}")
    assert (answer["error"]["param"], answer["error"]["code"]) == (name, "unsupported_parameter")
