"""The chat page: pure functions turn the state of a turn into escaped HTML, and Gradio shows it.

Imports all rooms of ``ui`` but ``cli``. ``cli`` imports it.
"""
