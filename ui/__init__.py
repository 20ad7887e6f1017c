"""The chat in the browser: Gradio around pure functions from a turn's state to escaped HTML."""
