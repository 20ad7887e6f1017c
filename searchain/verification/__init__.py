"""Step × evidence → verdict (section 3.3 of the paper). Pure functions.

Imports ``language``, the types and the settings. ``chain``, ``pipeline`` and ``systems`` import it.
"""
