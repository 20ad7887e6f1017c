"""Training on toy records over the real base weights."""

import numpy as np
import pytest

from lab.training.reader_calibration import draw, write_records
from lab.training.reader_data import batches, encode, hard_negatives, licensed
from lab.training.reader_scores import normal, overlap, score
from searchain.embedded.minilm import CLS, SEP, minilm_tokenizer
from searchain.reading.calibration import Record, read_records
from searchain.types import Passage, Reading, Span

NINTENDO = Passage("1", "Nintendo", "Nintendo has its headquarters in Kyoto.")
KYOTO = Passage("2", "Kyoto", "Kyoto is a city on the island of Honshu.")
SONY = Passage("3", "Sony", "Sony has its headquarters in Tokyo.")
RECORDS = [
    Record("Where does Nintendo have its headquarters?", NINTENDO, (Span(33, 38),), "CC0"),
    Record("On which island is Kyoto?", KYOTO, (Span(33, 39),), "CC0"),
    Record("Who founded Sony?", SONY, (), "CC0"),
]


def examples(records=RECORDS):
    return encode(
        minilm_tokenizer(),
        [(record.question, record.passage, record.spans[0] if record.spans else None) for record in records],
    )


def test_gold_tokens_are_the_answer_in_every_window():
    tokens = minilm_tokenizer()
    text = "Nothing is said here. " * 60 + "The city is Kyoto, they say. " + "Nothing is said here. " * 60
    record = Record("Where?", Passage("", "Nintendo", text), (Span(text.index("Kyoto"), text.index("Kyoto") + 5),))
    for seed in range(30):
        [batch] = batches(examples([record]), size=4, max_length=64, seed=seed)
        assert batch.input_ids.shape == (1, 64)
        assert tokens.decode(batch.input_ids[0, batch.start[0] : batch.end[0] + 1]) == "kyoto"
        assert batch.passage[0, batch.start[0]]
        assert batch.relevant.tolist() == [1.0]


def test_a_batch_has_the_form_that_dpr_reads():
    [batch] = batches(examples(), size=3, max_length=64, seed=1)
    for row, mask, passage in zip(batch.input_ids, batch.attention_mask, batch.passage, strict=True):
        assert row[0] == CLS
        assert (row == SEP).sum() == 2
        assert not row[mask == 0].any()
        assert passage.tolist() == [
            place > np.flatnonzero(row == SEP)[1] and bool(seen) for place, seen in enumerate(mask)
        ]
    assert sorted(batch.relevant) == [0, 1, 1]
    assert (batch.start[batch.relevant == 0] == -100).all()


def test_hard_negatives_are_near_and_hold_no_answer():
    rest = [Passage(str(number), "", f"word{number}") for number in range(80)]
    near = hard_negatives(RECORDS, [NINTENDO, KYOTO, SONY, *rest], count=2)
    assert near[0][0] == SONY
    assert KYOTO not in near[0]  # it holds the answer
    assert near[2] == []


def test_calibration_data_has_a_near_miss_for_each_answerable_question(tmp_path):
    drawn = draw(RECORDS, count=3, seed=1)
    assert [record for record in drawn if record in RECORDS] == [RECORDS[1], RECORDS[0], RECORDS[2]]
    misses = [record for record in drawn if record not in RECORDS]
    assert sorted(record.question for record in misses) == sorted(record.question for record in RECORDS[:2])
    assert not any(record.spans for record in misses)
    write_records(drawn, tmp_path / "drawn.jsonl.gz")
    assert read_records(tmp_path / "drawn.jsonl.gz") == drawn


def test_only_licensed_records_are_used():
    unclear = Record("Who?", KYOTO, (), "Apache-2.0 (sub-questions: no licence stated)")
    assert licensed([unclear, *RECORDS]) == RECORDS


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("the Kyoto.", "Kyoto", 1.0),
        ("Kyoto, Japan", "Kyoto", 2 / 3),
        ("Tokyo", "Kyoto", 0.0),
        ("", "Kyoto", 0.0),
        ("", "the", 1.0),
    ],
)
def test_overlap(answer, gold, expected):
    assert overlap(answer, gold) == pytest.approx(expected)
    assert (normal(answer) == normal(gold)) == (expected == 1.0)


def test_a_reader_that_always_fails_scores_nothing():
    class Silent:
        def read(self, query, passages):
            return [Reading("", None, 0.0) for _ in passages]

    result = score(Silent(), RECORDS)
    assert (result.em, result.f1, result.auc) == (0.0, 0.0, 0.5)
