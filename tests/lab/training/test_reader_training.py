"""Training on toy records over the real base weights."""

import numpy as np

from lab.training.calibration import Record, read_records
from lab.training.reader_calibration import draw, write_records
from lab.training.reader_data import batches, encode, licensed
from lab.training.reader_scores import score
from searchain.embedded.minilm import CLS, SEP, minilm_tokenizer
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


def test_a_batch_has_the_form_that_dpr_reads():
    [batch] = batches(examples(), size=3, max_length=64, seed=1)
    for row, mask, passage in zip(batch.input_ids, batch.attention_mask, batch.passage, strict=True):
        assert row[0] == CLS
        assert (row == SEP).sum() == 2
        assert not row[mask == 0].any()
        assert passage.tolist() == [n > np.flatnonzero(row == SEP)[1] and bool(seen) for n, seen in enumerate(mask)]
    assert sorted(batch.relevant) == [0, 1, 1]
    assert (batch.start[batch.relevant == 0] == -100).all()


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


def test_a_reader_that_always_fails_scores_nothing():
    class Silent:
        def read(self, query, passages):
            return [Reading("", None, 0.0) for _ in passages]

    result = score(Silent(), RECORDS)
    assert (result.em, result.f1, result.auc) == (0.0, 0.0, 0.5)
