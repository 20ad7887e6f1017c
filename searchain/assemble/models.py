"""Make the models that read and judge, each loaded when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from searchain.reading.large_reader import LargeReader
    from searchain.reading.similarity import QueryEncoder
    from searchain.reading.stance import Stance
    from searchain.reply.quoting import Quoter
    from searchain.reply.review import Review
    from searchain.reply.second_reader import JudgingModel
    from searchain.reply.support_check import SentenceCheck


def make_review(model: JudgingModel, *, is_measured: bool, is_remote: bool) -> Review:
    from searchain.reply.review import Review
    from searchain.reply.second_reader import MOST_PROPOSED, SecondReader
    from searchain.verification.second_opinion import read_second_opinion

    most = 1 if is_remote else MOST_PROPOSED  # each answer that is judged costs a request
    return Review(SecondReader(model, most_proposed=most), read_second_opinion(is_measured=is_measured))


def make_large_reader() -> LargeReader:
    from searchain.embedded.mpnet import large_reader
    from searchain.reading.large_reader import LargeReader

    return LargeReader(large_reader())


def make_stance() -> Stance:
    from searchain.reading.stance import LINES, QUESTIONS, ByForm, MiniLMStance, embedded_stance

    questions = MiniLMStance(embedded_stance(QUESTIONS), lines=LINES)
    return ByForm(MiniLMStance(embedded_stance()), questions)


def make_support(stance: Stance, similarity: QueryEncoder) -> SentenceCheck:
    from searchain.reply.support_check import SupportCheck

    return SupportCheck(stance, similarity)


def make_quoter(stance: Stance, similarity: QueryEncoder) -> Quoter:
    from searchain.reply.quoting import Quoter

    return Quoter(stance, similarity)
