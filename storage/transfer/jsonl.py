"""The lossless export, written and parsed: one JSON object per line, one line per turn, every event as it was stored.

    {"format": "searchain", "version": 1,
     "conversation": {"id", "title", "created", "pinned"},   "pinned" only where it is: when it was pinned
     "turn": {"id", "position", "created", "question"},
     "feedback": [{"source", "value", "comment", "settings", "time"}, …],   only where there is some
     "events": [{"time", "event": {"type", "version", …}}, …]}

Owners, users, tokens and shares are not part of it. A line counts only if the parts of its turn agree.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, NoReturn

from ulid import ULID

from searchain.errors import SearChainError, StorageError
from searchain.events import RunFinished, from_payload
from searchain.safe_text import without_surrogates
from storage.history.feedback import MAX_COMMENT, Feedback
from storage.history.finished_turns import Record
from storage.log import event_log, verify
from storage.log.conversations import TITLE_LENGTH

FORMAT, VERSION = "searchain", 1
_OF_TURN = ("position", "created", "question")


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write one line per turn."""
    for record in records:
        conversation = {"id": record.conversation, "title": record.title, "created": record.begun}
        head = json.dumps(
            {
                "format": FORMAT,
                "version": VERSION,
                "conversation": conversation | ({"pinned": record.pinned} if record.pinned else {}),
                "turn": {"id": record.turn, **{name: getattr(record, name) for name in _OF_TURN}},
                **({"feedback": list(map(_said, record.feedback))} if record.feedback else {}),
            },
            ensure_ascii=False,
        )
        # payloads go out as they were stored: to read and write them again would take most of the time
        events = ", ".join(f'{{"time": {json.dumps(time)}, "event": {payload}}}' for time, payload in record.log)
        yield f'{head[:-1]}, "events": [{events}]}}\n'


def _said(said: Feedback) -> dict[str, Any]:
    values = asdict(said) | {"settings": json.loads(said.settings)}
    return {name: values[name] for name in ("source", "value", "comment", "settings", "time")}


@contextmanager
def in_line(number: int) -> Iterator[None]:
    """Add the line ``number`` to every error of the block. Raises ``StorageError`` if the block failed."""
    try:
        yield
    except (ValueError, TypeError, KeyError, OverflowError, SearChainError) as error:
        raise StorageError(f"line {number} cannot be imported: {error}; nothing was imported") from None


def parse(line: str) -> dict[str, Any]:
    """Parse the JSON object of a line, replacing lone surrogates. Raises ``ValueError`` if it is not a JSON object."""
    try:
        values = json.loads(line, parse_constant=_no_number)
        if "\\ud" in line.lower():
            values = json.loads(without_surrogates(json.dumps(values, ensure_ascii=False)))
    except RecursionError:
        raise ValueError("its values are nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"it is no JSON ({error})") from None
    if not isinstance(values, dict):
        raise ValueError("it is no JSON object")
    return values


def record(values: dict[str, Any]) -> Record:
    """Return the turn of a line, its payloads as this program encodes them.

    Raises ``ValueError`` if it is not a turn, or its parts contradict each other.
    """
    if values.get("format") != FORMAT:
        raise ValueError("it is no turn of `export --format jsonl`; other systems' answers go to: annotate import")
    if values.get("version") != VERSION:
        raise ValueError("a newer version of this program wrote it")
    try:
        conversation, turn, log = values["conversation"], values["turn"], values["events"]
        found = Record(
            conversation=_id(conversation["id"]),
            title=_title(conversation["title"]),
            begun=_time(conversation["created"]),
            pinned=_time(conversation["pinned"]) if conversation.get("pinned") else None,
            turn=_id(turn["id"]),
            position=_position(turn["position"]),
            created=_time(turn["created"]),
            question=_text(turn["question"]),
            log=tuple((_time(entry["time"]), _payload(entry["event"])) for entry in log),
            feedback=tuple(_feedback(turn["id"], said) for said in values.get("feedback", ())),
        )
        events = list(found.events())
        state = found.state()
    except (KeyError, TypeError) as error:
        raise ValueError(f"something is missing or of another kind ({error})") from None
    if [at for at, event in enumerate(events, 1) if isinstance(event, RunFinished)] != [len(events)]:
        raise ValueError("its run does not end with its last event")
    if state.question != found.question:
        raise ValueError("its events tell another question")
    for fault in verify.faults(state):
        raise ValueError(fault)
    if not {said.source for said in found.feedback} <= {None, *(source.number for source in state.sources)}:
        raise ValueError("its feedback speaks of a citation that the reply does not have")
    return found


def _feedback(turn: str, values: Any) -> Feedback:
    source, value, settings = values["source"], values["value"], values["settings"]
    is_ours = (source is None or type(source) is int) and value in ("up", "down", None) and type(settings) is dict
    if not is_ours:
        raise ValueError("its feedback is none that this program takes")
    comment = _text(values["comment"])
    if len(comment) > MAX_COMMENT:
        raise ValueError("a comment in its feedback is too long")
    used = without_surrogates(json.dumps(settings, ensure_ascii=False))
    return Feedback(turn, source, value, comment, used, _time(values["time"]))


def _payload(values: Any) -> str:
    try:
        return event_log.encode(from_payload(values))[1]
    except ValueError:
        name = values.get("type") if isinstance(values, dict) else values
        raise ValueError(f"its event {name!r} is unknown here or has another form") from None


def _id(text: Any) -> str:
    if not isinstance(text, str) or str(ULID.from_str(text)) != text:
        raise ValueError(f"{text!r} is no id")
    return text


def _time(text: Any) -> str:
    found = datetime.fromisoformat(text).astimezone(UTC) if isinstance(text, str) else None
    if found is None or found.isoformat(timespec="milliseconds") != text:
        raise ValueError(f"{text!r} is no time as this program writes it")
    return text


def _position(number: Any) -> int:
    if type(number) is not int or not 0 <= number < 1_000_000_000:
        raise ValueError(f"{number!r} is no position")
    return number


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is no text")
    return without_surrogates(text)


def _title(text: Any) -> str:
    if len(_text(text)) > TITLE_LENGTH:
        raise ValueError("the title is too long")
    return _text(text)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
