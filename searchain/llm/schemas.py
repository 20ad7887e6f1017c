"""JSON schemas, the form of constrained decoding that servers share: one for each form that is asked for as JSON."""

from __future__ import annotations

from typing import Any

from searchain.llm.base import Form

_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}


def _object(**properties: Any) -> dict[str, Any]:
    """Return the strict schema of an object: all properties must be there, and no other."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(of: Any) -> dict[str, Any]:
    return {"type": "array", "items": of}


INFORMED = _object(
    steps=_list(_object(query=_TEXT, answer=_TEXT_OR_NULL, keys=_list(_TEXT))),
    answer=_TEXT_OR_NULL,
    sentences=_list(_object(text=_TEXT, keys=_list(_TEXT))),
    reply=_TEXT_OR_NULL,
)
"""Steps, each with its keys, then the short answer and the sentences of the reply; or ``reply`` to a greeting."""
FORMATS = {
    Form.INFORMED: {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": INFORMED}},
}
"""The ``response_format`` of a request for a form."""
