"""Language models behind one method, ``LanguageModel.stream``: any OpenAI-compatible endpoint, or the embedded one.

Imports ``embedded``, ``files`` and the values. Method code imports ``llm.base`` only; ``assemble`` chooses the model.
"""
