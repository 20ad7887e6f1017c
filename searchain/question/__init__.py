"""What is asked: talk or a question, in how many steps, and what a follow-up asks by itself."""
