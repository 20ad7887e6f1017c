"""Print the budgets of the code base: what each is now, and what it is to reach."""
