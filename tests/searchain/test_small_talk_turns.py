"""Small talk, greetings and misspelt questions on their way through the pipeline."""

from dataclasses import replace

import pytest

from searchain.events import QuestionRewritten, fold
from searchain.language.spelling import Speller
from searchain.types import Abilities, Exchange, Outcome, Passage, Status, TaskKind
from tests.support.fakes import CITY, CORPUS, RIGHT_CHAIN, TOY_COLLECTION, chain_text, toy_searchain
from tests.support.question_head import head

ONE_STEP = chain_text((CITY, "Kyoto"))
SPELLER = Speller([*CORPUS, Passage("more", "Headquarters", "The headquarters of a city. " * 30)])


def searchain(*replies, **named):
    return toy_searchain(*replies, probability=None, collection=TOY_COLLECTION, **named)


@pytest.mark.parametrize(
    "said", ["hello", "thx", "what can you do", "17 * 23", "tell me a joke", "more", "???", "Qui êtes-vous ?"]
)
def test_small_talk_needs_no_model_and_no_search(said):
    chain = searchain(head=head())
    turn = fold(chain.stream(said))
    assert (turn.status, turn.outcome, turn.final_answer) == (Status.ANSWERED, Outcome.NO_SEARCH, "")
    assert (turn.nodes, turn.sources, turn.usage.llm_calls) == ((), (), 0)
    assert "4 introductions" in turn.answer
    assert chain.retriever.queries == []


@pytest.mark.parametrize(
    ("said", "is_looked_up"), [("Wo liegt Kyoto?", True), ("quelle est la capitale de l'Italie", False)]
)
def test_a_question_in_a_language_of_the_collection_is_looked_up(said, is_looked_up):
    chain = searchain(ONE_STEP, speller=SPELLER, head=head())
    chain.collection = replace(chain.collection, languages=frozenset({"English", "German"}))
    turn = fold(chain.stream(said))
    assert turn.standalone_question == said  # no word of it is taken for misspelt English
    assert (turn.outcome is not Outcome.NO_SEARCH, bool(chain.retriever.queries)) == (is_looked_up, is_looked_up)


def test_a_question_about_the_program_gets_its_place_and_nothing_else():
    chain = searchain(head=head())
    turn = fold(chain.stream("how do I share this?", history=[Exchange("How do I add my own files?", "Drop them.")]))
    assert (turn.outcome, turn.standalone_question) == (Outcome.NO_SEARCH, "how do I share this?")
    assert "“Share”" in turn.answer
    assert "introductions" not in turn.answer
    assert chain.retriever.queries == []


@pytest.mark.parametrize("text", ["bye", "thanks!", "asdfgh", "你好", "how do I export this?", "and what can you do?"])
def test_talk_after_an_answer_is_no_follow_up(text):
    chain = searchain(head=head(), abilities=Abilities.TRAINED)
    turn = fold(chain.stream(text, history=[Exchange(CITY, "Kyoto [1].", "Kyoto")]))
    assert (turn.outcome, turn.standalone_question) == (Outcome.NO_SEARCH, text)


def test_more_after_an_answer_is_a_summary_of_what_was_asked_about():
    chain = searchain(head=head(), abilities=Abilities.TRAINED)
    turn = fold(chain.stream("tell me more", history=[Exchange("When was Nintendo founded?", "1889 [1].", "1889")]))
    assert turn.standalone_question == "tell me more about Nintendo"
    assert (turn.task, turn.usage.llm_calls) == (TaskKind.DEFINE, 0)


def test_a_greeting_is_left_out_of_what_is_looked_up():
    events = list(searchain(ONE_STEP).stream("hi, could you tell me in which city Nintendo has its headquarters?"))
    turn = fold(events)
    assert turn.question.startswith("hi,")
    assert turn.outcome is not Outcome.NO_SEARCH
    rewritten = [event for event in events if isinstance(event, QuestionRewritten)]
    assert [event.by for event in rewritten] in ([], ["rule"])
    turn = fold(searchain(ONE_STEP, head=head()).stream("hi, could you please tell me where Kyoto is?"))
    assert turn.standalone_question == "where Kyoto is?"


def test_the_paper_profile_answers_everything_as_it_stands():
    turn = fold(toy_searchain(*RIGHT_CHAIN, profile="paper").stream("hello"))
    assert turn.outcome is not Outcome.NO_SEARCH
    assert turn.nodes


@pytest.mark.parametrize("question", ["is that allowed in summer too", "what happens if it breaks"])
def test_what_no_edit_completes_is_searched_with_the_question_before(question):
    chain = searchain(*[ONE_STEP] * 3, head=head(), abilities=Abilities.TRAINED)
    list(chain.stream(question, history=[Exchange("Is there a note on the stairs?", "No.", "")]))
    assert any("note on the stairs" in query for query in chain.retriever.queries)
