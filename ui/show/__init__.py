"""Show a turn to people in signs and words: labels of states, tree order, terminal lines."""
