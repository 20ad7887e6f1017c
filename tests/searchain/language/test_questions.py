"""Task kinds from the form of a question, and follow-ups made standalone."""

import pytest

from searchain.language.follow_ups import is_usable_rewrite, standalone_by_rule
from searchain.language.leaning import leans_on, needs_history
from searchain.language.questions import choose_task, whole_question
from searchain.types import Exchange

MARIO = [Exchange("Which company makes Mario?", "Nintendo makes Mario [1].", "Nintendo")]
BORN = [Exchange("In which country was Rudyard Kipling born?", "British India [1].", "British India")]
FOUNDER = [Exchange("Who founded Nintendo?", "Fusajiro Yamauchi [1].", "Fusajiro Yamauchi")]
GATES = [Exchange("When did Disneyland open its gates?", "July 17, 1955 [1].", "July 17, 1955")]


@pytest.mark.parametrize(
    ("question", "task"),
    [
        ("On which Japanese island is the city where Nintendo has its headquarters?", "multihop"),
        ("What was launched first, the Hubble telescope or the Voyager probes?", "multihop"),
        ("Is it older, A or B?", "multihop"),
        ("How many people live in Kyoto?", "multihop"),
        ("Name the capital of France.", "multihop"),
        ("Kyoto population", "multihop"),
        ("What is the capital of France?", "multihop"),
        ("Is Kyoto on Honshu?", "yesno"),
        ("Could a llama give birth twice during the war?", "yesno"),
        ("Is it true that Kyoto is old?", "yesno"),
        ("The Eiffel Tower was finished in 1889.", "factcheck"),
        ("Fact check: Kyoto is the capital of Japan", "factcheck"),
        ("Why is the sky blue?", "longform"),
        ("How do plants make their food?", "longform"),
        ("Explain photosynthesis.", "longform"),
        ("largest cities in Japan", "multihop"),
        ("Author of The Three Musketeers", "multihop"),
        ("population of Japan in 1990s", "multihop"),
        ("Can you tell me who wrote Hamlet?", "multihop"),
        ("Could you explain why the sky is blue?", "longform"),
        ("", "multihop"),
        ("?", "multihop"),
    ],
)
def test_task_from_form(question, task):
    assert choose_task(question).value == task


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was it founded?", True),
        ("And in 1990?", True),
        ("What about Sega?", True),
        ("Why?", True),
        ("Who is their king?", True),
        ("When was Nintendo founded?", False),
        ("Which city that hosts a museum is largest?", False),
        ("When did Disneyland open its gates?", False),
        ("Kyoto", False),
        ("Is there life on Mars?", False),
        ("How many moons are there around Jupiter?", False),
        ("Who directed Jaws and what film made him famous?", False),
        ("Who lived there?", True),
    ],
)
def test_follow_ups_are_recognised(question, expected):
    assert needs_history(question) is expected


@pytest.mark.parametrize(
    ("question", "history", "expected"),
    [
        ("When was it founded?", MARIO, "When was Nintendo founded?"),
        ("Who is its president?", MARIO, "Who is Nintendo's president?"),
        ("Who built it?", GATES, "Who built Disneyland?"),
        ("And where?", MARIO, "Where (Nintendo)?"),
        ("When was it founded?", [], "When was it founded?"),
        ("In which year did he die?", BORN, "In which year did Rudyard Kipling die?"),
        ("What is its capital?", BORN, "What is British India's capital?"),
        ("When was it founded?", FOUNDER, "When was Nintendo founded?"),
        ("When was he born?", FOUNDER, "When was Fusajiro Yamauchi born?"),
        ("When was it?", [Exchange("Who won?", "Ann Lee [1].", "Ann Lee")], "When was it?"),
    ],
)
def test_standalone_by_rule(question, history, expected):
    assert standalone_by_rule(question, history) == expected


@pytest.mark.parametrize(
    ("rewritten", "expected"),
    [
        ("When was Nintendo founded?", True),
        ("When was it founded?", False),
        ("", False),
        ("When was Sony founded?", False),
        ("Nintendo\nfounded", False),
        ("Where do pandas live?", False),
        ("x" * 500, False),
    ],
)
def test_a_models_rewrite_is_checked(rewritten, expected):
    assert is_usable_rewrite(rewritten, "When was it founded?", MARIO) is expected


SUNK = [Exchange("when did the titanic sink", "It sank on 15 April 1912 [3].", "15 April 1912")]


@pytest.mark.parametrize(
    ("rewritten", "question", "history", "expected"),
    [
        ("In what year was Nintendo established?", "When was it founded?", MARIO, True),
        ("During which year was Nintendo established?", "When was it founded?", MARIO, True),
        ("how old is nintendo", "When was it founded?", MARIO, True),
        ("When was Nintendo's company established?", "When was it founded?", MARIO, True),
        ("When was Sony established?", "When was it founded?", MARIO, False),
        ("Sony was established when Nintendo was?", "When was it founded?", MARIO, False),
        ("When was it established?", "When was it founded?", MARIO, False),
        ("Nintendo was established in Kyoto", "When was it founded?", MARIO, False),
        ("When was Nintendo founded? In a small workshop.", "When was it founded?", MARIO, False),
        ("Was Nintendo established in 1889?", "When was it founded?", MARIO, False),
        ("Where do pandas live?", "When was it founded?", MARIO, False),
        ("When was Nintendo " + "and by whom and for which good reason " * 6 + "set up?", "When was it?", MARIO, False),
        ("Did Nintendo exist before Sony?", "Is it older than Sony?", MARIO, True),
        ("Is Nintendo the older company?", "Is it older than Sony?", MARIO, False),
        ("Did Nintendo exist in 1900?", "Was it there in 1900?", MARIO, True),
        ("Did Nintendo exist long ago?", "Was it there in 1900?", MARIO, False),
        ("Who are two founders of Nintendo?", "Name two of its makers", MARIO, True),
        ("Who founded Nintendo?", "Name two of its makers", MARIO, False),
        ("On what date did the Lusitania go down?", "and the lusitania?", SUNK, True),
        ("On what date did the ship go down?", "lusitania?", SUNK, False),
        ("Which 3 ships sank with the titanic?", "what else sank", SUNK, False),
    ],
)
def test_a_capable_models_rewrite_keeps_names_and_numbers(rewritten, question, history, expected):
    assert is_usable_rewrite(rewritten, question, history, in_other_words=True) is expected


@pytest.mark.parametrize(
    ("question", "said", "standalone"),
    [
        ("how long is it", [("what is the nile", "Major river in Africa")], "how long is nile"),
        ("Who named it?", [("What is the largest ocean?", "Pacific Ocean")], "Who named Pacific Ocean?"),
        ("And when did she die?", [("Who was Queen Victoria?", "Queen from 1837")], "When did Queen Victoria die?"),
        ("Where was the band formed?", [("Who were the Beatles?", "English rock band")], "Where was Beatles formed?"),
        ("how high is it", [("where is mount fuji", "Honshu")], "how high is mount fuji"),
        ("what do people eat there", [("where is mount fuji", "Honshu")], "what do people eat in Honshu"),
        ("and argentina", [("what is the largest city of brazil", "Rio")], "what is the largest city of argentina?"),
        (
            "and saturn?",
            [("what is jupiter", "Fifth planet"), ("how far is jupiter from the sun", "5.2 AU")],
            "how far is saturn from the sun",
        ),
        (
            "How long is it?",
            [("What is the Suez Canal?", "Waterway in Egypt"), ("Which seas does Suez Canal connect?", "Red Sea")],
            "How long is Suez Canal?",
        ),
        (
            "what is its capital",
            [
                ("Who discovered penicillin?", "Alexander Fleming"),
                ("which country was Alexander Fleming from", "Scotland"),
            ],
            "what is Scotland's capital",
        ),
    ],
)
def test_what_a_follow_up_points_at(question, said, standalone):
    history = [Exchange(asked, answer, answer) for asked, answer in said]
    assert leans_on(history, question)
    assert standalone_by_rule(question, history) == standalone


@pytest.mark.parametrize(
    ("typed", "question"),
    [
        ("capital of brazil", "What is the capital of brazil?"),
        ("the height of mount everest", "What is the height of mount everest?"),
        ("CEO of apple", "Who is the CEO of apple?"),
        ("King of the Hill", "King of the Hill"),
        ("The king of France married Mary.", "The king of France married Mary."),
        ("The capital of France lies on the Seine.", "The capital of France lies on the Seine."),
        ("history of Rome", "history of Rome"),
        ("", ""),
    ],
)
def test_a_search_phrase_becomes_a_question(typed, question):
    assert whole_question(typed) == question


@pytest.mark.parametrize(
    "said",
    [
        ("How do I add my own files?", ""),
        ("Can you help me?", "I"),
        ("Who am I?", "you"),
        ("What should we do about Us?", "We"),
    ],
)
@pytest.mark.parametrize("question", ["how do I share this?", "What is it?", "When did that begin?", "And then?"])
def test_no_pronoun_of_a_follow_up_stands_for_those_who_talk(said, question):
    asked, answer = said
    assert standalone_by_rule(question, [Exchange(asked, answer, answer)]) == question


def test_this_is_what_a_first_person_question_named():
    said = Exchange("Can I visit Kyoto in May?", "Yes.", "yes")
    assert standalone_by_rule("What is it?", [said]) == "What is Kyoto?"
