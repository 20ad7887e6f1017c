"""Measurements, each a command that prints a table; the docs quote them."""
