"""Understand an input: tell small talk from questions, estimate the steps, and make follow-ups standalone."""
