"""What can be asked of the past: lists, search, selection by conditions, usage, feedback, finished turns.

Imports ``log``. ``people``, ``transfer`` and ``annotation`` import it.
"""
