"""The reply, from the correct path: its text, its numbered citations, and how well each sentence is supported.

Imports ``chain``, ``language``, ``llm.base``, ``reading`` and the values. ``pipeline``, ``systems`` and ``training``
import it.
"""
