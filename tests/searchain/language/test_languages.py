"""Questions in other languages, and English ones with foreign names."""

import pytest

from searchain.language.languages import ENGLISH_ONLY, IN_LANGUAGE, foreign_language, language_of, reply_in

QUESTIONS = {
    "Spanish": ["¿Cuál es la capital de Francia?", "quien escribio cien años de soledad", "Cuándo nació Cervantes",
        "hola"],
    "French": ["Qui a écrit Les Misérables ?", "quelle est la capitale de l'Italie", "Où se trouve le mont Blanc ?",
        "merci"],
    "German": ["Wer hat den Faust geschrieben?", "was ist die Hauptstadt von Frankreich",
        "Wie hoch ist der Eiffelturm?"],
    "Italian": ["Chi ha scritto la Divina Commedia?", "qual è la capitale della Spagna", "Dove si trova il Colosseo?"],
    "Portuguese": ["Quem escreveu Os Lusíadas?", "qual é a capital do Brasil", "Onde fica o rio Amazonas?"],
    "Russian": ["Кто написал Войну и мир?", "столица Франции", "Когда родился Пушкин"],
    "Chinese": ["法国的首都是哪里？", "谁写了红楼梦", "你好"],
    "Arabic": ["ما هي عاصمة فرنسا؟", "من كتب ألف ليلة وليلة", "مرحبا"],
    "Hindi": ["फ्रांस की राजधानी क्या है?", "ताज महल किसने बनवाया", "नमस्ते"],
    "Turkish": ["Fransa'nın başkenti neresidir?", "Atatürk kimdir", "İstanbul ne zaman kuruldu?"],
    "Dutch": ["Wat is de hoofdstad van Frankrijk?", "wie schreef het dagboek van Anne Frank", "waar ligt de Rijn"],
    "Polish": ["Kto napisał Pana Tadeusza?", "jaka jest stolica Francji", "Gdzie jest Wisła"],
    "Japanese": ["フランスの首都はどこですか", "源氏物語を書いたのは誰ですか", "こんにちは"],
    "Korean": ["프랑스의 수도는 어디입니까", "한글은 누가 만들었나요", "안녕하세요"],
    None: ["who wrote la casa de los espíritus", "What does c'est la vie mean", "who sang Je ne regrette rien", "was Die Zeit founded in Hamburg?",
     "what is die hard about", "La vie en rose", "Das Boot", "Così fan tutte", "Don Quijote de la Mancha", "Le Petit Prince", "Quo vadis",
     "Who was Александр Пушкин?", "What does 東京 mean?", "what is π", "que sera sera singer", "Nguyễn Văn Trỗi", "el nino effects",
     "Der Ring des Nibelungen", "who is le corbusier"],  # foreign names
}  # fmt: skip


@pytest.mark.parametrize(("language", "question"), [(name, one) for name, said in QUESTIONS.items() for one in said])
def test_a_language_is_told_and_foreign_names_are_fine(language, question):
    assert foreign_language(question) == language


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
