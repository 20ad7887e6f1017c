"""Conversations out of the database and back, without loss; other systems' answers; backups.

Imports ``history`` and ``log``. ``annotation`` imports it.
"""
