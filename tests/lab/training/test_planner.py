"""Plans become dialogues, dialogues token ids; a few steps of training; the adapter in llama.cpp."""

import pytest

from lab.training import planner_data
from lab.training.planner_data import Plan, PlannedStep, Turn, dialogues, read_followups, read_plans
from searchain.types import TaskKind

BRIDGE = Plan(
    "Which river flows through the city where the Louvre stands?",
    TaskKind.MULTIHOP,
    (
        PlannedStep("In which city is the Louvre?", "Paris", "The Louvre is in Paris."),
        PlannedStep("Which river flows through Paris?", "the Seine", "The Seine flows through Paris."),
    ),
    "the Seine",
)


@pytest.fixture
def plain(monkeypatch):
    """Every chain whole, and no replies: what is left to chance otherwise."""
    monkeypatch.setattr(planner_data, "REPLIES", 0.0)
    monkeypatch.setattr(planner_data, "LAST_TURNS", 1.0)


def of_chains(plan: Plan) -> list[list[Turn]]:
    """The dialogues of ``plan`` by the first seed that feeds back nothing but what was found."""
    for seed in range(50):
        made = dialogues([plan], [], seed)
        users = [turn.content for dialogue in made for turn in dialogue if turn.role == "user"]
        if (
            all(content.startswith(("[Question]", "Found:")) for content in users)
            and "yourself" not in made[0][0].content
        ):
            return sorted(made, key=len)
    raise AssertionError("no seed without a mistake")


def test_a_step_that_needs_an_answer_waits_for_it(plain):
    [chain] = of_chains(BRIDGE)
    assert [(turn.role, turn.content) for turn in chain[1:]] == [
        ("user", "[Question]: Which river flows through the city where the Louvre stands?"),
        ("assistant", "[Query 1]: In which city is the Louvre?\n[Unsolved Query]"),
        ("user", "Found: Paris\n[Query 1]: In which city is the Louvre?"),
        (
            "assistant",
            "[Query 1]: In which city is the Louvre?\n[Answer 1]: Paris\n"
            "[Query 2]: Which river flows through Paris?\n[Unsolved Query]",
        ),
        ("user", "Found: the Seine\n[Query 2]: Which river flows through Paris?"),
        ("assistant", "[Query 2]: Which river flows through Paris?\n[Answer 2]: the Seine"),
    ]


def test_a_reply_states_each_step_with_its_key_behind_the_full_stop(monkeypatch):
    monkeypatch.setattr(planner_data, "REPLIES", 1.0)
    [reply] = [made for made in dialogues([BRIDGE], [], 1) if len(made) == 2]
    assert reply[1].content.startswith("[Answer]: the Seine\n[Final Content]: The Louvre is in Paris. [k")
    assert all(
        f"(key k{key})" in reply[0].content for key in (line.split("]")[0] for line in reply[1].content.split("[k")[1:])
    )


def test_the_committed_plans_keep_the_rules():
    plans = read_plans()
    assert {plan.task for plan in plans} == {task for task in TaskKind if task.base is task} - {TaskKind.SLOTS}
    assert len(plans) > 2_500
    assert len(read_followups()) > 100
    steps = [step for plan in plans for step in plan.steps]
    assert not [
        step.query
        for step in steps
        if "#1 " in step.query.replace("#1 hits", "") or "[" in step.query or not step.query.endswith("?")
    ][:5]
    assert sum(step.answer.casefold() in step.sentence.casefold() for step in steps) > 0.97 * len(steps)


def test_only_what_the_planner_writes_is_learned():
    from transformers import AutoTokenizer

    from searchain.embedded import assets

    file = assets.find(assets.SMOLLM2)
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    said = Turn("assistant", "[Query 1]: Where?\n[Answer 1]: Paris", True)
    turns = [Turn("system", "S"), Turn("user", "Found: Paris\n[Query 1]: Where?"), said]
    example = planner_data.encode(tokenizer, turns)
    learnt = [one for one, scored in zip(example.ids, example.scored, strict=True) if scored]
    assert tokenizer.decode(learnt) == "[Answer 1]: Paris<|im_end|>"
    messages = [{"role": turn.role, "content": turn.content} for turn in turns]
    assert tokenizer.decode(example.ids) == tokenizer.apply_chat_template(messages, tokenize=False)
