"""``auto-cot``: chain of thought whose demonstrations the model wrote itself, one for each cluster of questions.

Zhang et al. 2023 (2210.03493). The pool is the data set's own questions, never their answers; a question asked by
itself takes the questions of the solved ones. Wrong demonstrations are part of the method.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lab.systems import answers
from lab.systems.demonstrations import demonstrations
from lab.systems.prepared import prepared
from lab.systems.run import Run
from searchain.events import Event
from searchain.reading.similarity import QueryEncoder
from searchain.types import Message

SEED = 192
MOST_WORDS, MOST_LINES = 60, 5
MOST_TRIES = 10
"""Questions of a cluster that are tried. The original tries all, which may be thousands for a model that never keeps
the form."""
TRIGGER, _THEREFORE = "Let's think step by step.", "Therefore, the answer is"


def auto_cot(run: Run) -> Iterator[Event]:
    """Own demonstrations, then one text of thoughts."""
    pool = tuple(dict.fromkeys(run.questions)) or tuple(one.question for one in demonstrations(run.kind, 99))
    k = min(len(run.demonstrations()), len(pool))
    key = (run.parts.model.name, run.kind, str(k), TRIGGER, *pool)
    calls = 2 * MOST_TRIES * k
    shown = yield from prepared("auto-cot", key, lambda: _demonstrations(run, pool, k), calls=calls, cancel=run.cancel)
    words = run.prompt("auto-cot", lambda _: (), shown=(), asked=f"{shown[0][0]}\n{TRIGGER}" if shown else "")
    said = [text for question, answer in shown for text in (f"{question}\n{TRIGGER}", answer)][1:]
    asked = words.then(*said, f"{run.question}\n{TRIGGER}") if shown else words.messages
    text = yield from run.write(alone=asked)
    yield from run.step(run.question, run.answer_in(text))
    yield from run.finish(run.answer_in(text), text)


def _demonstrations(run: Run, pool: Sequence[str], k: int) -> list[list[str]]:
    """Of each cluster the question nearest to its centre whose thoughts are short and whole, with these thoughts."""
    shown = []
    for cluster in _clusters(pool, k):
        for question in [one for one in cluster if len(one.split()) <= MOST_WORDS][:MOST_TRIES]:
            asked = (Message("user", f"{question}\n{TRIGGER}"),)
            thoughts = run.prepare(asked, max_tokens=256)
            concluded = (*asked, Message("assistant", thoughts), Message("user", _THEREFORE))
            answer = answers.short(run.prepare(concluded, max_tokens=32).partition("\n")[0], run.kind)
            if answer and thoughts.endswith(".") and len(thoughts.splitlines()) <= MOST_LINES:
                shown.append([question, f"{thoughts} So the final answer is: {answer}."])
                break
    return shown


def _clusters(pool: Sequence[str], k: int) -> list[list[str]]:
    """The questions of each cluster, nearest to its centre first."""
    import faiss
    import numpy as np

    encoder = QueryEncoder()
    points = np.stack([encoder.embed(question) for question in pool]).astype("float32")
    kmeans = faiss.Kmeans(points.shape[1], k, niter=25, seed=SEED, min_points_per_centroid=1)
    kmeans.train(points)
    distances, nearest = kmeans.index.search(points, 1)
    clusters: list[list[tuple[float, str]]] = [[] for _ in range(k)]
    for question, distance, cluster in zip(pool, distances[:, 0], nearest[:, 0], strict=True):
        clusters[cluster].append((float(distance), question))
    return [[question for _, question in sorted(one)] for one in clusters if one]
