"""Task kinds from the form of a question."""

import pytest

from searchain.language.questions import choose_task


@pytest.mark.parametrize(
    ("question", "task"),
    [
        ("On which Japanese island is the city where Nintendo has its headquarters?", "multihop"),
        ("What was launched first, the Hubble telescope or the Voyager probes?", "multihop"),
        ("How many people live in Kyoto?", "multihop"),
        ("What is the capital of France?", "multihop"),
        ("Could a llama give birth twice during the war?", "yesno"),
        ("Is it true that Kyoto is old?", "yesno"),
        ("The Eiffel Tower was finished in 1889.", "factcheck"),
        ("Fact check: Kyoto is the capital of Japan", "factcheck"),
        ("Why is the sky blue?", "longform"),
        ("Explain photosynthesis.", "longform"),
        ("Author of The Three Musketeers", "multihop"),
        ("", "multihop"),
    ],
)
def test_task_from_form(question, task):
    assert choose_task(question).value == task
