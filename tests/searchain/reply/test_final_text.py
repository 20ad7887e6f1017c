"""The model's final reply, read as it streams, and its Markdown taken out."""

import pytest

from searchain.reply.final_text import FinalReader, PlainProse
from tests.support.json_lines import kept


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(("reply", "answer", "content"), kept("final-texts.json")["replies"])
def test_answer_and_content_are_told_apart_as_they_stream(reply, answer, content, size):
    reader = FinalReader()
    read = "".join(reader.feed(reply[i : i + size]) for i in range(0, len(reply), size)) + reader.finish()
    assert (reader.answer, read) == (answer, content)


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(("text", "plain"), kept("final-texts.json")["marks"])
def test_marks_of_a_kind_go_together_or_stay(text, plain, size):
    prose = PlainProse()
    assert "".join(prose.feed(text[at : at + size]) for at in range(0, len(text), size)) + prose.finish() == plain
