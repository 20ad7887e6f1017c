"""Deletes and redacts text in rows, derived tables, the search index and the file, so that no trace stays.

Imports ``annotation``, ``log`` and ``people``. Nothing of ``storage`` imports it.
"""
