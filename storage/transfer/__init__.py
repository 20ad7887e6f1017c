"""Exports conversations and imports them again without loss.

Imports ``history`` and ``log``. ``annotation`` imports it.
"""
