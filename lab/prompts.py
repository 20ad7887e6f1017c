"""Write docs/prompts.md, with every prompt, who gets it and its size: ``python -m lab.prompts``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from string import Template

from searchain.chain.prompts import FOLDER, names

DOCS = Path(__file__).resolve().parents[1] / "docs"
INTRODUCTION = Path(__file__).parent / "data" / "prompts.md"
BRIEF, NO_SEARCH = FOLDER / "brief", "-no-ir"
CAPABLE, PLANNERS = "capable", "capable (to plan), small (GGUF), trained"
READERS, COMPARED = "small (endpoint), careful", "compared methods"
PROMPTS = {
    "informed": ("asks for steps, a reply or a chain, with passages; also in the three trials", CAPABLE),
    "informed-more": ("shows what was found for the steps", CAPABLE),
    "standalone": ("turns a follow-up into a question that stands alone", CAPABLE),
    "multihop": ("asks for the chain of a question", PLANNERS),
    "yesno": ("asks for the chain of a yes/no question", PLANNERS),
    "factcheck": ("asks for the chain of a claim", PLANNERS),
    "longform": ("asks for the chain of an explanation", PLANNERS),
    "verify": ("corrects a step of a chain", PLANNERS),
    "complete": ("completes an open step of a chain", PLANNERS),
    "passage": ("gives the nearest passage to an open step", PLANNERS),
    "repair": ("asks again for a chain that cannot be read", PLANNERS),
    "final": ("asks for the reply from the settled steps", PLANNERS),
    "second-reading": ("asks for a short answer from passages", READERS),
    "second-judging": ("asks whether an answer is right", READERS),
    "second-deciding": ("asks for yes, no or unknown, about own documents", READERS),
    "second-holding": ("asks whether the passages answer a yes/no question", READERS),
    "second-writing": ("asks for an explanation or a comparison in sentences", READERS),
    "direct": ("asks for a reply without passages", COMPARED),
    "direct-retrieval": ("asks for a reply from passages", COMPARED),
    "examples": ("shows the form of replies", COMPARED),
}
"""Each prompt, or the beginning of the names of several → what it does, and who gets it."""


def page(count: Callable[[str], int]) -> str:
    """Return the page; ``count`` returns the number of tokens of a text."""
    rows, parts = [], []
    for name in sorted(names(), key=lambda name: (list(PROMPTS).index(_kind(name)), len(name), name)):
        (what, who), text, brief = PROMPTS[_kind(name)], _text(FOLDER / f"{name}.md"), _text(BRIEF / f"{name}.md")
        what += ", without search" if name.endswith(NO_SEARCH) else ""
        variables = ", ".join(f"`{one}`" for one in Template(text).get_identifiers())
        sizes = f"{count(text)} | {count(brief) if brief else '–'}"
        rows.append(f"| [{name}](#{name}) | {what} | {who} | {variables or '–'} | {sizes} |\n")
        parts.append(f"\n## {name}\n\n```text\n{text}\n```\n")
        parts.append(f"\nThe brief form:\n\n```text\n{brief}\n```\n" if brief else "")
    return INTRODUCTION.read_text(encoding="utf-8") + "".join(rows + parts)


def _kind(name: str) -> str:
    return "examples" if name.startswith("examples-") else name.removesuffix(NO_SEARCH)


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8").strip() if file.is_file() else ""


def main() -> None:
    """Count with the server of the embedded model, and write the page."""
    import httpx

    from searchain.llm.embedded import EmbeddedModel
    from searchain.llm.served import LlamaServer

    model = EmbeddedModel()
    model.start()
    assert isinstance(model.server, LlamaServer)
    headers = {"Authorization": f"Bearer {model.server.key}"}
    with httpx.Client(base_url=model.server.address, headers=headers, timeout=60) as client:
        text = page(lambda prompt: len(client.post("/tokenize", json={"content": prompt}).json()["tokens"]))
    (DOCS / "prompts.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
