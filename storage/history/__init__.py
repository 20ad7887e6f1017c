"""Reads the past: lists, search, selection by conditions, usage, feedback and finished turns."""
