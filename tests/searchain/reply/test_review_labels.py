"""The careful model decides yes/no questions, which the stance model leaves open or gets wrong."""

from dataclasses import replace

import pytest

from lab.scripted.model import ScriptedModel
from searchain.events import ReplyReviewed, RunFinished, fold
from searchain.reply.quoting import Quoter
from searchain.reply.review import Review
from searchain.reply.second_reader import SecondReader
from searchain.types import Abilities, Opinion, Outcome, Passage, Place, TaskKind
from searchain.verification.probability import Logistic
from searchain.verification.second_label import (
    AFFIRMED,
    ANSWERED,
    ARTICLES,
    WEIGHTS,
    SecondLabel,
    read_second_label,
)
from storage.log import verify
from tests.searchain.reply.test_quoting import BY_WORDS
from tests.support.fakes import JudgingModel, NoReader, Rating, WordRetriever, around, chain_text

BIKES = "Bicycles are kept in the cellar."
LEASE = Passage("lease", "Lease", f"The rent is 900 euros. {BIKES} Cats are welcome.", place=Place("d", "0" * 9, 0, 70))
QUESTION = "Can I keep a bicycle in the staircase?"
RULE = SecondLabel(Logistic(2.0, (-1.0, 0.0, 0.0)), Logistic(0.0, (1.0, 0.0)), given=0.6, least=0.8)
"""Rests on the log-odds of “unknown” and of “yes” alone."""


class Leaning:
    """Leans to yes or no by a sentence about bicycles; ``by`` is how much it supports and refutes."""

    def __init__(self, by):
        self.by = by

    def judge(self, statement, passages):
        return [Opinion(*self.by, 1 - sum(self.by)) if BIKES in one.text else Opinion(0, 0, 1) for one in passages]


class ReadsEach(JudgingModel):
    """Says ``decides`` by a passage about the cellar alone, and by no other."""

    def likelihoods(self, messages, words):
        shown = messages[-1].content
        yes, no, unknown = self.decides if BIKES in shown and "[2]" not in shown else (0.2, 0.1, 0.7)
        return (yes, no, unknown) if "unknown" in words else (yes + no, unknown)


def ask(decides, *, by=(0.1, 0.3), passages=(LEASE,), question=QUESTION, rule=RULE, articles=None, **settings):
    stance = Leaning(by)
    careful = settings.pop("model", JudgingModel)("no", decides=decides, name="careful")
    chain = around(
        ScriptedModel(*[chain_text((question, None))] * 4, abilities=Abilities.SMALL),
        retriever=WordRetriever(passages),
        reader=NoReader(),
        stance=stance,
        quoter=Quoter(stance, lambda one, other: 0.0, BY_WORDS),
        probability=settings.pop("probability", _Unrated()),
        review=Review(SecondReader(careful), _Never(), labels=rule, articles=articles),
        reply="template",
        **settings,
    )
    events = list(chain.stream(question))
    turn = fold(events)
    assert isinstance(events[-1], RunFinished)
    assert list(verify.faults(turn)) == []
    return turn, careful, [event for event in events if isinstance(event, ReplyReviewed)]


class _Unrated(Rating):
    """Was never measured for a label, as the calibration."""

    def of_step(self, step, evidence, judgement):
        return None


class _Never:
    """Finds nothing likely."""

    least = 1.0

    def weigh(self, question, answers):
        return [None for _ in answers]


def test_what_the_stance_model_leaves_open_is_decided_and_cites_the_sentence():
    turn, careful, (reviewed,) = ask((0.1, 0.85, 0.05))
    assert (reviewed.outcome, reviewed.first, reviewed.second, reviewed.chosen) == ("corrected", "", "no", "no")
    assert turn.final_answer == "no"
    assert turn.probability == reviewed.probability > 0.8
    (source,) = turn.sources
    assert source.passage.text[source.span.start : source.span.end] == BIKES
    assert careful.judged == []
    assert careful.calls == []  # nothing was written
    assert turn.message.endswith("the careful model found it")


@pytest.mark.parametrize(
    ("decides", "by", "outcome"),
    [
        ((0.1, 0.85, 0.05), (0.0, 0.95), Outcome.SUPPORTED),  # a sentence carries it
        ((0.1, 0.85, 0.05), (0.1, 0.3), Outcome.UNSURE),  # none does
        ((0.2, 0.6, 0.2), (0.0, 0.95), Outcome.UNSURE),  # not sure enough
    ],
)
def test_a_label_is_ticked_where_it_is_likely_and_a_sentence_carries_it(decides, by, outcome):
    turn, _, (reviewed,) = ask(decides, by=by)
    assert (turn.final_answer, turn.outcome) == ("no", outcome)
    assert reviewed.outcome == ("confirmed" if by == (0.0, 0.95) else "corrected")


def test_an_unlikely_label_is_not_given_and_a_wrong_one_is_corrected():
    turn, _, (reviewed,) = ask((0.1, 0.1, 0.8))
    assert (turn.final_answer, turn.outcome, reviewed.outcome) == ("", Outcome.NOT_FOUND, "confirmed")
    turn, _, (reviewed,) = ask((0.1, 0.1, 0.8), by=(0.0, 0.95))
    assert (turn.final_answer, turn.outcome, reviewed.outcome) == ("no", Outcome.UNSURE, "withdrawn")
    turn, _, (reviewed,) = ask((0.9, 0.05, 0.05), by=(0.0, 0.95))
    assert (reviewed.outcome, reviewed.first, turn.final_answer) == ("corrected", "no", "yes")
    assert turn.outcome is Outcome.UNSURE  # no sentence carries it
    assert "corrected “no”" in turn.message


ARTICLE = Passage("article", "Bicycle", "A bicycle has two wheels. Bicycles in the staircase fall over.")


def test_articles_have_a_rule_of_their_own():
    never = replace(RULE, given=1.0)
    article = replace(LEASE, place=None)
    turn, careful, (reviewed,) = ask((0.1, 0.85, 0.05), passages=(article,), rule=never, articles=RULE)
    assert (reviewed.outcome, turn.final_answer, careful.calls) == ("corrected", "no", [])
    turn, _, _ = ask((0.1, 0.85, 0.05), passages=(article,), rule=RULE, articles=never)
    assert turn.final_answer == ""
    _, careful, _ = ask((0.1, 0.85, 0.05), passages=(LEASE, ARTICLE), articles=RULE)
    assert careful.calls  # neither rule was fitted to both together


def test_each_article_is_read_alone_and_the_one_that_answers_counts():
    both = ARTICLE, replace(LEASE, place=None)
    turn, _, (reviewed,) = ask((0.1, 0.85, 0.05), passages=both, articles=RULE, by=(0.1, 0.8), model=ReadsEach)
    assert (turn.final_answer, reviewed.passages[reviewed.place]) == ("no", "lease")
    assert [sentence.text for sentence in turn.sentences][0] == "No [1]."
    assert turn.sources[0].passage.id == "lease"
    own = replace(ARTICLE, id="rules", place=Place("e", "0" * 9, 0, 60)), LEASE
    turn, _, _ = ask((0.1, 0.85, 0.05), passages=own, model=ReadsEach)
    assert turn.final_answer != "no"  # own documents are read together


@pytest.mark.parametrize(
    "given",
    [
        {"passages": (replace(LEASE, place=None),)},
        {"passages": (LEASE, ARTICLE)},
        {"rule": None},
        {"question": "Is the bicycle older than the cat?"},
        {"question": "my bicycle is small, may it stand in the staircase", "task": TaskKind.YESNO},
        {"task": TaskKind.FACTCHECK, "by": (0.0, 0.95)},
        {"probability": None},
    ],
)
def test_other_questions_and_models_are_read_as_before(given):
    _, careful, _ = ask((0.1, 0.85, 0.05), **given)
    assert careful.calls  # it was asked to write an answer


@pytest.mark.parametrize("file", [WEIGHTS, ARTICLES])
def test_the_stored_rules_tell_yes_from_no_and_from_nothing(file):
    rule = read_second_label(file)
    assert rule.weigh([5.0, -4.0, 4.0, 0.9])["yes"] > rule.given <= rule.least
    assert rule.weigh([-2.0, -1.0, 1.0, -0.9])["no"] > rule.given
    assert max(rule.weigh([0.0, 3.0, -2.0, 0.0]).values()) < rule.given
    assert (len(rule.answered.weights), len(rule.affirmed.weights)) == (len(ANSWERED), len(AFFIRMED))
