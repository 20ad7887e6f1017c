"""What a browser may post to Gradio: the events of the page, and nothing else."""

import json
import urllib.request

from tests.support.served_page import ServedPage

SERVED = {"at_once": 10, "per_hour": 1_000}


def post(site: ServedPage, path: str, body: object) -> tuple[int, str]:
    status, _, text = site.request(f"/gradio_api/{path}", body=body, content_type="application/json")
    return status, text


def test_no_handler_is_called_by_its_name_and_an_event_has_its_number(local: ServedPage, capfd):
    for path in ("call/ask", "call/ask/", "call/v2/stop", "api/ask", "api/predict"):
        assert post(local, path, {"data": [], "fn_index": 0}) == (404, "This page does not use that.")
        assert local.request(f"/gradio_api/{path}/x")[0] == 404
    for path in ("run/ask", "run/predict", "queue/join"):
        assert post(local, path, {"data": []}) == (422, '{"error":"this is no event of the page; reload it"}')
    assert "Traceback" not in "".join(capfd.readouterr())


def test_made_up_events_of_the_page_leave_no_traceback(local: ServedPage, capfd):
    with urllib.request.urlopen(f"{local.url}config") as answer:
        handlers = [(one["id"], len(one["inputs"])) for one in json.load(answer)["dependencies"]]
    assert len(handlers) > 8
    odd: list[object] = [None, "x", 5, {"a": 1}, ["x"], "x" * 9_000, "\x00"]
    told = [None, {}, {"index": 0, "value": 5}, {"value": {"text": ["x"]}}, {"turn": 5, "question": "why?"}, 5, "x"]
    joined = refused = 0
    for number, inputs in [*handlers, (-1, 1), (99, 1)]:
        more = ({"batched": True}, {"trigger_id": 10**9}, {"trigger_id": "x"})
        bodies = [
            *({"data": [value] * inputs, "event_data": event} for value, event in zip(odd, told, strict=True)),
            *({"data": data} for data in ([], ["x"] * (inputs + 1), "x")),
            *({"data": ["x"] * inputs} | one for one in more),
            {},
        ]
        for place, body in enumerate(bodies):
            session = f"made{number}up{place}"
            status, _ = post(local, "queue/join", body | {"fn_index": number, "session_hash": session})
            assert status in (200, 404, 422)
            refused += status != 200
            if status == 200:
                joined += 1
                with urllib.request.urlopen(f"{local.url}gradio_api/queue/data?session_hash={session}") as answer:
                    assert b"close_stream" in answer.read()
            assert post(local, "run/predict", body | {"fn_index": number})[0] in (200, 404, 422, 500)
    assert joined > 20
    assert refused > 50
    assert "Traceback" not in "".join(capfd.readouterr())
