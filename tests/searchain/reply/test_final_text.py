"""The model's final reply, read as it streams, and its Markdown taken out."""

import pytest

from searchain.reply.final_text import FinalReader, PlainProse


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


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("**In which city** — it is **Kyoto [k1]**.", "In which city — it is Kyoto [k1]."),
        ("headquarters** — it is **Kyoto", "headquarters — it is Kyoto"),
        ("## Answer\nIt is **Kyoto**.", "Answer\nIt is Kyoto."),
        ("So:\n* one\n* **two**\n+ three", "So:\n- one\n- two\n- three"),
        ("2**10 is 1024, C# is a language, # alone", "2**10 is 1024, C# is a language, # alone"),
        ("`**kwargs**` and **bold**", "`**kwargs**` and bold"),
        ("```\n# a comment\n* p = **q;\n```\n# Title", "```\n# a comment\n* p = **q;\n```\nTitle"),
        ("******", "******"),
        ("", ""),
    ],
)
def test_marks_of_a_kind_go_together_or_stay(text, plain, size):
    prose = PlainProse()
    assert "".join(prose.feed(text[at : at + size]) for at in range(0, len(text), size)) + prose.finish() == plain
