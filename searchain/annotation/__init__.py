"""How people judge citations: what they judge, and the statistics of their judgements. No database.

Imports ``language`` and the values. ``storage.annotation``, ``ui.desk`` and ``ui.exports`` import it.
"""
