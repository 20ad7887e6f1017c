"""The Reader with a tiny random DPR model in the hub's form: form and offsets hold whatever the logits say."""

import json
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from searchain.errors import ReaderError
from searchain.reading.reader import DprReader
from searchain.reading.span_reader import LONGEST_ANSWER
from searchain.reading.spans import windows
from searchain.reading.thresholds import Thresholds, read_thresholds
from searchain.types import Passage, Reading
from tests.support.tiny_reader import WORDS, tiny_model


@pytest.fixture(scope="module", params=[1, 2, 3])
def reader(request, tmp_path_factory):
    directory = tmp_path_factory.mktemp(f"tiny{request.param}")
    tiny_model(directory, seed=request.param)
    return DprReader(directory, window=96, overlap=10, half=False)  # the same to the last digits in any batch


def passage(text: str, title: str = "Kyoto") -> Passage:
    return Passage(id="p", title=title, text=text)


def assert_sound(reading: Reading, text: str) -> None:
    if reading.span is None:
        assert reading.answer == ""
    else:
        assert 0 <= reading.span.start < reading.span.end <= len(text)
        assert reading.answer == text[reading.span.start : reading.span.end]
        assert reading.answer == reading.answer.strip() != ""
        assert len(reading.answer) <= LONGEST_ANSWER


@given(query=st.text(max_size=300), title=st.text(max_size=200), text=st.text(max_size=600))
@example("Where has Nintendo its seat?", "Kyoto", "Kyoto [SEP] is in [SEP] Japan [CLS]")
@example("Where has Nintendo its seat?", "Kyoto", "kyoto " * 900)
@example("Where has Nintendo its seat?", "Kyoto", "x" * 5000)
@example(
    "Where has Nintendo its seat?",
    "Kyoto",
    "  \U0001f468\u200d\U0001f469 in 京都, cafe\u0301 \x00\x01 \ufffd \u202e\u00a0",
)
@settings(max_examples=60)
def test_any_text_is_read(reader, query, title, text):
    [reading] = reader.read(query, [passage(text, title)])
    assert_sound(reading, text)


@settings(max_examples=30)
@given(st.integers(0, 40), st.text("kyoto is in japan", max_size=60))
def test_no_answer_holds_the_words_that_announce_a_description(reader, count, lead):
    text = f"Short description: {'city ' * count}of Japan.\n{lead}"
    (reading,) = reader.read("Where is Kyoto?", [passage(text)])
    assert reading.options
    for one in reading.options:
        assert one.span is None or one.span.start >= len("Short description: ")


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b"])
def test_a_passage_without_words_has_no_answer(reader, text):
    [reading] = reader.read("Where?", [passage(text)])
    assert (reading.answer, reading.span) == ("", None)


def test_one_reading_per_passage_in_order(reader):
    texts = ["Kyoto is in Japan.", "", "the company has its seat in Kyoto " * 40, "Kyoto"]
    together = reader.read("Where?", [passage(text) for text in texts])
    alone = [reader.read("Where?", [passage(text)])[0] for text in texts]
    assert [reading.answer for reading in together] == [reading.answer for reading in alone]
    assert [one.confidence for one in together] == pytest.approx([one.confidence for one in alone], abs=1e-4)
    assert reader.read("Where?", []) == []


def test_a_long_passage_is_as_relevant_as_its_best_window(reader):
    words = random.Random(5).choices(["kyoto", "is", "in", "japan", "company", "seat", "nintendo"], k=900)
    head = len("[CLS] where ? [SEP] kyoto [SEP]".split())
    parts = [" ".join(words[start:end]) for start, end in windows(len(words), 96 - head, 10)]
    assert len(parts) > 10
    readings = reader.read("Where?", [passage(" ".join(words)), *map(passage, parts)])
    best = max(readings[1:], key=lambda reading: reading.confidence)
    assert readings[0].confidence == pytest.approx(best.confidence, abs=1e-4)
    assert readings[0].answer == best.answer


@pytest.mark.parametrize("half", [True, False])
def test_it_computes_what_transformers_computes(tmp_path, half):
    import torch
    from transformers import DPRReaderTokenizerFast

    model = tiny_model(tmp_path, seed=1).eval()
    tokens = DPRReaderTokenizerFast.from_pretrained(tmp_path)
    inputs = tokens(questions=["Where?"], titles=["Kyoto"], texts=["Kyoto is in Japan."], return_tensors="pt")
    with torch.inference_mode():
        relevance = model(inputs["input_ids"], inputs["attention_mask"]).relevance_logits
    [reading] = DprReader(tmp_path, half=half).read("Where?", [passage("Kyoto is in Japan.")])
    assert reading.confidence == pytest.approx(relevance.item(), abs=0.1 if half else 1e-4)


def test_the_title_never_answers(tmp_path):
    """A model whose every logit points at one word: the word counts in the passage and never in title or query."""
    import torch

    model = tiny_model(tmp_path, seed=1)
    bert = model.span_predictor.encoder.bert_model
    with torch.no_grad():
        for layer in bert.encoder.layer:  # embeddings reach the heads unchanged, but for a layer norm
            for part in (layer.attention.output.dense, layer.output.dense):
                part.weight.zero_()
                part.bias.zero_()
        bert.embeddings.position_embeddings.weight.zero_()
        bert.embeddings.token_type_embeddings.weight.zero_()
        kyoto = bert.embeddings.word_embeddings.weight[5 + WORDS.index("kyoto")]
        model.span_predictor.qa_outputs.weight.copy_((kyoto - kyoto.mean()).expand(2, -1))
    model.save_pretrained(tmp_path)
    reader = DprReader(tmp_path)
    where = "Is Kyoto Kyoto?"  # of a yes/no question anything may be read, what it says itself too
    assert reader.read(where, [passage("Nintendo has its seat in Kyoto.", title="Kyoto")])[0].span.start == 25
    text = "Nintendo has its seat in Japan."
    [reading] = reader.read(where, [passage(text, title="Kyoto")])
    assert_sound(reading, text)
    assert "Kyoto" not in reading.answer


def test_the_form_of_the_first_hub_checkpoints_loads_in_silence(tmp_path, capfd):
    """pytorch_model.bin with a pooler and position ids that today's model lacks, and nothing but vocab.txt."""
    import torch

    model = tiny_model(tmp_path, seed=1)
    expected = DprReader(tmp_path).read("Where?", [passage("Kyoto is in Japan.")])
    encoder = "span_predictor.encoder.bert_model."
    torch.save(
        dict(model.state_dict())
        | {
            f"{encoder}embeddings.position_ids": torch.arange(128)[None],
            f"{encoder}pooler.dense.weight": torch.zeros(16, 16),
            f"{encoder}pooler.dense.bias": torch.zeros(16),
        },
        tmp_path / "pytorch_model.bin",
    )
    for name in ("model.safetensors", "tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).unlink()
    capfd.readouterr()
    assert DprReader(tmp_path).read("Where?", [passage("Kyoto is in Japan.")]) == expected
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda directory: (directory / "config.json").unlink(),
        lambda directory: (directory / "config.json").write_text("{"),
        lambda directory: (directory / "model.safetensors").write_bytes(b"broken"),
    ],
)
def test_a_bad_directory_is_named_in_one_line(tmp_path, spoil):
    tiny_model(tmp_path, seed=1)
    spoil(tmp_path)
    with pytest.raises(ReaderError, match="DPR reader directory") as caught:
        DprReader(tmp_path)
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_thresholds(tmp_path):
    assert read_thresholds(tmp_path) == Thresholds(theta=1.5, floor=-1.5)
    (tmp_path / "thresholds.json").write_text(json.dumps({"theta": 0.3, "floor": -2.1}))
    assert read_thresholds(tmp_path) == Thresholds(theta=0.3, floor=-2.1)
    (tmp_path / "thresholds.json").write_text(json.dumps({"theta": 1}))
    with pytest.raises(ReaderError, match="thresholds") as caught:
        read_thresholds(tmp_path)
    assert "calibrate" in caught.value.hint
