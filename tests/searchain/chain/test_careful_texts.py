"""What a real instruct model of 1.5 billion parameters wrote, shortened in places, and what must be read from it.

The model is the careful one, without a grammar. The first half was asked with the prompt of the product, the second
half with one sentence that only names the labels.
"""

import pytest

from searchain.chain.parser import ChainParser, StepRead, parse_chain

TEXTS = {
    "a query under the label of an answer": (
        "[Query 1]: How tall is the Eiffel Tower?\n[Answer 1]: 330 metres\n"
        "[Query 2]: How tall is the Empire State Building?\n[Answer 2]: 1,271 feet\n"
        "[Answer 3]: Is 330 metres greater than 1,271 feet?\n[Answer 3]: No",
        [("How tall is the Eiffel Tower?", "330 metres"), ("How tall is the Empire State Building?", "1,271 feet")],
    ),
    "unsolved in the middle": (
        "[Query 1]: Who was the author of Emma?\n[Answer 1]: Charles Dickens\n"
        "[Query 2]: When was Charles Dickens born?\n[Unsolved Query]\n"
        "[Query 3]: When did Charles Dickens become a president of the United States?\n[Answer 3]: 1864",
        [
            ("Who was the author of Emma?", "Charles Dickens"),
            ("When was Charles Dickens born?", None),
            ("When did Charles Dickens become a president of the United States?", "1864"),
        ],
    ),
    "cut after a label": (
        "[Query 1]: What were the main causes of the First World War?\n[Answer 1]: The main causes were the "
        "assassination of Archduke Franz Ferdinand.\n[Query 3]:",
        [
            (
                "What were the main causes of the First World War?",
                "The main causes were the assassination of Archduke Franz Ferdinand.",
            )
        ],
    ),
    "all in one line, and every answer is the first": (
        "[Query 1] What is the name of the city where Nintendo has its headquarters? [Answer 1] Tokyo, Japan. "
        "[Query 2] On which Japanese island is Tokyo located? [Answer 1] Tokyo is located on the main island of Honshu.",
        [
            ("What is the name of the city where Nintendo has its headquarters?", "Tokyo, Japan"),
            ("On which Japanese island is Tokyo located?", "Tokyo is located on the main island of Honshu."),
        ],
    ),
    "an answer that is a list": (
        "[Query 1] What are the causes of the First World War?\n"
        "[Answer 1] The causes of the First World War can be attributed to several factors, including:\n\n"
        "1. Economic differences: The industrialization of both Germany and the United Kingdom.\n\n"
        "2. Political differences: Germany and the United Kingdom were deeply divided",
        [
            (
                "What are the causes of the First World War?",
                "The causes of the First World War can be attributed to several factors, including:",
            )
        ],
    ),
    "an invented address, and a question back": (
        "[Query 1]: What is John Miller's home address?\n"
        "[Answer 1]: John Miller's home address is 123 Elm Street, Anytown, USA.\n"
        "[Unsolved Query]: Can you provide me with any additional information about John Miller's home address?",
        [
            (
                "What is John Miller's home address?",
                "John Miller's home address is 123 Elm Street, Anytown, USA.",
            ),
            ("Can you provide me with any additional information about John Miller's home address?", None),
        ],
    ),
}


@pytest.mark.parametrize(("text", "steps"), TEXTS.values(), ids=TEXTS)
def test_what_the_careful_model_writes_is_read(text, steps):
    assert [(step.query, step.answer) for step in parse_chain(text)] == steps
    parser = ChainParser()
    items = [item for character in text for item in parser.feed(character)] + parser.finish()
    assert [item.step for item in items if isinstance(item, StepRead)] == parse_chain(text)
