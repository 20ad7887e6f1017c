"""The methods that can answer a question, by name, and the one door to the laboratory, which has more of them."""
