"""Measurements, each a command that prints a table; the README quotes them."""
