"""Citation precision and recall, with a support check that looks for words."""

import pytest

from lab.evaluation.citations import citation_scores, claim_of
from tests.support.fakes import QUESTION, outfile_line


def words(claim, evidence):
    """Supported when every word of the claim with a capital stands in the evidence."""
    missing = [word for word in claim.replace(".", "").split() if word[0].isupper() and word not in evidence]
    return "supported" if not missing else "partial" if len(missing) == 1 else "not_supported"


def reply(*sentences, final_answer="?"):
    """A reply of (text, numbers cited) over three sources: A alone says Ada, B alone Bob, C nothing."""
    made, at = [], 0
    for text, numbers in sentences:
        marks = [
            {"number": number, "start": at + len(text) + 3 * i, "end": at + len(text) + 3 * i + 3}
            for i, number in enumerate(numbers)
        ]
        full = text + "".join(f"[{number}]" for number in numbers)
        made.append({"text": full, "start": at, "end": at + len(full), "citations": list(numbers), "marks": marks})
        at += len(full) + 1
    sources = [
        {"number": number, "title": title, "text": f"Here is {title} ."}
        for number, title in enumerate(("Ada", "Bob", "nobody"), 1)
    ]
    return {"sentences": made, "sources": sources, "question": "Who is it?", "final_answer": final_answer}


@pytest.mark.parametrize(
    ("sentences", "precision", "recall"),
    [
        ([("Ada sang.", [1])], 1, 1),
        ([("Ada sang.", [2])], 0, 0),  # the wrong source
        ([("Ada sang.", [])], None, 0),  # none
        ([("Ada sang.", [1]), ("Bob sang.", [])], 1, 0.5),
        ([("Ada met Bob.", [1, 2])], 1, 1),  # only both together
        ([("Ada met Bob.", [1])], 0, 0),  # partial is not supported
        ([("Ada sang.", [1, 3])], 0.5, 1),  # the second is not needed
        ([("Ada sang.", [1]), ("Bob sang.", [3])], 0.5, 0.5),
        ([], None, None),
    ],
)
def test_precision_and_recall(sentences, precision, recall):
    assert citation_scores(reply(*sentences), words) == (precision, recall)


def test_a_bare_answer_claims_something_together_with_the_question():
    made = reply(("Ada", [1]), ("Ada sang.", [1]), final_answer="Ada.")
    assert [claim_of(sentence, made["question"], made["final_answer"]) for sentence in made["sentences"]] == [
        "Who is it? Ada",
        "Ada sang.",
    ]


def test_a_line_has_the_scores_when_there_is_a_check():
    checked = []
    made = outfile_line(check=lambda claim, evidence: checked.append((claim, evidence)) or "supported")
    assert (made["citation_precision"], made["citation_recall"]) == (1.0, 1.0)
    claim, evidence = checked[0]
    assert claim == f"{QUESTION} Honshu."
    assert evidence.startswith("Kyoto: Kyoto is a city in the Kansai region")
