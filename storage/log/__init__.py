"""Conversations, the append-only event log, the runs that write to it, and the tables derived from it.

Imports ``storage.database`` and ``searchain``'s values. All of ``storage`` may import it.
"""
