"""How the committed weights were made: one ``python -m`` command per model, with its data and its scores.

Imports everything of ``searchain``. Nothing imports it.
"""
