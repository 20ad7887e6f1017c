"""Judging of citations by people: the protocol, and the statistics of the judgements. No database."""
