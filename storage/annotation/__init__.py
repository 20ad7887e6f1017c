"""The annotation desk in the database: items, assignments, labels and decisions. None of it can be rebuilt."""
