"""Runs generated at random, each complete: for properties that hold whatever a model, a passage or a person wrote."""

import random

from hypothesis import strategies

from searchain import events as run
from searchain import types
from searchain.events import Event, ReplyDelta
from searchain.types import Hit, Mark, Outcome, Passage, Reading, Source, Span, Status, Support, Usage, Verdict
from tests.support.hostile import ODD, PAYLOADS

TEXTS = (*PAYLOADS, *ODD)

PROBABILITIES = (None, 0.0, 0.123456, 1.0)
ORIGINS = ("question", "chain")
ENDINGS = (
    *((status, None) for status in Status),
    (Status.ANSWERED, Outcome.SUPPORTED),
    (Status.PARTIAL, Outcome.UNSURE),
    (Status.NOT_FOUND, Outcome.NOT_FOUND),
    (Status.ANSWERED, Outcome.NO_SEARCH),
)


def generated_run(rng: random.Random, texts: tuple[str, ...] = TEXTS) -> tuple[Event, ...]:
    """Return the events of one run: one to three rounds, then perhaps a reply, then the end."""

    def text(least: int = 0) -> str:
        return " ".join(rng.choice(texts) for _ in range(rng.randint(least, 3)))

    question = text(1)
    model, index, profile = text(), text(), rng.choice(["default", "paper"])
    settings = {"theta": rng.choice([1.5, None, 0]), text(): [text()]}
    events: list[Event] = [
        run.RunStarted(question=question, model=model, index=index, profile=profile, settings=settings),
        run.TaskChosen(task=rng.choice(list(types.TaskKind)), by="rule"),
    ]
    if rng.random() < 0.3:
        events.append(run.QuestionRewritten(standalone=text(), by="model"))
    settled: list[tuple[str, Passage, Span | None, float, str, Verdict]] = []
    count, path = 0, []
    for round in range(1, rng.randint(1, 3) + 1):
        events.append(run.RoundStarted(round=round))
        parent, path = None, []
        for step in range(rng.randint(1, 3)):
            count += 1
            node, query = f"n{count}", text()
            events.append(run.ChainDelta(round=round, text=text()))
            answer = rng.choice([None, text()])
            asked = {"node": node, "parent": parent, "round": round, "query": query, "answer": answer}
            if round > 1 and step == 0:
                events.append(run.BranchOpened(mends=f"n{rng.randint(1, count - 1)}", **asked))
            else:
                events.append(run.NodeParsed(**asked))
            parent = node
            path.append(node)
            if rng.random() < 0.8:
                passages = [
                    Passage(f"p{rank}", text(), text(1), rng.choice([None, "https://example.org/x", text()]))
                    for rank in range(1, rng.randint(1, 3) + 1)
                ]
                chosen = rng.randrange(len(passages))
                passage, verdict = passages[chosen], rng.choice(list(Verdict))
                start = rng.randint(0, len(passage.text))
                span = rng.choice([None, Span(start, rng.randint(start, len(passage.text)))])
                found, confidence = passage.text[span.start : span.end] if span else "", rng.choice([-3.25, 0.0, 6.5])
                hits = tuple(Hit(p, 20.0 - rank, rank) for rank, p in enumerate(passages, 1))
                reading, after = Reading(found, span, confidence), rng.choice([None, found])
                judged = {"verdict": verdict, "rule": "a rule", "before": answer, "after": after}
                events += [
                    run.Searched(node=node, query=query, seconds=0.01, hits=hits),
                    run.NodeRead(node=node, passage=passage.id, rank=chosen + 1, reading=reading, seconds=0.02),
                    run.NodeJudged(node=node, probability=rng.choice(PROBABILITIES), **judged),
                ]
                settled.append((node, passage, span, confidence, query, verdict))
        if rng.random() < 0.3:
            events.append(run.ModelFault(what=text(), action=text()))
        events.append(run.FeedbackSent(node=path[-1], kind="verification", text=text()))
    if rng.random() < 0.3:
        weighed = tuple(run.Candidate(origin, path[-1], text(), rng.choice(PROBABILITIES)) for origin in ORIGINS)
        events.append(run.CandidatesWeighed(candidates=weighed, chosen=rng.randrange(len(weighed))))
        samples = (run.Sample(text(), text(), 2), run.Sample(text(), "", 0))
        events.append(run.SamplesWeighed(round=1, kind="answers", samples=samples, chosen=rng.choice([None, 0])))
    reply = _reply(rng, text, path, settled) if rng.random() < 0.8 else []
    events += reply
    status, outcome = rng.choice(ENDINGS)
    if outcome is Outcome.NO_SEARCH and any(isinstance(event, ReplyDelta) and event.sources for event in reply):
        outcome = None
    probability = 0.97 if outcome is Outcome.SUPPORTED else rng.choice(PROBABILITIES)
    final_answer = "" if outcome is Outcome.NO_SEARCH else text()
    said = {"final_answer": final_answer, "invented_markers": rng.randint(0, 2), "message": text()}
    usage = Usage(rng.randint(0, 9), rng.randint(0, 999), rng.randint(0, 99), 1.25, 0.1, 0.2, 3.5)
    events.append(run.RunFinished(status=status, outcome=outcome, probability=probability, usage=usage, **said))
    return tuple(events)


def _reply(rng, text, path, settled) -> list[Event]:
    events: list[Event] = [run.TracingStarted(path=tuple(path), writer="model")]
    at, numbers = 0, {}
    for _ in range(rng.randint(0, 3)):
        body, marks, new = text(1) or "x", [], []
        for _ in range(rng.randint(0, 2) if settled else 0):
            node, passage, span, confidence, query, verdict = cited = rng.choice(settled)
            if cited[0] not in numbers:
                numbers[node] = len(numbers) + 1
                probability = rng.choice(PROBABILITIES)
                new.append(Source(numbers[node], passage, span, confidence, query, verdict, node, probability))
            mark = f"[{numbers[node]}]"
            marks.append(Mark(numbers[node], at + len(body), at + len(body) + len(mark)))
            body += mark
        middle = rng.randint(0, len(body))
        support, probability = rng.choice(list(Support)), rng.choice(PROBABILITIES)
        events += [
            ReplyDelta(text=body[:middle]),
            ReplyDelta(text=body[middle:] + " ", sources=tuple(new)),
            run.SentenceBound(sentence=types.Sentence(body, at, at + len(body), tuple(marks), support, probability)),
        ]
        at += len(body) + 1
    return events


generated_runs = strategies.builds(generated_run, strategies.randoms(use_true_random=False))
"""The same as a strategy of hypothesis, which looks for a smaller run when a property fails."""
