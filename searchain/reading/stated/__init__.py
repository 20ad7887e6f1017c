"""What an article says of its own subject in so many words: answers by the form of question and article.

They go before the readings of the Reader. How often each kind is right stands in docs/probability.md.
"""
