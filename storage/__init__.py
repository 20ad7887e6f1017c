"""Conversations with their event logs, users, labels and documents, all in one SQLite file."""
