"""The chat page: pure functions turn the state of a turn into escaped HTML, and Gradio shows it."""
