"""The support check: features, labels, and the command."""

from __future__ import annotations

import gzip
import json

import pytest
from click.testing import CliRunner

from lab.evaluation.citations import citation_scores
from searchain.errors import SetupError
from searchain.reply.support_check import FEATURES, SupportCheck, Weights, paragraphs, stored_weights
from searchain.types import Opinion, Passage
from ui.cli.main import cli

NINTENDO = (
    "Nintendo Co., Ltd. is a Japanese multinational video game company with its headquarters in Kyoto. It was "
    "founded in 1889 by Fusajiro Yamauchi and made playing cards."
)
ZEBRAS = "Zebras are African equines with black-and-white striped coats. They live in herds."
ONLY_WORDS = Weights(-5.0, tuple(10.0 if name == "words" else 0.0 for name in FEATURES), 0.9, 0.5, 0.6)


class AlwaysOpen:
    """A stance that leaves everything open but what repeats the statement."""

    def judge(self, statement, passages):
        return [Opinion(1.0, 0.0, 0.0) if statement in passage.text else Opinion(0.0, 0.0, 1.0) for passage in passages]


def simple(weights=ONLY_WORDS):
    return SupportCheck(AlwaysOpen(), lambda one, other: float(one == other), weights)


@pytest.fixture(scope="module")
def check() -> SupportCheck:
    return SupportCheck()


@pytest.mark.parametrize(
    ("sentence", "texts", "expected"),
    [
        ("Nintendo was founded in 1889.", ["Nintendo was founded in 1889."], (1, 1, 1, 1, 1, 1)),
        ("Nintendo was founded in 1889.", ["Nintendo was founded in 1889. It makes games."], (1, 1, 1, 1, 1, 0)),
        (
            "Nintendo was founded in 1889.",
            ["Nintendo makes games.", "It was founded in 1889."],
            (0, 1, 2 / 3, 0.75, 1, 0),
        ),
        ("Nintendo was founded in 1889.", ["Sony was founded in 1946."], (0, 1 / 3, 1 / 3, 0.5, 0, 0)),
        ("It is.", ["Zebras live in herds."], (0, 1, 1, 0, 1, 0)),
    ],
)
def test_features(sentence, texts, expected):
    found = simple().features(sentence, [Passage("", "", text) for text in texts])
    assert dict(zip(FEATURES, found, strict=True)) == pytest.approx(dict(zip(FEATURES, expected, strict=True)))


@pytest.mark.parametrize(
    ("sentence", "texts", "expected"),
    [
        ("Nintendo was founded in 1889.", ["Nintendo was founded in 1889."], "supported"),
        ("Nintendo was founded in 1889.", ["Nintendo was founded long ago."], "partial"),
        ("Nintendo was founded in 1889.", ["Zebras live in herds."], "not_supported"),
        ("Nintendo was founded in 1889.", [""], "not_supported"),
        ("Nintendo was founded in 1889.", [], "not_supported"),
        ("…", ["Nintendo was founded in 1889."], "not_supported"),
    ],
)
def test_thresholds_make_labels_of_scores(sentence, texts, expected):
    assert simple().judge(sentence, [Passage("", "", text) for text in texts]).label == expected


def test_evidence_is_passages_between_empty_lines():
    assert [passage.text for passage in paragraphs("One.\nStill one.\n \n\nTwo.\n\n")] == ["One.\nStill one.", "Two."]


@pytest.mark.parametrize(
    ("sentence", "evidence", "expected"),
    [
        ("Nintendo was founded in 1889 by Fusajiro Yamauchi.", NINTENDO, True),
        ("Nintendo has its headquarters in Kyoto.", f"{ZEBRAS}\n\n{NINTENDO}", True),
        ("Nintendo was founded in 1889 by Fusajiro Yamauchi.", ZEBRAS, False),
        ("Zebras are carnivores of the Andes.", NINTENDO, False),
    ],
)
def test_the_embedded_check_tells_support_from_none(check, sentence, evidence, expected):
    assert (check(sentence, evidence) == "supported") is expected
    assert (check.judge(sentence, paragraphs(evidence)).score >= stored_weights().supported) is expected


def test_it_serves_citation_scores(check):
    sentence = {
        "text": "Nintendo has its headquarters in Kyoto [1][2].",
        "start": 0,
        "citations": [1, 2],
        "marks": [{"number": 1, "start": 39, "end": 42}, {"number": 2, "start": 42, "end": 45}],
    }
    reply = {
        "question": "Where is Nintendo?",
        "final_answer": "Kyoto",
        "sentences": [sentence],
        "sources": [
            {"number": 1, "title": "Nintendo", "text": NINTENDO},
            {"number": 2, "title": "Zebra", "text": ZEBRAS},
        ],
    }
    assert citation_scores(reply, check) == (0.5, 1.0)


def test_damaged_weights_are_named(tmp_path):
    (tmp_path / "support.json").write_text('{"bias": 1}')
    for name in ("support.json", "none.json"):
        with pytest.raises(SetupError, match=f"{name}.*restore it"):
            stored_weights(tmp_path / name)


def run(*arguments):
    return CliRunner().invoke(cli, ["check-support", *map(str, arguments)])


@pytest.mark.parametrize("name", ["claims.jsonl", "claims.jsonl.gz"])
def test_the_command_labels_every_line(tmp_path, check, name):
    claims = [
        {"id": "a", "claim": "Nintendo was founded in 1889 by Fusajiro Yamauchi.", "evidence": NINTENDO},
        {"id": "b", "claim": "Nintendo was founded in 1889 by Fusajiro Yamauchi.", "evidence": ZEBRAS},
    ]
    content = "".join(json.dumps(claim) + "\n\n" for claim in claims).encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    result = run("--data", tmp_path / name, "--out", tmp_path / "out.jsonl")
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


def test_an_unwritable_place_is_named(tmp_path):
    (tmp_path / "claims.jsonl").write_text("")
    result = run("--data", tmp_path / "claims.jsonl", "--out", tmp_path / "none" / "out.jsonl")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: cannot write")
