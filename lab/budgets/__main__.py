"""Print the budgets: ``python -m lab.budgets``."""

from lab.budgets.table import rows

if __name__ == "__main__":
    print("\n".join(rows()))
