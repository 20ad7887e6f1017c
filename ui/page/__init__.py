"""The chat page: Gradio around pure functions from a turn's state to escaped HTML, and the server that shows it.

Imports all rooms of ``ui`` but ``cli``. ``cli`` imports it.
"""
