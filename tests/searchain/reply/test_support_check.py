"""The support check: features, labels, and the command."""

import json
import zlib
from functools import partial

import numpy as np
import pytest

from searchain.errors import SetupError
from searchain.reading.similarity import TokenStates
from searchain.reply.support_check import FEATURES, SupportCheck, Weights, paragraphs, stored_weights
from searchain.types import Opinion, Passage
from searchain.verification.probability import Logistic
from tests.support import shell
from tests.support.json_lines import write_lines

NINTENDO = (
    "Nintendo Co., Ltd. is a Japanese multinational video game company with its headquarters in Kyoto. It was "
    "founded in 1889 by Fusajiro Yamauchi and made playing cards."
)
ZEBRAS = "Zebras are African equines with black-and-white striped coats. They live in herds."
ONLY_WORDS = Weights(
    support=Logistic(-5.0, tuple(10.0 if name == "words" else 0.0 for name in FEATURES)),
    contradiction=Logistic(-5.0, tuple(10.0 if name == "refutes" else 0.0 for name in FEATURES)),
    supported=0.9,
    partial=0.5,
    contradicted=0.9,
    alike=0.5,
    name_alike=0.8,
)


class Repeating:
    """A stance that finds support where a passage repeats the statement, and refutation where it says "never"."""

    def judge(self, statement, passages):
        return [self._opinion(statement, passage.text) for passage in passages]

    def _opinion(self, statement, said):
        if "never" in said:
            return Opinion(0.0, 1.0, 0.0)
        return Opinion(1.0, 0.0, 0.0) if statement in said else Opinion(0.0, 0.0, 1.0)


class Spelled:
    """An encoder to which words are alike if they are spelled the same."""

    def token_states(self, texts):
        return [self._states(text) for text in texts]

    def _states(self, text):
        offsets, at = [], 0
        for word in text.split():
            start = text.index(word, at)
            at = start + len(word)
            offsets.append((start, at))
        vectors = [self._vector(text[start:end].strip(".").casefold()) for start, end in offsets]
        return TokenStates(np.array(vectors).reshape(-1, 256), tuple(offsets))

    def _vector(self, word):
        return np.random.default_rng(zlib.crc32(word.encode())).normal(size=256)


def simple(weights=ONLY_WORDS):
    return SupportCheck(Repeating(), Spelled(), weights)


def passages(*texts):
    return [Passage("", "", text) for text in texts]


@pytest.fixture(scope="module")
def check() -> SupportCheck:
    return SupportCheck()


@pytest.mark.parametrize(
    ("sentence", "texts", "expected"),
    [
        ("Nintendo was founded in 1889.", ["Nintendo was founded in 1889."], "supported"),
        ("Nintendo was founded in 1889.", ["Nintendo was founded long ago."], "partial"),
        ("Nintendo was founded in 1889.", ["Zebras live in herds."], "not_supported"),
        ("Nintendo was founded in 1889.", ["Nintendo was never founded in 1889."], "contradicted"),
        ("Nintendo was founded in 1889.", [""], "not_supported"),
        ("Nintendo was founded in 1889.", [], "not_supported"),
        ("…", ["Nintendo was founded in 1889."], "not_supported"),
    ],
)
def test_thresholds_make_labels_of_scores(sentence, texts, expected):
    assert simple().judge(sentence, passages(*texts)).label == expected


@pytest.mark.parametrize(
    ("sentence", "text", "expected"),
    [
        ("Nintendo was founded in 1889.", "Nintendo was founded in 1889.", []),
        ("Nintendo was founded in 1889.", "Nintendo was founded long ago.", ["1889"]),
        ("Nintendo makes three new games.", "Nintendo makes 3 games.", ["new"]),
        ("Games of Nintendo Sony.", "Games of Nintendo.", ["Sony"]),
    ],
)
def test_words_that_no_passage_carries_are_marked(sentence, text, expected):
    uncarried = simple().judge(sentence, passages(text)).uncarried
    assert [sentence[span.start : span.end] for span in uncarried] == expected


@pytest.mark.parametrize(
    ("sentence", "evidence", "expected"),
    [
        ("Nintendo was founded in 1889 by Fusajiro Yamauchi.", NINTENDO, {"supported"}),
        ("Nintendo has its headquarters in Kyoto.", f"{ZEBRAS}\n\n{NINTENDO}", {"supported"}),
        ("Fusajiro Yamauchi established Nintendo in 1889.", NINTENDO, {"supported"}),
        ("Nintendo was founded in 1889 by Fusajiro Yamauchi.", ZEBRAS, {"not_supported"}),
        ("Zebras are carnivores of the Andes.", NINTENDO, {"not_supported", "contradicted"}),
        ("Nintendo was founded in 1989.", NINTENDO, {"partial", "contradicted"}),
        ("Nintendo was not founded in 1889.", NINTENDO, {"contradicted"}),
        ("Nintendo has its headquarters in Osaka.", NINTENDO, {"partial", "contradicted"}),
    ],
)
def test_the_embedded_check(check, sentence, evidence, expected):
    assert check(sentence, evidence) in expected


def test_the_embedded_check_finds_a_swapped_number(check):
    sentence = "Nintendo was founded in 1899 by Fusajiro Yamauchi."
    finding = check.judge(sentence, paragraphs(NINTENDO))
    assert [sentence[span.start : span.end] for span in finding.uncarried] == ["1899"]


def test_damaged_weights_are_named(tmp_path):
    (tmp_path / "support.json").write_text('{"bias": 1}')
    for name in ("support.json", "none.json"):
        with pytest.raises(SetupError, match=f"{name}.*missing or damaged"):
            stored_weights(tmp_path / name)


run = partial(shell.run, "check-support")


def test_the_command_labels_every_line(tmp_path, check):
    claims = [
        {"id": "a", "claim": "Nintendo was founded in 1889 by Fusajiro Yamauchi.", "evidence": NINTENDO},
        {"id": "b", "claim": "Nintendo was founded in 1889 by Fusajiro Yamauchi.", "evidence": ZEBRAS},
    ]
    data = write_lines(tmp_path / "claims.jsonl.gz", [claims[0], "", claims[1]])
    result = run("--data", data, "--out", tmp_path / "out.jsonl")
    assert (result.exit_code, result.output.split(":")[0]) == (0, "2 claims")
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    for claim, line in zip(claims, found, strict=True):
        finding = check.judge(claim["claim"], paragraphs(claim["evidence"]))
        assert line == {"id": claim["id"], "label": finding.label, "score": round(finding.score, 4)}
    assert [line["label"] for line in found] == ["supported", "not_supported"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("nothing", "JSONDecodeError"),
        ('{"id": "a", "claim": "It is."}', "KeyError: 'evidence'"),
        ("[]", "TypeError"),
        ('{"id": "a", "claim": 1, "evidence": "It is."}', "not all texts"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_written(tmp_path, line, problem):
    (tmp_path / "claims.jsonl").write_text('{"id": "a", "claim": "It is.", "evidence": "It is."}\n' + line + "\n")
    result = run("--data", tmp_path / "claims.jsonl", "--out", tmp_path / "out.jsonl")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: line 2 of 'claims.jsonl' is no claim")
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "out.jsonl").exists()
