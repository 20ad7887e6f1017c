"""People measure the citations: what they judge, and the statistics of their judgements."""
