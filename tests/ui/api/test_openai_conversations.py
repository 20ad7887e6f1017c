"""One stored conversation for all messages that a client of OpenAI's API sends of it."""

from pathlib import Path

import openai
import pytest

from searchain.types import Exchange
from tests.support.api_site import Site, told, user
from tests.support.stories import nintendo
from tests.support.story_runs import StoryPlayer, store_run


@pytest.fixture
def site(tmp_path: Path):
    yield from told(tmp_path, StoryPlayer())


def ask(site: Site, messages: list[dict], **more) -> str:
    """Ask, append the reply to the messages, and return the conversation."""
    answer = site.client().chat.completions.create(**{"model": "searchain", "messages": messages, **more})
    messages.append({"role": "assistant", "content": answer.choices[0].message.content})
    return answer.searchain["conversation"]


def stored(site: Site) -> list[list[str]]:
    kept = sorted(one.id for one in site.assistant.overview(owner="ann"))
    return [[turn.question for _, turn in site.assistant.turns(id, owner="ann")] for id in kept]


@pytest.mark.parametrize("model", ["searchain", "searchain+sources"])
def test_messages_continue_the_conversation_that_they_repeat(site: Site, model: str):
    said = [{"role": "system", "content": "Be brief."}]
    for question in ("Who founded it?", " When\r\nwas that? ", "Why?"):
        said += user(question)
        ask(site, said, model=model)
    assert stored(site) == [["Who founded it?", "When\nwas that?", "Why?"]]
    assert [len(history) for history in site.player.histories] == [0, 1, 2]
    assert site.player.histories[2][0].final_answer == "Honshu"


def test_other_messages_begin_a_conversation_and_then_continue_it(site: Site):
    said = user("Who?")
    first = ask(site, said)
    edited = [*said[:1], {"role": "assistant", "content": "Somebody else."}, *user("When?")]
    second = ask(site, edited)
    assert second != first
    assert site.player.histories[-1] == (Exchange(question="Who?", answer="Somebody else."),)
    edited += user("Why?")
    assert ask(site, edited) == second
    assert [one.question for one in site.player.histories[-1]] == ["Who?", "When?"]
    again = [*said, *user("Where?")]
    assert ask(site, again) == first
    assert ask(site, [*said, *user("And where?")]) not in (first, second)  # the reply to "Where?" is not in it
    assert ask(site, user("Who?")) != first
    assert stored(site) == [["Who?", "Where?"], ["When?", "Why?"], ["And where?"], ["Who?"]]


def test_nobody_continues_what_others_said(site: Site):
    started = store_run(site.store, nintendo("Who?"), owner="ben")
    reply = site.assistant.turn(started.turn, owner="ben").answer
    said = [*user("Who?"), {"role": "assistant", "content": reply}, *user("Why?")]
    assert ask(site, said) != started.conversation
    for more in ({"metadata": {"conversation": started.conversation}}, {"metadata": {"conversation": "x"}}):
        with pytest.raises(openai.NotFoundError, match="there is no conversation"):
            ask(site, user("Why?"), **more)


def test_a_conversation_that_is_being_answered_is_left_alone(site: Site):
    said = user("Who?")
    first = ask(site, said)
    site.player.hold = 6
    running = site.assistant.start("When?", owner="ann", conversation=first)
    with pytest.raises(openai.BadRequestError, match="is still being answered; wait for it, or stop it first"):
        ask(site, user("Why?"), metadata={"conversation": first})
    site.player.hold = None
    assert ask(site, [*said, *user("Why?")]) != first
    site.player.go_on.set()
    list(site.assistant.follow(running.turn, owner="ann"))
