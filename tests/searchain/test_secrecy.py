"""No form of a key gets out: whole, encoded, in part, abridged, or in pieces."""

import base64
import html
import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchain import secrecy
from searchain.errors import UsageError

KEY = "sk-proj/aB3+dE6&gH9=jK2_mN5-pQ8"


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(secrecy, "_kept", ())
    secrecy.keep(KEY)
    return


@pytest.mark.parametrize(
    ("written", "key"),
    [(f"{before}{KEY}{after}", KEY) for before, after in (
        ("", ""), (" ", "\n"), ("\ufeff", ""), ("“", "”"), ("‘", "’\r\n"), ('"', '"'), ("«\u00a0", "\u00a0»"), ("Bearer ", "")
    )] + [(nothing, None) for nothing in (None, "", " \n", "“”")],
)  # fmt: skip
def test_what_comes_along_when_a_key_is_copied_is_stripped(written: str | None, key: str | None) -> None:
    assert secrecy.readable_key(written) == key


ODD = {"\n": "a line break", " ": "a blank", "\t": "a tab", "“": r"the character U\+201C", "\0": r"the .* U\+0000"}


@pytest.mark.parametrize(("odd", "what"), ODD.items())
def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(odd: str, what: str) -> None:
    with pytest.raises(UsageError, match=f"OPENAI_API_KEY holds {what} at place 6 of 14 and cannot be sent") as caught:
        secrecy.readable_key(f" abcde{odd}secretsx ")
    assert "abcde" not in str(caught.value)
    assert "secret" not in str(caught.value)


def written_out(key: str) -> list[str]:
    header = f"Bearer {key}"
    return [
        key, key.upper(), repr(f"{header}\n".encode()), json.dumps({"key": key}), quote(key, safe=""), html.escape(key),
        key.encode().hex(),
        *(base64.b64encode(f"{a}{key}{b}".encode()).decode() for a in ("", "u", "u:") for b in ("", "x")),
        base64.urlsafe_b64encode(header.encode()).decode(),
    ]  # fmt: skip


@pytest.mark.parametrize("text", written_out(KEY))
def test_the_whole_key_is_hidden_in_each_form(text: str) -> None:
    assert secrecy.MASK in secrecy.hidden(text)
    decoded = secrecy.hidden(text).replace(secrecy.MASK, "")
    assert "aB3" not in decoded
    assert len(decoded) < len(text) - len(KEY) + 4


@settings(max_examples=50)  # each new key costs a pattern
@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=secrecy.LEAST, max_size=60))
def test_any_key_is_hidden(key: str) -> None:
    secrecy.keep(key)
    for text in written_out(key):
        assert secrecy.hidden(f"it said: {text}") != f"it said: {text}"


def test_parts_are_hidden_in_what_the_server_says_alone() -> None:
    said = f"wrong key {KEY[:14]} or {KEY[-12:]}, namely sk-p***********pQ8 or ab**** or ****pQ8"
    assert secrecy.hidden(said) == said, "whoever writes here could guess the key piece by piece"
    assert secrecy.without_key(said, KEY) == "wrong key … or …, namely … or … or …"


@pytest.mark.parametrize("key", ["ollama", "EMPTY", "sk-1234"])
def test_a_short_key_is_hidden_in_what_its_server_says_alone(key: str) -> None:
    secrecy.keep(key)
    assert secrecy.hidden(f"the key {key}") == f"the key {key}"
    assert secrecy.without_key(f"the key {key} is wrong", key) == "the key … is wrong"


def test_the_key_of_the_environment_is_hidden_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "“a-key-of-the-environment”\n")
    assert secrecy.hidden("it is a-key-of-the-environment!") == "it is …!"


@given(st.lists(st.sampled_from([KEY, KEY[:5], KEY[:20], KEY[3:], "text ", "s", "sk-"])), st.integers(1, 9))
def test_a_key_that_comes_in_pieces_is_hidden_and_nothing_else(parts: list[str], size: int) -> None:
    text = "".join(parts)
    outflow = secrecy.Outflow()
    pieces = [outflow.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join([*pieces, outflow.finish()]) == secrecy.hidden(text)
