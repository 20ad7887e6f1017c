"""What was asked: whether it is a question to a library, and how many look-ups it needs, by one small trained head."""
