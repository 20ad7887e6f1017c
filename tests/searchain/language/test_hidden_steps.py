"""Questions about something that is only described."""

import pytest

from searchain.language.hidden_steps import hides_step


@pytest.mark.parametrize(
    "query",
    [
        "Tom Thumb is part of the southern division of a grocery company based in what city?",
        "Steven Rattazzi provides the voice for a character on an animated series created by who?",
        "The hockey team that won the 1997 Calder Cup playoffs is based in what city?",
        "Sal de Mi Piel is a song by the actress who is of what nationality?",
        "He won gold in 1970 in a continental multi-sport event held at which city?",
        "What is the area of the university at which Dick Biddle served as head football coach?",
        "In which year did the pope who commissioned The School of Athens die?",
        "On which Japanese island is the city where Nintendo has its headquarters?",
        "What year did the father of Ada Lovelace die?",
        "where was the author of emma born",
        "Babylon stood on a river. In what waterway does that river join the Tigris?",
        "what is the nationality of the man who directed jaws",
        "The founder of the Metroplex record label attending high school in what city?",
        "Which other Mexican racing driver has held the podium besides the Force India driver born in 1990?",
    ],
)
def test_what_is_asked_about_is_only_described(query):
    assert hides_step(query)


@pytest.mark.parametrize(
    "query",
    [
        "who was the man who invented dynamite",
        "Who was the father of Ada Lovelace?",
        "The author of Emma was which English novelist?",
        "what other planets have rings besides saturn",
        "what is the city where the louvre is",
        "titan is the natural satellite of which planet",
        "The seaport of Dar-es Salaam is in which African country?",
        "Easter Island is a territory of its nearest neighbour, which country is that?",
        "The hotel is located in which city?",
        "when did the french revolution start",
        "what is the capital of italy today?",
        "Emma is a novel written by who?",
        "who is the author of the book romeo and juliet",
        "Which American comic book hero was created by Stan Lee and first appeared in Marvel Comics in 1962?",
    ],
)
def test_a_question_about_something_named_hides_nothing(query):
    assert not hides_step(query)
