import re
from dataclasses import replace

from searchain.events import fold
from searchain.types import Hit, Passage, Place
from tests.support.hostile import PAYLOADS
from tests.support.stories import KYOTO, everest, nintendo
from ui.page.evidence import also_found, next_questions, uncited


def test_every_uncited_passage_is_listed_once_with_the_query_that_ranked_it_best():
    found = [(each.hit.passage.title, each.hit.rank, each.query) for each in uncited(fold(everest()))]
    assert found == [
        *((f"Another page {number}", 1, f"What is step {number + 8}?") for number in range(1, 5)),
        *((f"Another page {number}", number - 2, "What is the highest mountain on Earth?") for number in (5, 6, 7)),
    ]


def test_hostile_passages_add_no_markup():
    turn = fold(everest())

    def tags(title: str) -> list[str]:
        hits = {
            "n1": tuple(
                Hit(replace(KYOTO, title=f"{number} {title}", text=title), 1.0, number) for number in range(1, 8)
            )
        }
        return re.findall("<[^>]+>", also_found("t1", replace(turn, hits=hits)))

    assert [payload for payload in PAYLOADS if tags(payload) != tags("plain")] == []


def test_what_may_be_asked_next_is_about_passages_that_were_found():
    turn = fold(everest())
    near = [Passage(f"p{number}", f"Page {number}", "It names Mount Everest.") for number in range(1, 5)]
    found = replace(turn, hits={"n1": tuple(Hit(one, 1.0, rank) for rank, one in enumerate(near, 1))})
    assert next_questions(found) == [
        "Tell me about Mount Everest.",
        "Tell me about القاهرة.",
    ]  # the reply names none of them
    named = replace(found, answer="Mount Everest is on page 4 and page 2.", final_answer="Page 2")
    assert next_questions(named) == [f"Tell me about {title}." for title in ("Page 2", "Mount Everest", "Page 4")]
    assert next_questions(fold(nintendo())) == ["Tell me about Kyoto."]  # Nintendo was asked about
    turn = replace(turn, answer="Ada Lovelace saw it.", sources=())
    life = "Ada Lovelace (1815–1852) was an English mathematician. She saw Mount Everest."
    she = Passage("ada", "Ada Lovelace (countess)", life)
    found = replace(turn, hits={"n1": (Hit(she, 1.0, 1),)})
    assert next_questions(found) == ["Tell me about Ada Lovelace."]
    assert next_questions(replace(found, standalone_question="Who was Ada Lovelace?")) == []
    own = replace(she, title="letters.pdf › To the bank", place=Place("01DOC", "0" * 64, 0, 10))
    found = replace(turn, hits={"n1": (Hit(own, 1.0, 1), Hit(replace(own, id="other"), 0.9, 2))})
    assert next_questions(found) == ["Summarise the section To the bank."]
    assert next_questions(replace(found, standalone_question="What did she write to the bank?")) == []
    faq = replace(own, title="faq.md › What does a ride cost?")
    assert next_questions(replace(found, hits={"n1": (Hit(faq, 1.0, 1),)})) == ["What does a ride cost?"]
    plain = replace(turn, final_answer="", hits={"n1": (Hit(replace(own, title="letters.pdf"), 1.0, 1),)})
    assert next_questions(plain) == ["What are these documents about?"]
    assert next_questions(replace(plain, final_answer="40 euros")) == []
