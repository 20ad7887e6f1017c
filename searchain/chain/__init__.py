"""What the model plans: the chain as text and as values, the tree, the dialogue with the model, one round.

Imports ``language``, ``llm.base``, ``reading``, ``verification`` and the values. ``reply``, ``systems`` and
``pipeline`` import it.
"""
