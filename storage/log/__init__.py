"""Conversations, the append-only event log, the runs that write to it, and the tables derived from it."""
