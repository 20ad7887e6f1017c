"""Users of a shared page: their passwords, tokens and sessions, and read-only links to conversations."""
