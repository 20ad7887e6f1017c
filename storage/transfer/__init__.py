"""Conversations out of the database and back, without loss; other systems' answers.

Imports ``history`` and ``log``. ``annotation`` imports it.
"""
