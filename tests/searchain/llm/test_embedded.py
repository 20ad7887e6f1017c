"""The real llama.cpp server with the real SmolLM2: forms, streaming, cancel, adapters, its end."""

import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFWriter

from searchain.cancel import CancelToken
from searchain.chain.prompts import Prompts
from searchain.errors import Cancelled, ContextTooLong, ModelServerError, SetupError
from searchain.llm.base import Form
from searchain.llm.embedded import EmbeddedModel
from searchain.llm.grammars import chain_grammar, final_grammar, grammar
from searchain.types import Message
from tests.support.behaviours import text_of

QUESTION = [Message("user", "On which Japanese island is the city of Nintendo's headquarters? (key k417) (key k90)")]
MUSEUM = "In which museum is The Starry Night?"
EXAMPLE = [Message("user", f"{MUSEUM} (key k333)"), Message("assistant", f"[Query 1]: {MUSEUM}\n[Unsolved Query]")]
LINE = r"[^\n\[\]]+"
FORMS = {
    Form.CHAIN: rf"(\[Query (\d)\]: {LINE}\?\n(\[Answer \2\]: {LINE}|\[Unsolved Query\])(\n|\Z)){{1,6}}",
    Form.FINAL: rf"\[Answer\]: {LINE}\n\[Final Content\]: ({LINE}[.!?]( \[k(417|90)\]){{1,2}}( |\Z)){{1,4}}",
    Form.ANSWER: rf"\[Answer\]: {LINE}\n\[Final Content\]: {LINE}[.!?]",
    Form.READING: LINE,
    Form.STANDALONE: r"[^\n?]+\?",
    Form.QUESTION: r"[^\n?]+\?",
    Form.ACTION: r"(Search|Lookup|Finish)\[[^\[\]\n]+\]",
}


def test_a_chain_that_is_begun_is_continued(embedded_model: EmbeddedModel) -> None:
    question = Message("user", "[Question]: On which island is the city where Nintendo has its headquarters?")
    query = "[Query 1]: In which city does Nintendo have its headquarters?"
    system = Message("system", Prompts(is_brief=True).render("multihop"))
    found = Message("assistant", f"{query}\n[Unsolved Query]"), Message("user", f"Found: Kyoto\n{query}")
    asked = [system, question, *found]
    rest = text_of(
        embedded_model.stream([*asked, Message("assistant", f"{query}\n[Answer 1]: Kyoto")], form=Form.CHAIN)
    )
    assert re.fullmatch(FORMS[Form.CHAIN].replace("{1,6}", "{1,5}"), rest.removeprefix("\n")), rest
    assert rest.startswith("\n[Query 2]: ")


@pytest.mark.parametrize("form", FORMS)
def test_a_reply_keeps_to_its_form_streams_and_counts_tokens(embedded_model: EmbeddedModel, form: Form) -> None:
    asked = [*EXAMPLE, *QUESTION] if form is Form.CHAIN else QUESTION  # else it writes on to the last step
    *pieces, usage = embedded_model.stream(asked, form=form)
    text = "".join(pieces)
    assert re.fullmatch(FORMS[form], text), text
    if form is Form.CHAIN:
        assert re.findall(r"Query (\d)", text) == [str(n + 1) for n in range(text.count("[Query"))]
    assert len(pieces) > 3
    assert (usage.llm_calls, usage.prompt_tokens) == (1, 102 if form is Form.CHAIN else 55)
    assert usage.completion_tokens >= len(pieces)


def test_two_replies_are_written_at_the_same_time(embedded_model: EmbeddedModel) -> None:
    begun = threading.Barrier(2, timeout=90)  # broken unless both have begun before either goes on

    def ask(_: int) -> str:
        stream = embedded_model.stream(QUESTION, form=Form.CHAIN, max_tokens=20)
        first = str(next(stream))
        begun.wait()
        return first + text_of(stream)

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(ask, range(2))
    assert len(first) > 20
    assert len(second) > 20


@pytest.mark.parametrize("by", ["cancel", "close"])
def test_stop_frees_the_slot_at_once(embedded_model: EmbeddedModel, by: str) -> None:
    cancel = CancelToken()
    stream = embedded_model.stream(QUESTION, form=Form.CHAIN, cancel=cancel)  # some 400 tokens
    next(stream)
    assert busy_slots(embedded_model) == 1
    started = time.monotonic()
    if by == "close":
        stream.close()
    else:
        threading.Timer(0.05, cancel.set).start()
        with pytest.raises(Cancelled):
            text_of(stream)
    while busy_slots(embedded_model):
        assert time.monotonic() - started < 2, "generation goes on"
        time.sleep(0.01)


def test_stop_ends_the_reading_of_a_long_prompt(embedded_model: EmbeddedModel) -> None:
    cancel = CancelToken()
    threading.Timer(0.3, cancel.set).start()
    with pytest.raises(Cancelled):
        text_of(embedded_model.stream([Message("user", "word " * 3500)], cancel=cancel))
    read = 0
    while busy_slots(embedded_model):
        slots = embedded_model.server.ask("/slots")
        read = max(read, *(slot.get("n_prompt_tokens_processed", 0) for slot in slots))
        time.sleep(0.01)
    assert read < 1500


def busy_slots(model: EmbeddedModel) -> int:
    return sum(slot["is_processing"] for slot in model.server.ask("/slots"))


def test_the_server_is_for_this_process_alone(embedded_model: EmbeddedModel) -> None:
    assert embedded_model.server.address.startswith("http://127.0.0.1:")
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(f"{embedded_model.server.address}/slots", timeout=5)


def test_too_long_a_conversation(embedded_model: EmbeddedModel) -> None:
    with pytest.raises(ContextTooLong, match=r"^the conversation is longer than SmolLM2-135M \(embedded\) can read: "):
        text_of(embedded_model.stream([Message("user", "word " * 5000)]))


def test_an_adapter_is_applied_to_its_form_only(embedded_model: EmbeddedModel, tmp_path: Path) -> None:
    write_adapter(tmp_path / "zero.gguf", size=0.0)
    write_adapter(tmp_path / "wild.gguf", size=0.1)
    adapted = EmbeddedModel({Form.CHAIN: tmp_path / "wild.gguf", Form.STANDALONE: tmp_path / "zero.gguf"}, slots=1)
    differing = []
    for form in (*Form, None):
        plain, with_adapter = (text_of(m.stream(QUESTION, form=form, max_tokens=12)) for m in (embedded_model, adapted))
        differing += [form] if plain != with_adapter else []
    adapted.close()
    assert differing == [Form.CHAIN]


def write_adapter(path: Path, size: float) -> None:
    """A rank-2 LoRA adapter with random weights of the given size."""
    random = np.random.default_rng(0)
    writer = GGUFWriter(path, "llama")
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", 2.0)
    for block in range(30):
        name = f"blk.{block}.ffn_down.weight"
        writer.add_tensor(f"{name}.lora_a", random.standard_normal((2, 1536)).astype(np.float32))
        writer.add_tensor(f"{name}.lora_b", size * random.standard_normal((576, 2)).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def test_a_broken_adapter_is_named(tmp_path: Path) -> None:
    (tmp_path / "chain.gguf").write_bytes(b"GGUF, but not really")
    with pytest.raises(SetupError, match=r"^llama.cpp cannot serve SmolLM2-135M \(embedded\) \(.+, chain.gguf\); run:"):
        EmbeddedModel({Form.CHAIN: tmp_path / "chain.gguf"}).start()


def test_a_model_that_nobody_holds_ends_at_once_and_frees_its_memory() -> None:
    for _ in range(3):
        model = EmbeddedModel({})
        model.start()
        address = model.server.address
        started = time.monotonic()
        del model
        assert time.monotonic() - started < 20  # a server that ends too early waits for ever
        with pytest.raises(urllib.error.URLError, match="refused"):
            urllib.request.urlopen(f"{address}/health")
    assert list(EmbeddedModel({}).stream(QUESTION, max_tokens=3)), "its reply holds it"


def test_close_ends_a_reply_and_the_next_request_starts_the_server_again() -> None:
    model = EmbeddedModel({}, slots=1)
    stream = model.stream(QUESTION, form=Form.CHAIN)
    next(stream)
    started = time.monotonic()
    model.close()
    assert time.monotonic() - started < 5  # and not when the reply is over
    with pytest.raises(ModelServerError, match="closed the connection in the middle of its reply"):
        text_of(stream)
    assert text_of(model.stream(QUESTION, max_tokens=3))
    model.close()


def test_a_process_ends_at_once_in_the_middle_of_a_reply() -> None:
    script = """
from searchain.llm.base import Form, Sampling
from searchain.llm.embedded import EmbeddedModel
from searchain.chain.prompts import Prompts
from searchain.types import Message
model = EmbeddedModel({}, slots=1)
stream = model.stream([Message("user", "Where are Nintendo's headquarters?")], form=Form.CHAIN)
next(stream)
print(model.server.address, flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        address = process.stdout.readline().strip()
        started = time.monotonic()
        assert (process.wait(timeout=10), process.stderr.read()) == (0, "")
        assert time.monotonic() - started < 5
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"{address}/health", timeout=1)


def test_the_planner_answers_where_it_is_sure_and_leaves_the_rest_open() -> None:
    planner = EmbeddedModel(slots=1)
    plan = Message("system", Prompts(is_brief=True).render("multihop"))

    def planned(asked: str) -> str:
        return text_of(planner.stream([plan, Message("user", f"[Question]: {asked}")], form=Form.CHAIN, max_tokens=60))

    sure, open_ = planned("In which country is Lagos?"), planned("Who is the wife of the founder of Nintendo?")
    planner.close()
    assert "[Answer 1]: Nigeria" in sure
    assert "[Unsolved Query]" in open_
    assert "[Answer" not in open_


@pytest.mark.parametrize(
    ("form", "asked", "expected"),
    [
        (Form.CHAIN, "[Question]: Where is Kyoto?", chain_grammar()),
        (Form.CHAIN, "Earlier: [Query 3]: Who?\n[Question]: Where?", chain_grammar()),
        (Form.CHAIN, "Go on with:\n[Query 3]: Where is “Kyoto”?\n", chain_grammar(3, "Where is “Kyoto”?")),
        (Form.FINAL, "Kyoto (key k417)\nHonshu (key k90), k417, keys, k2x", final_grammar(["k417", "k90"])),
        (Form.FINAL, "no steps", final_grammar([])),
        (Form.CHOICE, "Choices:\n1. Who?\n2. Where?\nThe best choice is", 'root ::= "1" | "2"'),
        (Form.CHOICE, "nothing to choose from", 'root ::= "1"'),
        (Form.ANSWER, "Which number has key k417?", final_grammar([])),
    ],
)
def test_the_last_message_decides(form: Form, asked: str, expected: str) -> None:
    assert grammar(form, [Message("user", "[Query 5]: What? (key k333)"), Message("user", asked)]) == expected


def test_a_chain_continues_with_the_given_step_for_up_to_six() -> None:
    rules = dict(rule.split(" ::= ") for rule in chain_grammar(3, 'Who said "\\n"?').splitlines())
    assert (rules["root"], rules["s3"]) == ("s3", r'"[Query 3]: Who said \"\\n\"?\n" a3 ("\n" s4)?')
    assert (rules["s4"], rules["s8"]) == (r'"[Query 4]: " query a4 ("\n" s5)?', '"[Query 8]: " query a8')
    assert "s9" not in rules
