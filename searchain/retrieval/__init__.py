"""Passages for a query, from a ColBERT index on this machine or a remote one."""
