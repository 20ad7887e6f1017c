"""Statements that apply a rule to a case: from what writers wrote, and from what a search finds."""

import random
from collections import Counter

from lab.training.cases import sorted_out, texts, written
from searchain.embedded.minilm import minilm_tokenizer
from searchain.types import Passage

FREE = Passage("1", "ferry.md", "Children under twelve travel free.")
DOGS = Passage("2", "ferry.md", "Dogs stay on the upper deck.")
NEAR = Passage("3", "ferry.md", "Children under four eat free.")


def test_every_passage_says_yes_no_and_leaves_open():
    labels = {}
    for claim in written():
        labels.setdefault(claim.passage.text, Counter())[claim.label] += 1
    assert len(labels) == 380
    assert all(each == {"supports": 3, "refutes": 3, "unknown": 2} for each in labels.values())


def test_a_text_that_says_the_answering_sentence_decides_and_a_far_one_leaves_open():
    asked = "my son is nine, does he pay", "no", FREE.text, [FREE, DOGS, NEAR]
    claims = [(one.passage, one.label) for one in sorted_out(*asked, random.Random(0))]
    assert claims == [(FREE, "refutes"), (DOGS, "unknown")]  # one that is partly the same is not learnt


def test_a_passage_of_several_lines_is_read_in_parts():
    ids, question = minilm_tokenizer(), "my son is nine, does he pay for the boat"
    lines = Passage("1", "ferry.md", "\n".join([FREE.text, DOGS.text] * 6))
    parts = texts(ids, question, lines)
    assert len(parts) > 1
    assert all(part.text in lines.text for part in parts)
    assert parts[0].text.startswith(FREE.text)
    assert texts(ids, question, FREE) == [FREE]
