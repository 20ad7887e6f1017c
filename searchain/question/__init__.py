"""What is asked: follow-ups made standalone, and what kind of question it is."""
