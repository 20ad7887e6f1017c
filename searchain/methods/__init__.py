"""The methods that can answer a question, by name, and the only access to the laboratory, which has more of them."""
