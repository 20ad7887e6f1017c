"""The laboratory: compared methods, evaluations, tables, training and measurements. The product does without it."""
