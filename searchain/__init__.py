"""Search-in-the-Chain (WWW '24): plan a chain of queries, check every node against passages, trace a cited reply."""
