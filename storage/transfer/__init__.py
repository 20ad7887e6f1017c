"""Exports conversations and imports them again without loss; imports other systems' answers.

Imports ``history`` and ``log``. ``annotation`` imports it.
"""
