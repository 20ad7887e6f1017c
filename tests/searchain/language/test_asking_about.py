from searchain.language.asking_about import about
from searchain.types import Passage


def test_a_thing_is_asked_about_as_its_article_names_it():
    said = {
        "Zambezi": "Short description: River in Africa.\nThe Zambezi is a river.",
        "The Beatles": "The Beatles were a band.",
        "Vaccine": "A vaccine is given.",
        "Mercury (planet)": "Short description: Planet.\nMercury is the first planet.",
        "Nile": "It flows through Egypt.",
        "Minotaur": "Minotaur is a monster. He lived in Crete.",
        "Ada": "Ada (born 10 December 1815), later a countess, was a mathematician. She wrote.",
        "Revolution": "The Revolution, also known as the Rising, broke out when crops were bad.",
    }
    assert [about(Passage(title, title, text)) for title, text in said.items()] == [
        "What is the Zambezi?",
        "What were the Beatles?",
        "What is a vaccine?",
        "What is Mercury?",
        "Tell me about Nile.",
        "What is Minotaur?",
        "Who was Ada?",
        "Tell me about Revolution.",
    ]
