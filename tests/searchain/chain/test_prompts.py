"""The prompts teach exactly the form that the parser accepts."""

import re

import pytest

from searchain.chain import prompts
from searchain.chain.parser import parse_chain, render_step
from searchain.types import TaskKind

FAMILIES = [prompts.family(task, use_ir=use_ir) for task in TaskKind if task.base is task for use_ir in (True, False)]
VARIABLES = {name: set(re.findall(r"\$(\w+)", (prompts.FOLDER / f"{name}.md").read_text())) for name in prompts.names()}


def examples(name):
    """(question, chain text) of each worked example."""
    return re.findall(r"\[Question\]: (.+)\n((?:\[(?:Query|Answer|Unsolved).+\n?)+)", prompts.render(name))


@pytest.mark.parametrize("name", prompts.names())
def test_renders_with_its_variables_and_with_no_others(name):
    values = {variable: f"<{variable}>" for variable in VARIABLES[name]}
    text = prompts.render(name, **values)
    assert "$" not in text
    assert all(value in text for value in values.values())
    with pytest.raises(ValueError, match="has the variables"):
        prompts.render(name, surplus="x", **values)


@pytest.mark.parametrize("name", FAMILIES)
def test_examples_are_chains_in_the_strict_form(name):
    assert examples(name)
    for question, chain in examples(name):
        steps = parse_chain(chain, long_answers=name.startswith("longform"))
        assert "\n".join(render_step(i, step) for i, step in enumerate(steps, 1)) == chain.strip(), question


def test_a_template_sign_in_a_value_stays_text():
    assert "costs $5 and $query" in prompts.render("passage", passage="costs $5 and $query", query="How?", number="1")


@pytest.mark.parametrize("name", ["verify", "complete"])
def test_feedback_names_its_slots_in_the_right_places(name):
    text = prompts.render(name, passage="P. Text.", query="Who is it?", answer="Ada", number="2")
    assert 'the answer to "Who is it?" is "Ada"' in text
    assert text.startswith("Reference: P. Text.")
    assert text.endswith("[Query 2]: Who is it?")
