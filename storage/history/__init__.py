"""Reads the past: lists, search, selection by conditions, usage, feedback and finished turns.

Imports ``log``. ``people``, ``transfer`` and ``annotation`` import it.
"""
