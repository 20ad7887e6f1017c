"""Open WebUI's tasks: short orders about a chat, which are answered without a run."""

import json
from pathlib import Path

import pytest

from tests.support.api_site import Site, told, user
from tests.support.story_runs import StoryPlayer

CHAT = "<chat_history>\nUSER: Who founded Nintendo?\nASSISTANT: Fusajiro Yamauchi [1].\n</chat_history>"


def task(order: str, form: str, rest: str = "") -> str:
    return f"### Task:\n{order}\n### Guidelines:\n- Be short.\n### Output:\nJSON format: {form}\n### Chat History:\n{CHAT}{rest}"


TASKS = [
    (task("Write a title.", '{ "title": "your title" }\n- { "title": "Trends" }'), {"title": "Who founded Nintendo?"}),
    (task("Write tags.", '{ "tags": ["tag1", "tag2"] }'), {"tags": []}),
    (task("Suggest what to ask next.", '{ "follow_ups": ["Question 1?"] }'), {"follow_ups": []}),
    (task("Write queries.", '\n{\n  "queries": ["query1", "query2"]\n}'), {"queries": []}),
    (task("Describe an image.", '{\n    "prompt": "Your description."\n}'), {"prompt": ""}),
    (task("Complete `<text>`.", '`{ "text": "" }`', "\n<type>General</type>\n<text>Who</text>"), {"text": ""}),
]


@pytest.fixture
def site(tmp_path: Path):
    yield from told(tmp_path, StoryPlayer(), limited=(1, 1))


def test_a_task_is_answered_at_once_and_leaves_nothing(site: Site):
    client = site.client()
    for order, wanted in TASKS:
        whole = client.chat.completions.create(model="searchain+sources", messages=user(order))
        chunks = client.chat.completions.create(model="searchain", messages=user(order), stream=True)
        streamed = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
        said = (whole.choices[0].message.content, streamed, client.responses.create(model="x", input=order).output_text)
        assert [json.loads(text) for text in said] == [wanted] * 3
    assert site.turns() == []
    assert site.raw("/v1/chat/completions", b"{}", token="nobody")[0] == 401


@pytest.mark.parametrize(
    ("history", "title"),
    [
        ("USER: Who?\nAnd when?\nASSISTANT: In 1889.\nUSER: Why?", "Who? And when?"),
        ("\nUSER: Straße?\n</chat_history>", "Straße?"),
        ("ASSISTANT: Hello.\nUSER: Who?", ""),
        ("", ""),
    ],
)
def test_a_title_is_made_from_the_first_question(site: Site, history: str, title: str):
    order = f'### Task:\nWrite a title.\n{{ "title": "x" }}\n<chat_history>{history}'
    answer = site.client().chat.completions.create(model="searchain", messages=user(order))
    assert json.loads(answer.choices[0].message.content) == {"title": title}


@pytest.mark.parametrize(
    "question",
    [
        '### Task:\nAnswer from the context.\n<context>{ "title": "Nintendo" }</context>\n<user_query>Who?</user_query>',
        'What does { "title": "x" } mean in <chat_history>?',
        "### Task:\nWho founded Nintendo?",
    ],
)
def test_a_question_that_only_looks_like_a_task_is_asked(site: Site, question: str):
    site.client().chat.completions.create(model="searchain", messages=user(question))
    assert len(site.turns()) == 1
