"""Who may use a shared page: users, passwords, tokens, and read-only links to conversations.

Imports ``history`` and ``log``. ``annotation`` and ``removal`` import it.
"""
