"""The turn of small talk: a reply of a few sentences and nothing else."""

from searchain.events import fold
from searchain.question.talk import talk_of
from searchain.reply.no_search import Collection, no_search
from searchain.types import Exchange, Usage

COLLECTION = Collection(
    "toy", 10_033, "introductions of encyclopedia articles", ("Who was A?", "Where is B?", "When was C?")
)


def turn_of(said, collection=COLLECTION):
    return fold(no_search(talk_of(said), collection, Usage(seconds=0.1)))


def test_the_reply_says_what_it_is_and_what_may_be_asked():
    turn = turn_of("what can you do?")
    assert turn.answer.startswith("I am SearChain")
    assert "10,033 introductions of encyclopedia articles" in turn.answer
    offered = turn.answer.partition("You could ask me ")[2]
    assert sorted(offered.replace(" or ", ", ").split(", ")) == ["“When was C?”", "“Where is B?”", "“Who was A?”"]


POOL = Collection("toy", examples=tuple(f"Who was {letter}?" for letter in "ABCDEFGH"))


def test_a_conversation_is_offered_the_same_examples_when_it_is_run_again_and_others_later():
    history: list[Exchange] = []
    seen: list[str] = []
    for said in ("hi", "thanks", "hi"):
        reply = fold(no_search(talk_of(said), POOL, Usage(), said, history)).answer
        assert fold(no_search(talk_of(said), POOL, Usage(), said, history)).answer == reply
        seen.append(reply.partition("You could ask me ")[2])
        history.append(Exchange(said, reply))
    offered = [example for example in POOL.examples for reply in seen[:2] if example in reply]
    assert len(offered) == len(set(offered)) == 6  # nothing twice while others are left
    assert len(set(seen)) == 3
    assert [POOL.offers(said, ()) for said in ("hi", "hello", "hey", "thanks")] != [POOL.offers("hi", ())] * 4
