"""The annotation desk in the database: items, assignments, labels and decisions. None of it can be rebuilt.

Imports ``history``, ``log``, ``people``, ``transfer`` and ``searchain.annotation``. ``removal`` imports it.
"""
