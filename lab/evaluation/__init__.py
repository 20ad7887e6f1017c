"""Evaluations: data sets, resumable runs, scores and reports."""
