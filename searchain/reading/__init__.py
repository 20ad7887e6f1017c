"""From passages to evidence: answer spans with their confidence, stance on statements, similarity of texts.

Imports ``embedded``, ``language``, ``retrieval.base`` and the values. ``chain``, ``reply``, ``systems`` import it.
"""
