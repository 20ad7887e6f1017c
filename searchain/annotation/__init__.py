"""Judging of citations by people: the protocol, and the statistics of the judgements. No database.

Imports ``language`` and the values. ``storage.annotation``, ``ui.desk`` and ``ui.exports`` import it.
"""
