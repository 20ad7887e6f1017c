"""Questions about the program itself, and questions about the world that look like them."""

import pytest

from searchain.language.program_questions import program_reply
from searchain.language.small_talk import Kind, plain, small_talk

ASKED = {
    "Documents": [
        "How do I add my own files?",
        "can I upload a pdf",
        "How can I upload documents here?",
        "where do I upload my files?",
        "Can you read my PDFs?",
        "is it possible to search my own documents?",
        "which file types do you support?",
        "how do I upload",
        "How do I remove a document?",
    ],
    "Share": [
        "how do I share this?",
        "How can I share this conversation with a colleague?",
        "can I share it with others",
        "where can i share my chat",
        "is there a way to share this answer?",
        "how do I send this to a friend?",
        "How do I get a link to this conversation?",
    ],
    "Export": [
        "how do I export this conversation?",
        "can i download this chat as a pdf",
        "How do I save the answer?",
        "how to print this",
        "how do i cite this answer",
        "how do I copy the reply?",
    ],
    "delete": [
        "how do I delete a conversation",
        "How can I clear my chat history?",
        "can I delete this chat?",
        "how do I rename this conversation?",
    ],
    "New conversation": ["how do I start a new chat", "How do I begin another conversation?", "how do i start over"],
    "list on the left": ["where are my old chats?", "How do I find my previous conversations?"],
    "dark": ["is there a dark mode", "how do I turn on dark mode?", "Do you have a night theme?"],
    "Language of this page": [
        "can I change the language",
        "how do I switch the language to Chinese?",
        "Is this page available in Chinese?",
    ],
    "[1]": [
        "how do I see the sources",
        "where are the sources?",
        "how can I check the answer?",
        "what do the numbers in brackets mean?",
    ],
    "“Not sure”": [
        "what does not sure mean",
        'What does "Not sure" mean?',
        "what does the tick mean",
        "why are you not sure?",
    ],
    "Ask another method": ["how do I ask another model", "can I use a different model?", "how do i change the method"],
    "Retry": ["how do I edit my question?", "how do I stop it?", "How can I ask this again?"],
    "settings": ["where are the settings?", "how do i open the settings"],
}
ABOUT_THE_WORLD = [
    "how do plants share nutrients",
    "how do I export coffee from Kenya",
    "what is a pdf file",
    "how do languages change",
    "how do countries export oil",
    "How do I delete a file in Linux?",
    "how do wolves share food",
    "where are the sources of the Nile",
    "what does supported living mean",
    "what does the check mark mean in chess notation",
    "who invented dark mode",
    "is there a dark side of the moon",
    "what is a language model",
    "when was the new conversation released",
    "how do bees find sources of nectar",
    "how do I start a new business in Kenya",
    "how do actors share the stage",
    "who sang Not Sure",
    "how to save a life singer",
    "how do I share the report?",
]
OF_DOCUMENTS = [
    "How do I share the report?",
    "how do I change the language",
    "is there a dark mode?",
    "How do I export a file?",
    "how do I upload a document",
    "where are the settings?",
    "How do I print?",
]


@pytest.mark.parametrize(("names", "question"), [(name, one) for name, all in ASKED.items() for one in all])
def test_a_question_about_the_program_is_answered_with_the_place_of_the_button(names, question):
    talk = small_talk(question)
    assert talk is not None
    assert talk.kind is Kind.PROGRAM
    assert names in talk.reply
    assert len(talk.reply) <= 220


def test_the_phrasings_are_many():
    assert sum(map(len, ASKED.values())) >= 45


@pytest.mark.parametrize("question", ABOUT_THE_WORLD)
def test_a_question_about_the_world_is_not_one_about_the_program(question):
    assert program_reply(plain(question)) is None


@pytest.mark.parametrize("question", OF_DOCUMENTS)
def test_documents_may_explain_another_program(question):
    assert program_reply(plain(question), has_documents=True) is None


@pytest.mark.parametrize("question", ["how do I share this?", "How do I delete a conversation?", "add my own files"])
def test_what_only_this_program_can_mean_is_about_it_beside_documents_too(question):
    asked = question if question.endswith("?") else f"how do I {question}?"
    assert program_reply(plain(asked), has_documents=True)


def test_a_greeting_before_it_changes_nothing():
    assert program_reply(plain("Hi there, can you tell me how to share this?"))
