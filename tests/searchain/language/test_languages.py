"""Questions in other languages, and English ones with foreign names."""

import pytest

from searchain.language.languages import ENGLISH_ONLY, IN_LANGUAGE, foreign_language, language_of, reply_in
from tests.support.json_lines import kept

QUESTIONS = kept("languages.json")
"""English ones hold foreign names."""


@pytest.mark.parametrize(("language", "question"), [(name, one) for name, said in QUESTIONS.items() for one in said])
def test_a_language_is_told_and_foreign_names_are_fine(language, question):
    assert (foreign_language(question) or "English") == language


@pytest.mark.parametrize(("question", "among", "language"), [
    ("Welche Kündigungsfrist gilt?", {"German", "English"}, "German"),
    ("Darf ich einen Hund halten?", {"German"}, "German"), ("Who wrote Die Räuber?", {"German"}, "English"),
    ("KX-4471?", {"German", "French"}, "English"), ("¿Cuánto pesa la bomba?", {"German"}, "English"),
    ("朝食はどこですか", {"Japanese"}, "Japanese"),
])  # fmt: skip
def test_a_question_is_in_a_language_of_its_collection(question, among, language):
    assert language_of(question, among) == language


def test_the_commonest_languages_are_answered_in_their_own_too():
    assert len(IN_LANGUAGE) == 11
    assert reply_in("French") == f"{ENGLISH_ONLY} {IN_LANGUAGE['French']}"
    assert reply_in("Polish") == ENGLISH_ONLY
