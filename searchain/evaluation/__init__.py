"""How well systems answer: data sets and corpora, runs that can be resumed, scores, error analysis and reports."""
