"""The sentences by which a reply describes how its run went. They claim nothing else, so they need no citation."""

from __future__ import annotations

NOTHING_FOUND = "I found no answer."
"""The sentence that opens a reply when no answer was found."""
SILENT = "The language model delivered nothing that can be used, so this rests on the search alone."
"""The sentence that ends a reply to which the model added nothing."""
DOCUMENTS_DIFFER, ARTICLES_DIFFER = "Your documents differ", "The articles differ"
SOURCES_DIFFER = "Your documents and the articles differ"
"""The words that open a reply whose sources do not agree, and the note beside its sign."""
_BEGINNINGS = (
    DOCUMENTS_DIFFER,
    ARTICLES_DIFFER,
    SOURCES_DIFFER,
    NOTHING_FOUND,
    SILENT,
    "I found no passage ",
    "No passage ",
    "No article ",
    "Of the same name ",
    "The model answers “",
    "The nearest passage is “",
)


def is_note(sentence: str) -> bool:
    """Return whether a sentence only describes how the run went."""
    return sentence.startswith(_BEGINNINGS)
