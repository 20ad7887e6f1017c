"""Deltas are joined to at most ten a second, and never overtaken."""

from searchain.chain.throttle import join_deltas
from searchain.events import ChainDelta, ReplyDelta, RoundStarted


def test_fast_deltas_are_joined_and_order_is_kept():
    now = [0.0]

    def events():
        yield RoundStarted(round=1)
        for letter in "abcdef":
            now[0] += 0.04
            yield ChainDelta(round=1, text=letter)
        yield RoundStarted(round=2)
        yield ReplyDelta(text="x")
        yield ReplyDelta(text="y")

    assert list(join_deltas(events(), interval=0.1, clock=lambda: now[0])) == [
        RoundStarted(round=1),
        ChainDelta(round=1, text="a"),
        ChainDelta(round=1, text="bcd"),
        ChainDelta(round=1, text="ef"),
        RoundStarted(round=2),
        ReplyDelta(text="xy"),
    ]
