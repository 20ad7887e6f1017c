"""The chain that the model plans: as text and as values, the tree, the dialogue with the model, the rounds.

Imports ``language``, ``llm.base``, ``reading``, ``verification`` and the values. ``reply``, ``systems`` and
``pipeline`` import it.
"""
