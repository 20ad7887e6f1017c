"""Rules over English text, without a model: words, sentences, kinds of questions and answers, what says the same.

Imports ``searchain.types`` alone. Every room may import it.
"""
