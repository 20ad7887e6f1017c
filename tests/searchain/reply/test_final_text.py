"""The model's final reply, read as it streams."""

import pytest

from searchain.reply.final_text import FinalReader


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("reply", "answer", "content"),
    [
        ("[Answer]: Honshu\n[Final Content]: It is so [k1].", "Honshu", "It is so [k1]."),
        ("[Answer]: Honshu [Final Content]: It is so.", "Honshu", "It is so."),
        ("**[Answer]:** Honshu\n**[Final Content]:** It is so.", "Honshu", "It is so."),
        ("[Final Content]: It is so.", "", "It is so."),
        ("Final Answer: Honshu\nIt is so.", "Honshu", "It is so."),
        ("Sure! Here you go:\n\n[Answer]: Honshu\n[Final Content]: It is so.", "Honshu", "It is so."),
        ("It is so. " * 40, "", "It is so. " * 40),
        ("Answering is hard.", "", "Answering is hard."),
        ("[Answer]: Honshu", "Honshu", ""),
        ("", "", ""),
    ],
)
def test_answer_and_content_are_told_apart_as_they_stream(reply, answer, content, size):
    reader = FinalReader()
    read = "".join(reader.feed(reply[i : i + size]) for i in range(0, len(reply), size)) + reader.finish()
    assert (reader.answer, read) == (answer, content)
