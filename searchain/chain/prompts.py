"""Read prompt files (``prompts/*.md``) as strict templates: a missing or unknown variable raises an error.

``prompts/brief/`` holds the same prompts for a model that was trained on the forms. Such a model needs no instructions
or examples, and each token of a prompt costs time on a small machine. A brief prompt may leave variables out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from searchain.types import Exchange, TaskKind

FOLDER = Path(__file__).resolve().parents[2] / "prompts"


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts of one folder for one model: brief, or full."""

    is_brief: bool = False
    folder: Path = FOLDER

    def render(self, name: str, **values: str) -> str:
        """Fill the variables of the prompt ``name`` and return it. Values are inserted as they are.

        Raises ``ValueError`` if the values are not exactly the variables of the prompt.
        """
        template = _template(self.folder / f"{name}.md")
        wanted = set(template.get_identifiers())
        if wanted != set(values):
            raise ValueError(f"prompt {name!r} has the variables {sorted(wanted)}, not {sorted(values)}")
        brief = self.folder / "brief" / f"{name}.md"
        if self.is_brief and brief.is_file():
            template = _template(brief)
        return template.substitute(values)


def family(task: TaskKind, *, use_ir: bool) -> str:
    """Return the name of the prompt that asks for a chain; slot filling uses that of multi-hop questions."""
    name = TaskKind.MULTIHOP.value if task is TaskKind.SLOTS else task.value
    return name if use_ir else f"{name}-no-ir"


def told(history: Sequence[Exchange]) -> str:
    """Return the last three exchanges for the prompt that makes a question standalone."""
    return "\n".join(f"Question: {said.question}\nAnswer: {said.final_answer or said.answer}" for said in history[-3:])


def names() -> list[str]:
    """Return the names of all prompts, in order."""
    return sorted(path.stem for path in FOLDER.glob("*.md"))


@cache
def _template(file: Path) -> Template:
    return Template(file.read_text(encoding="utf-8").strip())


_FULL = Prompts()
render = _FULL.render
"""The function that renders full prompts, for a model that was not trained on the forms."""
