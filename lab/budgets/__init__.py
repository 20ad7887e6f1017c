"""The budgets of the code base, each counted from the code: ``python -m lab.budgets``."""
