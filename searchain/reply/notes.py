"""The sentences by which a reply describes how its run went. They claim nothing else, so they need no citation."""

ABOUT_DOCUMENTS = "documents"
"""The rule of a step that own documents as wholes answer."""
COMPUTED = "computed"
"""The rule of a step that is computed from values of the sources."""
NOTHING_FOUND = "I found no answer."
"""The sentence that opens a reply when no answer was found."""
NOT_OUTRIGHT = "No passage answers this outright; these sentences are the nearest."
"""The sentence that opens a reply of quotations without a short answer."""
NEAREST, NEAREST_EACH = "This sentence is the nearest.", "These sentences are the nearest."
"""The sentences that follow ``NOTHING_FOUND`` where sentences of own documents are shown."""
SILENT = "The language model delivered nothing that can be used, so this rests on the search alone."
"""The sentence that ends a reply to which the model added nothing."""
DOCUMENTS_DIFFER, ARTICLES_DIFFER = "Your documents differ", "The articles differ"
SOURCES_DIFFER = "Your documents and the articles differ"
"""The words that open a reply whose sources do not agree, and the note beside its sign."""
SEVERAL_MEANT = "Your documents hold an answer for each"
"""The words that open what was found for each meaning of a question."""
DOCUMENTS_AGREE = "The documents that answer this agree"
ONE_DOCUMENT = "Only one document was found to answer this"
"""The words that open a reply to a question whether documents agree, where no difference was found."""
ASKING_BACK = "Which do you mean, "
"""The beginning of a question back."""
_BEGINNINGS = (
    ASKING_BACK,
    SEVERAL_MEANT,
    DOCUMENTS_DIFFER,
    ARTICLES_DIFFER,
    SOURCES_DIFFER,
    DOCUMENTS_AGREE,
    ONE_DOCUMENT,
    NOTHING_FOUND,
    NEAREST,
    NEAREST_EACH,
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
