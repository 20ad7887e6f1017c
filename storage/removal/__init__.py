"""Deletes and redacts text in rows, derived tables, the search index and the file, so that no trace stays."""
