"""Deleting and redacting: rows, derived tables, search index and file, so that no text stays behind.

Imports ``annotation``, ``log`` and ``people``. Nothing of ``storage`` imports it.
"""
