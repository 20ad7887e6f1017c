"""Training for late interaction on toy passages over the real base weights."""

from __future__ import annotations

import random

import pytest
import torch
from retrieval_home import write_corpus

from searchain.errors import SetupError, UsageError
from searchain.evaluation.examples import Example as Question
from searchain.evaluation.examples import GoldStep
from searchain.home import home
from searchain.records import Record
from searchain.retrieval import checkpoint, indexes
from searchain.retrieval.encoder import Encoder, encoded_text
from searchain.training.colbert import Plan, Training
from searchain.training.colbert_data import (
    PLANS,
    Example,
    batches,
    from_plans,
    from_records,
    hold_back,
    stored,
    with_negatives,
)
from searchain.training.colbert_model import TrainableColbert
from searchain.training.colbert_scores import Case, cases_of, compare, scores
from searchain.types import Hit, Passage, Span

NINTENDO = Passage("1", "Nintendo", "Nintendo has its headquarters in Kyoto.")
KYOTO = Passage("2", "Kyoto", "Kyoto is a city on the island of Honshu.")
SONY = Passage("3", "Sony", "Sony has its headquarters in Tokyo; it was founded in 1946!")
WHERE = Example("Where does Nintendo have its headquarters?", (NINTENDO,), ("Kyoto",), (SONY,))
ISLAND = Example("On which island is Kyoto?", (KYOTO,), ("Honshu",), (NINTENDO,))
FOUNDED = Example("When was Sony founded?", (SONY,), ("1946",), (NINTENDO,))
BOTH = Example("On which island are Nintendo's headquarters?", (NINTENDO, KYOTO), ("Kyoto", "Honshu"))
EXAMPLES = [WHERE, ISLAND, FOUNDED]
# Each question with another one's passage: what the untrained checkpoint ranks otherwise.
TURNED = [
    Example(WHERE.question, (KYOTO,), ()),
    Example(ISLAND.question, (SONY,), ()),
    Example(FOUNDED.question, (NINTENDO,), ()),
]
PLAN = Plan(size=3, lr=3e-3)


class Found:
    """A retriever that finds the same passages for every query."""

    def __init__(self, *passages: Passage) -> None:
        self.passages = passages

    def search(self, query, k):
        return [Hit(passage, 1.0, rank) for rank, passage in enumerate(self.passages[:k], 1)]


@pytest.fixture
def own_home(tmp_path, monkeypatch):
    """A home whose models are its own, but for the untrained checkpoint; the compiled extensions are shared."""
    untrained, shared = checkpoint.made(None), home()
    (tmp_path / "home" / "models").mkdir(parents=True)
    for path in (untrained, shared / "extensions", shared / "checked"):
        (tmp_path / "home" / path.relative_to(shared)).symlink_to(path, target_is_directory=True)
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path / "home"))


def learnt(steps: int) -> Training:
    training = Training(PLAN, checkpoint.made(None), steps, "cpu")
    for seed in range(steps):
        for batch in batches(TURNED, size=3, negatives=1, seed=seed):
            training.learn(batch)
    return training


def test_only_answered_records_and_plans_over_known_pages_are_used():
    assert from_records([Record("Who?", KYOTO, ()), Record("Which island?", KYOTO, (Span(33, 39),))]) == [
        Example("Which island?", (KYOTO,), ("Honshu",))
    ]
    pages = {title: Passage(title, title, "…") for title in ("Enver Pasha", "World War I")}
    [example] = [one for one in from_plans(PLANS, pages) if len(one.positives) == 2]
    assert example.positives == tuple(pages.values())
    assert "World War I" in example.answers
    assert example.question.endswith("?")


def test_nothing_is_trained_on_a_page_that_is_held_back():
    more = [Example("Who founded Sony?", (SONY,), ()), BOTH, *EXAMPLES]
    for seed in range(10):
        held, rest = hold_back(more, 1, random.Random(seed))
        titles = {passage.title for passage in held[0].positives}
        assert rest == [one for one in rest if not titles & {passage.title for passage in one.positives}]
        assert all(one in rest for one in more if not titles & {passage.title for passage in one.positives})


def test_near_misses_hold_no_answer_and_are_of_other_pages():
    other = Passage("4", "Nintendo", "Another paragraph of the same page.")
    found = with_negatives(WHERE, Found(NINTENDO, other, KYOTO, SONY), 2)
    assert found.negatives == (SONY,)
    assert with_negatives(FOUNDED, Found(NINTENDO, KYOTO, SONY), 1).negatives == (NINTENDO,)


def test_a_batch_says_which_passages_answer_and_which_do_not():
    [batch] = batches([WHERE, BOTH], size=2, negatives=1, seed=1)
    cells = {
        (question, passage.title): ("+" if batch.positive[row, column] else "-" if batch.negative[row, column] else "?")
        for row, question in enumerate(batch.questions)
        for column, passage in enumerate(batch.passages)
    }
    assert cells == {
        (WHERE.question, "Nintendo"): "+",
        (WHERE.question, "Kyoto"): "?",
        (WHERE.question, "Sony"): "-",
        (BOTH.question, "Nintendo"): "+",
        (BOTH.question, "Kyoto"): "+",
        (BOTH.question, "Sony"): "-",
    }


def test_the_same_seed_gives_the_same_batches():
    first, again, other = (
        [batch.questions for batch in batches(EXAMPLES * 9, size=4, negatives=1, seed=seed)] for seed in (1, 1, 2)
    )
    assert first == again != other
    assert sum(map(len, first)) == 27


def test_examples_are_made_once(tmp_path):
    file = tmp_path / "examples.jsonl.gz"
    assert stored(file, {"seed": 1}, lambda: [WHERE, BOTH]) == [WHERE, BOTH]
    assert stored(file, {"seed": 1}, lambda: []) == [WHERE, BOTH]
    with pytest.raises(UsageError, match="other settings"):
        stored(file, {"seed": 2}, lambda: [])


def test_what_is_trained_scores_as_the_product_does():
    encoder, model = Encoder(checkpoint.made(None)), TrainableColbert(checkpoint.made(None), 2, "cpu")
    questions = [example.question for example in EXAMPLES]
    texts = [encoded_text(passage) for passage in (SONY, NINTENDO, KYOTO, Passage("", "", "word, " * 400))]
    vectors, lengths = encoder.encode_passages(texts)
    expected = [
        [(encoder.encode_query(question)[0] @ rows.float().T).amax(1).sum().item() for rows in vectors.split(lengths)]
        for question in questions
    ]
    with torch.inference_mode():
        found = model.scores(questions, texts)
    assert found.shape == (3, 4)
    assert torch.allclose(found, torch.tensor(expected), atol=0.15)  # of scores about 4 to 9; bfloat16 and not


def test_what_was_learnt_is_what_an_index_searches_with(own_home, tmp_path):
    learnt(40).model.save(tmp_path / "adapter.safetensors")
    assert (tmp_path / "adapter.safetensors").stat().st_size <= 1.8e6
    file = write_corpus(tmp_path / "corpus.jsonl", [(one.id, one.title, one.text) for one in (NINTENDO, KYOTO, SONY)])
    cases = [Case(example.question, (frozenset({example.positives[0].id}),)) for example in TURNED]
    result = compare(cases, [file], tmp_path / "adapter.safetensors")
    assert result["untrained"]["recall@1"] == 0.0
    assert result["trained"] == {"recall@1": 100.0, "recall@5": 100.0, "recall@10": 100.0, "mrr@10": 100.0}
    assert result["difference"]["recall@1"] == [100.0, 100.0, 100.0]

    trained, untrained = checkpoint.made(tmp_path / "adapter.safetensors"), checkpoint.made(None)
    assert trained.name == f"colbert-{checkpoint.fingerprint(trained)}" != untrained.name
    parts = {index.fingerprint: index.parts for index in indexes.list_indexes()}
    assert parts[checkpoint.fingerprint(trained)] != parts[checkpoint.fingerprint(untrained)]


def test_a_damaged_adapter_is_told(own_home, tmp_path):
    (tmp_path / "adapter.safetensors").write_bytes(b"damaged")
    with pytest.raises(SetupError, match="'.*adapter.safetensors' is damaged .* restore it from the repository"):
        checkpoint.made(tmp_path / "adapter.safetensors")


def test_training_resumes_where_it_stopped(tmp_path):
    given = [batch for seed in range(4) for batch in batches(EXAMPLES, size=3, negatives=1, seed=seed)]
    straight, stopped, resumed = (Training(PLAN, checkpoint.made(None), 10, "cpu") for _ in range(3))
    losses = [straight.learn(batch) for batch in given]
    for batch in given[:2]:
        stopped.learn(batch)
    stopped.save(tmp_path / "checkpoint.pt")
    resumed.resume(tmp_path / "checkpoint.pt")
    assert resumed.step == 2
    assert [resumed.learn(batch) for batch in given[2:]] == pytest.approx(losses[2:], rel=1e-2)
    with pytest.raises(UsageError, match="other settings"):
        Training(Plan(lr=1e-5), checkpoint.made(None), 10, "cpu").resume(tmp_path / "checkpoint.pt")


def test_scores_are_of_the_first_ten():
    many = [Passage(str(number), "", "") for number in range(20)]
    cases = [
        Case("first", (frozenset({"0"}),)),
        Case("fourth", (frozenset({"3", "9"}),)),
        Case("two", (frozenset({"1"}), frozenset({"7"}))),
        Case("absent", (frozenset({"10"}),)),
    ]
    assert scores(Found(*many), cases).tolist() == [[1, 1, 1, 1], [0, 1, 1, 0.25], [0, 0.5, 1, 0.5], [0, 0, 0, 0]]


def test_cases_are_questions_or_steps_whose_pages_are_there():
    question = Question(
        "1",
        BOTH.question,
        ("Honshu",),
        steps=(
            GoldStep(WHERE.question, "Kyoto", "Nintendo"),
            GoldStep("On which island is #1?", "Honshu", "kyoto"),
            GoldStep("Who?", None, None),
        ),
        supporting_titles=("Nintendo", "Kyoto"),
    )
    passages = [NINTENDO, KYOTO, Passage("5", "Kyoto", "Another.")]
    assert cases_of([question], passages, steps=False) == [
        Case(BOTH.question, (frozenset({"1"}), frozenset({"2", "5"})))
    ]
    assert cases_of([question], passages, steps=True) == [
        Case(WHERE.question, (frozenset({"1"}),)),
        Case(ISLAND.question, (frozenset({"2", "5"}),)),
    ]
    assert cases_of([question], passages[1:], steps=False) == []
