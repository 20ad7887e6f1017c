"""Conversations and their traces in one SQLite file: what was asked, everything that happened, and who may see it."""
