"""Any GGUF file is served: here SmolLM2's, without what makes it the embedded model."""

from pathlib import Path

import pytest

from searchain.embedded import assets
from searchain.errors import SetupError, UsageError
from searchain.llm.base import Form
from searchain.llm.choose import choose_model
from searchain.llm.served import GgufModel
from searchain.types import Abilities, Message, Usage
from tests.support.behaviours import text_of

FILE = assets.find(assets.SMOLLM2)


def test_a_file_is_served_with_its_template_and_grammars(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SEARCHAIN_MODEL", "gpt-x")
    assert isinstance(choose_model(gguf=FILE), GgufModel)
    model = GgufModel(FILE, threads=1)  # two threads crawl where other tests run beside them
    try:
        found = model.facts()
        assert (found.context, found.slots, round(found.parameters / 1e6)) == (8192, 2, 135)
        *pieces, usage = model.stream([Message("user", "Where is Kyoto?")], form=Form.CHAIN, max_tokens=16)
        assert text_of(pieces).startswith("[Query 1]: ")
        assert isinstance(usage, Usage)
        read = text_of(model.stream([Message("user", "Say: not found")], form=Form.READING, max_tokens=16))
        assert read.strip()
        assert "\n" not in read
        yes, no, odd = model.likelihoods([Message("user", "Is Kyoto in Japan? Answer yes or no.")], ("yes", "no", "xq"))
        assert 0 < yes + no <= 1
        assert odd < yes + no
    finally:
        model.close()
    assert (model.name, model.abilities) == ("SmolLM2-135M-Instruct.Q4_1 (GGUF)", Abilities.SMALL)


def test_a_model_and_a_file_exclude_each_other():
    with pytest.raises(UsageError, match="^--gguf serves a model from a file; leave out --model and --base-url"):
        choose_model("gpt-x", gguf=FILE)


def test_what_is_no_gguf_file_is_told_in_one_line(tmp_path: Path):
    with pytest.raises(UsageError, match=r"none.gguf' cannot be read \(no such file or directory\); give a GGUF file"):
        GgufModel(tmp_path / "none.gguf")
    (tmp_path / "text.gguf").write_text("hello")
    with pytest.raises(UsageError, match=r"text.gguf' is no GGUF file; give one that llama.cpp can read"):
        GgufModel(tmp_path / "text.gguf")
    (tmp_path / "broken.gguf").write_bytes(FILE.read_bytes()[:100_000])
    with pytest.raises(SetupError, match=r"^llama.cpp cannot serve broken \(GGUF\) \(broken.gguf\); it may be damaged"):
        GgufModel(tmp_path / "broken.gguf").start()
