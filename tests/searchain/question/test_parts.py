"""Questions that ask for several things, and questions that only look so."""

import pytest

from searchain.question.parts import parts_of


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("How much is the rent and when is it due?", ("How much is the rent?", "When is the rent due?")),
        ("how much is the rent? And when is it due", ("How much is the rent?", "When is the rent due?")),
        (
            "Who founded Rome, when was it founded and what is its population?",
            ("Who founded Rome?", "When was Rome founded?", "What is Rome's population?"),
        ),
        ("Who wrote Hamlet and when was it written?", ("Who wrote Hamlet?", "When was Hamlet written?")),
        ("Which country is Fuji in and how high is it?", ("Which country is Fuji in?", "How high is Fuji?")),
        (
            "What are the opening hours, and where can I park?",
            ("What are the opening hours?", "Where can I park?"),
        ),
        # parts that depend on one another
        ("Who wrote War and Peace?", ()),
        ("Who wrote Hamlet and when?", ()),
        ("Is Rome older than Paris and London?", ()),
        ("Which is the largest of the Channel Islands, where the official language is French?", ()),
        ("Who was a man who influenced Andy Warhol's work and who died of heart failure?", ()),
        (
            "What is the fight song of the university whose campus is in Lawrence and whose branches are in Kansas City?",
            (),
        ),
        ("Where were the emissions one ton and where the pyramids are located?", ()),
        ("When violence is used, what is civil disobedience called?", ()),
        ("What was the name of William's eldest son, who, on his father's death, became Duke?", ()),
        ("What are the five largest states, and what are their capitals?", ()),
        ("Who wrote Antigone and what are the dates of his birth and death?", ()),
        ("Who wrote Hamlet and when was he born?", ()),
        ("Who beat Napoleon at Waterloo and where was he born?", ()),
        ("Who is the founder of Google and when was he born?", ()),
        ("Who was older, Bach or Handel, and when was he born?", ()),
        ("Which river is longer, the Nile or the Amazon, and how long is it?", ()),
        ("Who played Neo in The Matrix and who directed it?", ()),
        ("What did Newton publish and when was it published?", ()),
        ("When did Mozart meet Haydn and where did he live?", ()),
        ("What are the opening hours and how do I get there?", ()),
        ("when did the Titanic sink and how many people died", ()),
        ("Who was Nelson Mandela and when did he die?", ()),
        ("", ()),
    ],
)
def test_a_question_for_several_things_has_parts_that_stand_alone(question, parts):
    assert parts_of(question) == parts
