"""A node of a checked path, for tests of what is told of it."""

from searchain.types import Node, Passage, Span, Verdict

TEXT = "Nintendo Co., Ltd. is a Japanese company headquartered in Kyoto. It makes games."
PASSAGE = Passage("p", "Nintendo", TEXT)


def node(verdict=Verdict.AGREED, answer="Kyoto", confidence=5.0, id="n1", passage=PASSAGE, **more):
    at = TEXT.index("Kyoto")
    return Node(
        id=id,
        parent=None,
        round=1,
        query="In which city is Nintendo?",
        answer=answer,
        verdict=verdict,
        confidence=confidence,
        passage=passage,
        span=Span(at, at + 5),
        **more,
    )
