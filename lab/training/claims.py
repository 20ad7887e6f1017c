"""Train the head that tells claims from remarks: ``python -m lab.training.claims [--out FILE]``.

``data/remarks.jsonl`` has what texts say without claiming anything, such as greetings, offers and headings, and claims
that look alike; the project's own claims (``data/claims.jsonl.gz``) are added. A third, drawn by a hash of the text,
is only measured.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import click
import numpy as np

from searchain.check.claims import CLAIM, LEAST, WEIGHTS
from searchain.console import one_line_errors, tracked
from searchain.files.jsonl import read_jsonl
from searchain.files.weights import Layer
from searchain.files.writing import write_whole
from searchain.reading.similarity import QueryEncoder

DATA = Path(__file__).parent / "data"
OWN = 400
"""Own claims that are added."""
STRENGTH = 10.0
"""C of the regression."""
REMARK = "remark"


def rows() -> list[tuple[str, bool]]:
    """Return the texts, each with whether it claims something."""
    found = [(one["text"], one["kind"] == CLAIM) for one in read_jsonl(DATA / "remarks.jsonl", dict, "remark")]
    own = dict.fromkeys(one["claim"] for one in read_jsonl(DATA / "claims.jsonl.gz", dict, "claim"))
    return found + [(text, True) for text in sorted(own, key=_digest)[:OWN]]


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.casefold().encode()).digest()


@click.command(help=__doc__.partition("\n")[0])
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=WEIGHTS, show_default="the project's")
@one_line_errors()
def main(out: Path) -> None:
    from sklearn.linear_model import LogisticRegression

    encoder, texts = QueryEncoder(), rows()
    x = np.array([np.asarray(encoder.embed(text), dtype=np.float64) for text, _ in tracked(texts, "embedding")])
    y = np.array([is_claim for _, is_claim in texts])
    kept = np.array([_digest(text)[0] % 3 == 0 for text, _ in texts])
    model = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=1000).fit(x[~kept], y[~kept])
    weights, bias = np.round(model.coef_[0] / 2, 4), round(float(model.intercept_[0]) / 2, 4)
    layer = Layer((CLAIM, REMARK), np.array([weights, -weights]), np.array([bias, -bias]))
    said = np.array([layer.shares(one)[CLAIM] >= LEAST for one in x])
    figures = {
        "claims": int((y & kept).sum()),
        "claims taken for remarks": int((y & kept & ~said).sum()),
        "remarks": int((~y & kept).sum()),
        "remarks taken for claims": int((~y & kept & said).sum()),
    }
    click.echo(", ".join(f"{name} {count}" for name, count in figures.items()) + " (kept apart)")
    stored = {"labels": layer.labels, "weights": layer.weights.tolist(), "bias": layer.bias.tolist()}
    with write_whole(out) as draft:
        draft.write_text(json.dumps(stored | {"kept_apart": figures}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
