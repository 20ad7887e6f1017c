"""Convert events to JSON-ready values and back, in the form of each event's version."""

from functools import cache
from typing import Annotated, Any

from searchain.events.chain import ChainEvent, NodeJudged, NodeRead
from searchain.events.reply import ReplyDelta, ReplyEvent, SentenceBound
from searchain.events.run import RunEvent, RunFinished, RunStarted

Event = RunEvent | ChainEvent | ReplyEvent


@cache
def _adapter() -> Any:
    from pydantic import Field, TypeAdapter  # here, because it takes 0.1 s that `--help` need not pay

    return TypeAdapter(Annotated[Event, Field(discriminator="type")])


_SINCE_VERSION_2 = ("outcome", "probability", "threshold", "likelihood", "lead")
"""Fields that payloads of version 1 do not have."""


def to_payload(event: Event) -> dict[str, Any]:
    """Return the event as JSON-ready values, ``type`` and ``version`` included.

    An event of an older version gets exactly the payload that the program wrote at that time.
    """
    payload = _adapter().dump_python(event, mode="json")
    if isinstance(event, RunFinished) and event.version < 4:
        del payload["conflict"]
    if isinstance(event, RunFinished) and event.version < 3:
        del payload["usage"]["prompt_words"], payload["usage"]["completion_words"]
    if isinstance(event, SentenceBound) and event.version < 3:
        del payload["sentence"]["uncarried"]
    match event:
        case RunStarted(version=1):
            del payload["system"], payload["beside"]
        case (
            NodeRead(version=1)
            | NodeJudged(version=1)
            | ReplyDelta(version=1)
            | SentenceBound(version=1)
            | RunFinished(version=1)
        ):
            parts = (payload.get("reading", {}), payload.get("sentence", {}), *payload.get("sources", ()))
            for values in (payload, *parts):
                for name in _SINCE_VERSION_2:
                    values.pop(name, None)
    payload.get("reading", {}).pop("others", None)  # they were weighed, and belong to no node
    for name in ("collections", "files", "unread", "generations", "replaces"):
        if not payload.get(name, True):
            del payload[name]
    for holder in (*payload.get("hits", ()), *payload.get("sources", ())):
        if holder["passage"]["place"] is None:  # as it was written before passages had places
            del holder["passage"]["place"]
    return payload


def from_payload(payload: dict[str, Any]) -> Event:
    """Return the event that ``to_payload`` wrote.

    Raises:
        pydantic.ValidationError: an unknown type or version, or a payload of another form.
    """
    return _adapter().validate_python(payload)
