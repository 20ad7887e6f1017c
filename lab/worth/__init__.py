"""Whether the method is worth its cost: one model alone, in plain RAG and in SearChain, on the same questions."""
