"""The annotation desk: who judges what, the history of labels, decisions. Primary data, never rebuilt.

Imports ``history``, ``log``, ``people``, ``transfer`` and ``searchain.annotation``. ``removal`` imports it.
"""
