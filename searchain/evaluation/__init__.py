"""How well systems answer: data sets, runs that can be resumed, scores, error analysis, reports.

Imports ``systems`` and everything below. ``training`` and the command line import it.
"""
